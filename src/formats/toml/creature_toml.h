#pragma once
// The creature file: TOML, readable and short. docs/creature_file.md has the whole grammar.

#include <string>

#include <legwork/creature.h>

namespace legwork {

// A creature ready for use: built on its base, mirrored, scaled, completed and checked.
Creature read_creature_toml(const std::string& path);
// file names the text in messages; bases and meshes are sought beside it.
Creature parse_creature_toml(const std::string& text, const std::string& file);

// A file with [[body]] is a world, any other a creature.
struct TomlNode;
bool is_world(const TomlNode& root);

// The creature as a creature file that stands alone (meshes inside) and reads back the same bit for bit,
// but for the places in files and the warnings.
std::string write_creature_toml(const Creature& creature);

}  // namespace legwork
