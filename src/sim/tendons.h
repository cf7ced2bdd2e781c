#pragma once
// Tendons: cords whose length is a sum over joint positions, or a way through points of links. What they pull
// with depends on their length l and its rate: a spring outside a range of rest, a damper, a limit.
//
// A tendon acts on joints, tau += J^T f with J = dl/dq. In an implicit step it looks h ahead like the joints'
// springs (joints.h); what it still gains from the accelerations is a compliant row, as for linear actuators.

#include <vector>

#include "dynamics/constrained.h"

namespace legwork {

template <class T>
struct TendonUnit {
  struct Point {
    int link = -1;  // -1 = the world
    Vec3<T> pos;
    bool starts = false;
    T divisor = T(1);
  };
  std::vector<int> dof;       // that it may move
  std::vector<T> factor;      // of each, where the length is their sum
  std::vector<Point> points;  // else
  int first = 0;              // of its dofs among all of Tendons
  bool pulls = false;         // it has a spring, a damper or a limit
  T lower, upper, limit_stiffness, limit_damping, stiffness, rest_lower, rest_upper, damper;
};

template <class T>
using Tendons = std::vector<TendonUnit<T>>;

// A limit without stiffness gives way by 2 % of the range when the weight of the body hangs on it, by the
// inertia that the tendon moves in the reference pose; its damping is half critical.
Tendons<double> make_tendons(const Creature& creature, const Model<double>& model);
Tendons<Batch> make_batch_tendons(const std::vector<const Creature*>& creatures);

// How tendons lie and move.
template <class T>
struct TendonState {
  std::vector<T> length, rate;  // of each
  std::vector<T> factor;        // dl/dq of all their dofs
  std::vector<T> J;             // nv: scratch

  void size(const Tendons<T>& tendons, const Model<T>& model);
};

// x, v: of joints (joints.h). Needs positions and velocities in w.
template <class T>
void update_tendons(const Tendons<T>& tendons, const Model<T>& m, const T* x, const T* v,
                    const Workspace<T>& w, TendonState<T>& s) noexcept;

// A force along tendon i, and a row for what it gains from accelerations: f - gain d2l/dt2. rows: null, or
// has room for one row of its terms.
template <class T>
void pull_tendon(const TendonUnit<T>& tendon, const TendonState<T>& s, const T& force, const T& gain, T* tau,
                 Constraints<T>* rows) noexcept;

// Springs, dampers and limits, added to tau (nv); with w.implicit a row for each tendon that pulls.
template <class T>
void add_tendon_forces(const Tendons<T>& tendons, const TendonState<T>& s, const T& h, const Workspace<T>& w,
                       T* tau, Constraints<T>& rows) noexcept;

// Energy stored in springs and limits.
template <class T>
T tendon_energy(const Tendons<T>& tendons, const TendonState<T>& s) noexcept;

}  // namespace legwork
