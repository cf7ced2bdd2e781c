#pragma once
// A gait in words: for --json of every verb and for a person.

#include <string>
#include <vector>

#include <legwork/gait.h>
#include "cli/output.h"

namespace legwork::cli {

// The object `gait` of every verb's --json, without what goes over time. What cannot be known is null.
Json gait_summary(const Gait& gait);
// Lines for a person.
std::vector<std::string> gait_lines(const Gait& gait);

}  // namespace legwork::cli
