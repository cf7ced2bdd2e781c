#pragma once
// Actuators: what a controller commands. Each has a length (gear times a joint's position, or the distance
// between two points), a rate and a target:
//   angular, linear   f = ks (target - length) - kd rate, the target kept within the actuator's range
//   motor             f = target
// The length may be a tendon's. What acts follows the target with a lag where the actuator has one. All is
// clipped to +-strength. A joint feels gear f; two points are pushed apart by f.
// In an implicit step actuators look ahead like the joints' springs (joints.h) unless clipped. The force of a
// linear one is shared by two links and must stay equal and opposite, so what it still gains from their
// accelerations is a compliant constraint row.

#include <type_traits>
#include <vector>

#include "sim/tendons.h"

namespace legwork {

template <class T>
struct ActuatorUnit {
  ActuatorType type;
  int dof, link, other;  // other = -1: the world
  Vec3<T> pos, other_pos;
  T ks, kd, lower, upper, strength, gear;
  int tendon = -1;
  T lag = T(0);  // s
};

std::vector<ActuatorUnit<double>> make_actuators(const Creature& creature);
std::vector<ActuatorUnit<Batch>> make_batch_actuators(const std::vector<const Creature*>& creatures);

// The target at which an actuator does nothing with the joint at position x (nv, joints.h): 0 for motors.
template <class T>
T resting_target(const ActuatorUnit<T>& actuator, const T* x, const TendonState<T>& tendons,
                 const Workspace<T>& w) noexcept;

// What acts a step h later: the first-order lag of each actuator that has one, else its target.
template <class T>
void follow_targets(const std::vector<ActuatorUnit<T>>& actuators, const T* target, const T& h,
                    std::vector<T>& activation) noexcept;

// Where the lengths of tendons are known; null: no actuator acts along one.
template <class T>
struct TendonLengths {
  const Tendons<T>* tendons = nullptr;
  const TendonState<T>* state = nullptr;
};

// Adds to tau (nv) and w.f_ext; with w.implicit also to w.d_ext and, for each actuator that is linear or acts
// along a tendon, a row (without rows those are explicit). target: one for each actuator.
template <class T>
void add_actuator_forces(const std::vector<ActuatorUnit<T>>& actuators, const T* target, const T* x,
                         const T* v, const T& h, Workspace<T>& w, T* tau,
                         std::type_identity_t<Constraints<T>*> rows = nullptr,
                         std::type_identity_t<TendonLengths<T>> along = {}) noexcept;

}  // namespace legwork
