#pragma once
// Trees with closed loops and held points: forward dynamics under extra equations on the accelerations.
//
// An equation (Row) is a pair of opposite unit wrenches on two links, or unit torques on joints (a coupling,
// a tendon), or both; its multiplier is the force it needs. With the tree's own solution qdd0 and the
// responses Y = M^-1 J^T, each found in O(nlink) from the articulated-body factors, the multipliers solve
//   (J Y + C) lambda = target - J qdd0,   qdd = qdd0 + Y lambda
// C is a diagonal compliance, zero for a rigid equation. Redundant equations, such as those of a planar loop
// in space, are left out as they turn up as zero pivots: zero beside what the equation itself yields, and
// beside what the whole body would if it were one piece, since an equation that nothing can break (across a
// linkage's plane, between joints that friction holds) yields rounding errors only.

#include "dynamics/dynamics.h"

namespace legwork {

template <class T>
struct Row {
  int a = -1, b = -1;    // links; -1 = the world
  Wrench<T> on_a, on_b;  // for a unit multiplier, world axes, about each link's origin
  T target = T(0);       // wanted on_a . acc_a + on_b . acc_b, with spatial accelerations, + terms . qdd
  T compliance = T(0);
  int first = 0, count = 0;  // its terms among Constraints::terms
  T scale = T(0);            // an acceleration for a unit multiplier beside which rounding errors are small
};

// A joint's part in a row: the torque on it for a unit multiplier.
template <class T>
struct JointTerm {
  int dof = 0;
  T factor = T(0);
};

template <class T>
struct Constraints {
  Constraints(const Model<T>& model, int most_rows, int most_terms = 0);

  int rows = 0, terms_used = 0;
  std::vector<Row<T>> row;  // the first `rows` are in use
  std::vector<JointTerm<T>> terms;
  std::vector<T> lambda;  // out: multipliers
  std::vector<T> Y;       // most_rows x nv: responses
  std::vector<T> A;       // most_rows x most_rows
  // scratch of a scalar's responses, eight rows at a time: on each link, of each link, of each joint
  std::vector<Wrench<Batch>> force;
  std::vector<Twist<Batch>> motion;
  std::vector<Batch> joint, joint_torque;
  std::vector<T> torque;  // nv, where there are terms: of one row
  T piece_shift,
      piece_turn;  // what a unit force and torque give to the body as one piece: 1/kg and 1/(kg m^2)

  // Room for so many rows at least; what is in use stays.
  void reserve(const Model<T>& model, int most_rows);
  void clear() { rows = terms_used = 0; }
  bool full() const { return rows == int(row.size()); }
};

// Rows for a loop (3, or 6 when frames are held), pulled together as ë + 2 ė / time + e / time^2 = 0
// (Baumgarte).
template <class T>
void add_loop(const Loop& loop, const T& time, const Workspace<T>& w, Constraints<T>& c) noexcept;
inline int rows_of(const Loop& loop) { return loop.frame ? 6 : 3; }
// The row of an equation between joints, pulled together likewise. x, v: positions and velocities of the
// joints (nv; those of hinges and slides are read).
template <class T>
void add_coupling(const Coupling& coupling, const T& time, const T* x, const T* v,
                  Constraints<T>& c) noexcept;
inline int terms_of(const Coupling& c) { return int(c.terms.size() + c.drivers.size()); }

// After forward_dynamics: corrects qdd and the links' accelerations so that all rows hold; fills
// lambda. Uses up the workspace's pA and u: ask joint_wrench before.
template <class T>
void apply_constraints(const Model<T>& m, Constraints<T>& c, Workspace<T>& w, T* qdd) noexcept;

// After both: the torque that each joint carries (nv), from the accelerations of the links and the forces of
// the rows; what acts in the joint itself sums to it. Uses up pA.
template <class T>
void joint_loads(const Model<T>& m, const Constraints<T>& c, Workspace<T>& w, const T* qdd, T* load) noexcept;

// Parts of apply_constraints. After forward_dynamics: fills the responses Y and A = J Y, row by row on any
// scalar, or of a scalar eight rows at a time (constrained_lanes.cpp), the same bits in less time.
template <class T>
void respond_row_by_row(const Model<T>& m, Workspace<T>& w, Constraints<T>& c) noexcept;
void respond_in_lanes(const Model<double>& m, const Workspace<double>& w, Constraints<double>& c) noexcept;

// A symmetric positive semidefinite A (n x n in rows of `stride`) becomes its factors L D L'. A pivot that
// has lost nine digits marks an equation that follows from earlier ones: its part of the solution is zero.
template <class T>
void factorize_semidefinite(const Row<T>* row, int n, int stride, T* A) noexcept;
// x becomes A^-1 x.
template <class T>
void solve_semidefinite(const T* factors, int n, int stride, T* x) noexcept;
// A row's product with motions of the links and joints: accelerations, or velocities.
template <class T>
T row_product(const Constraints<T>& c, const Row<T>& row, const std::vector<Twist<T>>& motion,
              const T* joints) noexcept;
// The links' accelerations that belong to qdd.
template <class T>
void update_accelerations(const Model<T>& m, Workspace<T>& w, const T* qdd) noexcept;

// How far apart a loop's points are (m); for frames also the angle between them (rad), whichever is larger.
template <class T>
T loop_gap(const Loop& loop, const Workspace<T>& w) noexcept;

// By how much an equation between joints is missed, rad or m.
double coupling_gap(const Coupling& coupling, const double* x) noexcept;

// Moves q by Newton steps until loops close and equations hold; returns the remaining gap. For set-up, not
// for hot loops.
double close_loops(const Model<double>& m, const std::vector<Loop>& loops, std::vector<double>& q,
                   const std::vector<Coupling>& couplings = {});

}  // namespace legwork
