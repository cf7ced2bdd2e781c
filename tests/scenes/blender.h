#pragma once
// Debian's Blender, headless, with the scripts of tests/blender.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace legwork {

// Whether `blender` is on the path. With LEGWORK_LONG set it must be: then this is true.
bool blender_is_here();

// Runs a script with words and files behind it, and reads the JSON file that it writes; a failure of the
// test, and null, where that does not work.
nlohmann::json in_blender(const std::string& script, const std::vector<std::string>& words,
                          const std::vector<std::string>& files, const std::string& written);

}  // namespace legwork
