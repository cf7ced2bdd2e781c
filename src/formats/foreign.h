#pragma once
// Bodies in the formats of other programs.

#include <string>

#include "creature/creature.h"

namespace legwork {

// An MJCF or URDF file as it is, not yet completed.
Creature read_foreign(const std::string& path);

}  // namespace legwork
