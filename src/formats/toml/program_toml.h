#pragma once
// Algorithms of legwork direct as TOML. docs/direct.md has the format.

#include <string>
#include <vector>

#include "direct/program.h"

namespace legwork {

// A shipped name ("walk") or a file.
Program load_program(const std::string& name_or_path);

struct ShippedProgram {
  std::string name, about, creature;
};
// What lies in the folder of shipped algorithms, by name.
std::vector<ShippedProgram> shipped_programs();

}  // namespace legwork
