#pragma once
// A world file: bodies with prefixes and places, what holds them together, and what surrounds them.
// docs/creature_file.md has the grammar.

#include <string>

#include "legwork/io/toml_reader.h"
#include "legwork/sim/world.h"

namespace legwork {

// A file with [[body]] is a world, any other a creature.
bool is_world(const TomlNode& root);

World read_world_toml(const std::string& path);

}  // namespace legwork
