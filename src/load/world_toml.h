#pragma once
// A world file: bodies with prefixes and places, what holds them together, and what surrounds them.
// docs/creature_file.md has the grammar.

#include <string>

#include <legwork/world.h>

namespace legwork {

World read_world_toml(const std::string& path);

}  // namespace legwork
