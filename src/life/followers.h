#pragma once
// What hangs on a trunk that moves: arms, necks, tails and ears as damped springs.
//
// A cycle of configurations in which these joints rest gives, by inverse dynamics, the torques that resting
// takes. Springs that let them give way move by the periodic solution of
//   M x'' + C x' + K x = -(torques),
// harmonic by harmonic, with M the mass matrix of these joints: what is farther out lags behind what carries
// it. K holds every chain at a few times the cycle's rate; the dial `lag` makes it softer. Arms also swing so
// that the body's angular momentum about the vertical stays small, as people's do (Herr, Popovic, J. Exp.
// Biol. 211 (2008), 467-481), for feet can give no large moment about it.

#include <vector>

#include "dynamics/model.h"
#include "sim/joints.h"

namespace legwork {

struct FollowingArm {
  bool left = false;
  int hand = -1;
  Vec3d pos;
};

struct FollowProblem {
  const Creature* creature = nullptr;
  const Model<double>* model = nullptr;
  std::vector<int> dofs;           // what follows
  std::vector<FollowingArm> arms;  // of these
  double period = 1, lag = 1;
  double size = 1;  // m: the hips' height
  // Configurations over one cycle at even times, with the followers at rest; `next`: the first of the cycle
  // after it.
  std::vector<std::vector<double>> cycle;
  std::vector<double> next;
};

// What each follower adds to its rest, per degree of freedom in `dofs`, per sample of the cycle.
std::vector<std::vector<double>> follow(const FollowProblem& problem);

}  // namespace legwork
