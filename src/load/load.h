#pragma once
// Bodies and worlds by name or file: what every verb takes as its CREATURE.

#include <string>
#include <vector>

#include <legwork/creature.h>
#include <legwork/world.h>

namespace legwork {

// A shipped name ("hexapod") or a file: .toml, MJCF .xml, .urdf (also as .xml), .corpus. Completed and
// checked.
Creature load_creature(const std::string& name_or_path);

// The same as a world. A TOML file with [[body]] holds a world; a creature is a world of its own.
World load_world(const std::string& name_or_path);

}  // namespace legwork
