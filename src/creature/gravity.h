#pragma once
// The gravity that a body is made for.

#include <algorithm>

#include <legwork/creature.h>

#include "math/vec.h"

namespace legwork {

// m/s^2: its file's, but no weaker than the earth's; the world that it is in does not matter. A file in
// centimetres and grams says 981.
inline double own_gravity(const Creature& creature) { return std::max(9.81, norm(creature.gravity)); }

}  // namespace legwork
