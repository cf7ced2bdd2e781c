#pragma once
// Every key of creature and world files, described once: the readers refuse any other, and the reference
// (legwork creatures --keys, docs/creature_file.md) is this.

#include <string>
#include <vector>

#include "formats/toml/toml_reader.h"

namespace legwork {

const std::vector<TomlKeys>& creature_keys();
// Those of one kind of table: "link", "joint", ...
const TomlKeys& creature_keys(std::string_view table);

// Markdown: a table of the kinds, where there are any, and one of the keys.
std::string reference_table(const TomlKeys& keys);

}  // namespace legwork
