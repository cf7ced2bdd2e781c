#pragma once
// Names inside the texts of a program.

#include <functional>
#include <string>

namespace legwork {

// The text with every identifier (dots belong to it) replaced by what the function makes of it.
std::string map_names(const std::string& text, const std::function<std::string(const std::string&)>& replace);

}  // namespace legwork
