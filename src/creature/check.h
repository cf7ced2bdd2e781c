#pragma once
// Is a body sound?

#include <legwork/creature.h>

namespace legwork {

// Throws Error for the first thing that would make a simulation meaningless, as
//   file:line: who: what is wrong; what to try
// Needs a completed creature (complete.h). Nothing is repaired.
void check(const Creature& creature);

// Throws Error for a --pose that the creature does not have.
void check_pose(const Creature& creature, const std::string& pose);

// kg m^2: by how much principal moments (descending) may miss what a solid has and still be rounding: nine
// digits, or a radius of gyration of a nanometre.
double inertia_rounding(double mass, const Vec3d& moments);

}  // namespace legwork
