#pragma once
// Trees with closed loops and held points: forward dynamics under extra equations on the accelerations.
//
// An equation (Row) is a pair of opposite unit wrenches on two links; its multiplier is the force it needs.
// With the tree's own solution qdd0 and the responses Y = M^-1 J^T, each found in O(nlink) from the
// articulated-body factors, the multipliers solve
//   (J Y + C) lambda = target - J qdd0,   qdd = qdd0 + Y lambda
// C is a diagonal compliance, zero for a rigid equation. Redundant equations, such as those of a planar loop
// in space, are left out as they turn up as zero pivots.

#include "dynamics/dynamics.h"

namespace legwork {

template <class T>
struct Row {
  int a = -1, b = -1;    // links; -1 = the world
  Wrench<T> on_a, on_b;  // for a unit multiplier, world axes, about each link's origin
  T target = T(0);       // wanted on_a . acc_a + on_b . acc_b, with spatial accelerations
  T compliance = T(0);
};

template <class T>
struct Constraints {
  Constraints(const Model<T>& model, int most_rows);

  int rows = 0;
  std::vector<Row<T>> row;  // the first `rows` are in use
  std::vector<T> lambda;    // out: multipliers
  std::vector<T> Y;         // most_rows x nv: responses
  std::vector<T> A;         // most_rows x most_rows
  // scratch of a scalar's responses, eight rows at a time: on each link, of each link, of each joint
  std::vector<Wrench<Batch>> force;
  std::vector<Twist<Batch>> motion;
  std::vector<Batch> joint;

  void clear() { rows = 0; }
  bool full() const { return rows == int(row.size()); }
};

// Rows for a loop (3, or 6 when frames are held), pulled together as ë + 2 ė / time + e / time^2 = 0
// (Baumgarte).
template <class T>
void add_loop(const Loop& loop, const T& time, const Workspace<T>& w, Constraints<T>& c) noexcept;
inline int rows_of(const Loop& loop) { return loop.frame ? 6 : 3; }

// After forward_dynamics: corrects qdd and the links' accelerations so that all rows hold; fills
// lambda. Uses up the workspace's pA and u: ask joint_wrench before.
template <class T>
void apply_constraints(const Model<T>& m, Constraints<T>& c, Workspace<T>& w, T* qdd) noexcept;

// Parts of apply_constraints. After forward_dynamics: fills the responses Y and A = J Y, row by row on any
// scalar, or of a scalar eight rows at a time (constrained_lanes.cpp), the same bits in less time.
template <class T>
void respond_row_by_row(const Model<T>& m, Workspace<T>& w, Constraints<T>& c) noexcept;
void respond_in_lanes(const Model<double>& m, const Workspace<double>& w, Constraints<double>& c) noexcept;

// How far apart a loop's points are (m); for frames also the angle between them (rad), whichever is larger.
template <class T>
T loop_gap(const Loop& loop, const Workspace<T>& w) noexcept;

// Moves q by Newton steps until the loops close; returns the remaining gap. For set-up, not for hot loops.
double close_loops(const Model<double>& m, const std::vector<Loop>& loops, std::vector<double>& q);

}  // namespace legwork
