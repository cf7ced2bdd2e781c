#pragma once
// A gait in words.

#include <string>
#include <vector>

#include <legwork/carriage.h>
#include <legwork/gait.h>
#include "cli/output.h"

namespace legwork::cli {

// Lines for a person.
std::vector<std::string> gait_lines(const Gait& gait);
std::vector<std::string> appearance_lines(const Appearance& appearance);
std::vector<std::string> carriage_lines(const Carriage& carriage);

Json carriage_json(const Carriage& carriage);

}  // namespace legwork::cli
