#pragma once
// Bodies in the formats of other programs.

#include <string>

#include <legwork/creature.h>

namespace legwork {

// An MJCF or URDF file as it is, not yet completed, its legs still to be found (find_legs).
Creature read_foreign(const std::string& path);

}  // namespace legwork
