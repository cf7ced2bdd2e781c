#pragma once
// Where bodies lie: those that come with Legwork, by name, and those of the user, by path.

#include <filesystem>
#include <string>

#include <legwork/files.h>

namespace legwork {

// share/legwork/NAME in the nearest folder above the library itself that has it: an installed tree's own, and
// in a build tree a link to the sources. Where there is none: /usr/share/legwork/NAME. No path of the machine
// that built the library is in it.
std::filesystem::path shipped_folder(const std::string& name);

// The file that a name or path means; relative paths are sought in `folder` (empty: here). An Error with a
// suggestion for an unknown name.
std::string creature_path(const std::string& name_or_path, const std::string& folder = {});

}  // namespace legwork
