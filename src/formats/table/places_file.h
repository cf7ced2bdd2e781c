#pragma once

#include <string>
#include <vector>

#include <legwork/error.h>
#include "control/polygon.h"

namespace legwork {

// Lines of x,y (m); a first line of names and empty lines are skipped. where: named in errors with the line,
// who: what the text is. Throws Error.
std::vector<Vec2> parse_places(const std::string& text, const Where& where, const std::string& who);
std::vector<Vec2> read_places(const std::string& file);

}  // namespace legwork
