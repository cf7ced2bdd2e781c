#pragma once
// How strong a body is: what its actuators can give each degree of freedom.

#include <vector>

#include <legwork/creature.h>

namespace legwork {

// The largest torque or force of all actuators of each degree of freedom together (nv), N m or N: 0 where
// none acts, unlimited where one has no bound. Along a tendon over joints each gets its factor's share;
// linear actuators and tendons through points have no constant lever and count for none.
std::vector<double> dof_strengths(const Creature& creature);

}  // namespace legwork
