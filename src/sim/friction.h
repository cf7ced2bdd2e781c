#pragma once
// Dry friction in joints, Coulomb's: a joint that moves is slowed by a constant torque, one at rest stays at
// rest until more than that acts on it.
//
// Over a step of h a joint is held (its velocity at the end is zero) or slides (against its full friction).
// Which of them is found by trying, for all joints at once:
//   held, but the torque that this needs is more than the friction   it slides, the way it is pushed
//   slides, but would turn back within the step                      it is held
// until nothing changes. A held joint costs no equation: with an infinite inertia of its own (d_ext) the
// articulated-body algorithm leaves its acceleration zero, and what stops it comes as the link's bias.
// Explicit stages do the same with the step's h, so that a joint comes to rest without chattering.

#include <vector>

#include "dynamics/constrained.h"

namespace legwork {

// Constant: which degrees of freedom have friction, and how much.
template <class T>
struct DryFriction {
  std::vector<int> dof;
  std::vector<T> most;  // N m or N

  bool empty() const { return dof.empty(); }
};

DryFriction<double> make_dry_friction(const Creature& creature);
DryFriction<Batch> make_batch_dry_friction(const std::vector<const Creature*>& creatures);

// What a step knows of it; sized at set-up, for each of DryFriction::dof unless said.
template <class T>
struct FrictionState {
  std::vector<T> held;         // 1 = held, 0 = slides
  std::vector<T> force;        // on the joint
  std::vector<T> tau, d;       // what else acts in it, and its implicit part
  std::vector<Twist<T>> bias;  // of its link, before anything was held
  std::vector<T> load;         // nv: scratch

  void size(const DryFriction<T>& friction, const Model<T>& model);
};

// Before the first solve of a step: what is at rest is held, what moves slides. Keeps tau and d_ext.
template <class T>
void begin_friction(const DryFriction<T>& friction, const Model<T>& m, const T* v, const T* tau,
                    const Workspace<T>& w, FrictionState<T>& s) noexcept;
// Puts the present guess into tau, w.d_ext and the links' biases.
template <class T>
void apply_friction(const DryFriction<T>& friction, const Model<T>& m, const T* v, const T& h, T* tau,
                    Workspace<T>& w, FrictionState<T>& s) noexcept;
// After solve number `pass` with a guess: completes qdd of held joints, finds their forces and a better
// guess; false: none is needed, or too many were tried; then the biases are as they were.
template <class T>
bool correct_friction(const DryFriction<T>& friction, const Model<T>& m, const T* v, const T& h, int pass,
                      const Constraints<T>& constraints, Workspace<T>& w, T* qdd,
                      FrictionState<T>& s) noexcept;
// After the last: takes the guess out of w.d_ext; tau is what else acts, with the friction.
template <class T>
void end_friction(const DryFriction<T>& friction, const FrictionState<T>& s, T* tau,
                  Workspace<T>& w) noexcept;

}  // namespace legwork
