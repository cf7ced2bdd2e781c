#pragma once
// Bodies in the formats of other programs.

#include <string>

#include <legwork/creature.h>

namespace legwork {

// An MJCF or URDF file as it is, not yet completed.
Creature read_foreign(const std::string& path);

}  // namespace legwork
