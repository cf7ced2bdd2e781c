#pragma once
// A gait in words.

#include <string>
#include <vector>

#include <legwork/gait.h>
#include "cli/output.h"

namespace legwork::cli {

// Lines for a person.
std::vector<std::string> gait_lines(const Gait& gait);
std::vector<std::string> appearance_lines(const Appearance& appearance);

}  // namespace legwork::cli
