#pragma once
// Where bodies lie: those that come with Legwork, by name, and those of the user, by path.

#include <string>
#include <vector>

namespace legwork {

struct ShippedCreature {
  std::string name, about, path;
};
// What lies in the folder of shipped creatures, and in its folder worlds/, by name. The folder:
// $LEGWORK_CREATURES, else that of the source tree, else where Legwork was installed.
std::vector<ShippedCreature> shipped_creatures();
std::vector<ShippedCreature> shipped_worlds();

// The file that a name or path means; relative paths are sought in `folder` (empty: here). An Error with a
// suggestion for an unknown name.
std::string creature_path(const std::string& name_or_path, const std::string& folder = {});

}  // namespace legwork
