#pragma once
// Actuators: what a controller commands. Each has a length (gear times a joint's position, or the distance
// between two points), a rate and a target:
//   angular, linear   f = ks (target - length) - kd rate, the target kept within the actuator's range
//   motor             f = target
// clipped to +-strength. A joint feels gear f; two points are pushed apart by f.
// In an implicit step actuators look ahead like the joints' springs (joints.h) unless clipped. The force of a
// linear one is shared by two links and must stay equal and opposite, so what it still gains from their
// accelerations is a compliant constraint row.

#include <type_traits>
#include <vector>

#include "dynamics/constrained.h"

namespace legwork {

template <class T>
struct ActuatorUnit {
  ActuatorType type;
  int dof, link, other;  // other = -1: the world
  Vec3<T> pos, other_pos;
  T ks, kd, lower, upper, strength, gear;
};

std::vector<ActuatorUnit<double>> make_actuators(const Creature& creature);
std::vector<ActuatorUnit<Batch>> make_batch_actuators(const std::vector<const Creature*>& creatures);

// The target at which an actuator does nothing with the joint at position x (nv, joints.h): 0 for motors.
template <class T>
T resting_target(const ActuatorUnit<T>& actuator, const T* x, const Workspace<T>& w) noexcept;

// Adds to tau (nv) and w.f_ext; with w.implicit also to w.d_ext and, for each linear actuator, a row (without
// rows those are explicit). target: one for each actuator.
template <class T>
void add_actuator_forces(const std::vector<ActuatorUnit<T>>& actuators, const T* target, const T* x,
                         const T* v, const T& h, Workspace<T>& w, T* tau,
                         std::type_identity_t<Constraints<T>*> rows = nullptr) noexcept;

}  // namespace legwork
