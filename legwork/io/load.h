#pragma once
// Bodies and worlds by name or file: what every verb takes as its CREATURE.

#include <string>
#include <vector>

#include "legwork/creature/creature.h"
#include "legwork/sim/world.h"

namespace legwork {

// A shipped name ("hexapod") or a file: .toml, MJCF .xml, .urdf (also as .xml), .corpus. Completed and
// checked.
Creature load_creature(const std::string& name_or_path);

// The same as a world. A TOML file with [[body]] holds a world; a creature is a world of its own.
World load_world(const std::string& name_or_path);

struct ShippedCreature {
  std::string name, about, path;
};
// What lies in the folder of shipped creatures, and in its folder worlds/, by name. The folder:
// $LEGWORK_CREATURES, else that of the source tree, else where Legwork was installed.
std::vector<ShippedCreature> shipped_creatures();
std::vector<ShippedCreature> shipped_worlds();

// An MJCF or URDF file as it is, not yet completed.
Creature read_foreign(const std::string& path);

// The file that a name or path means; relative paths are sought in `folder` (empty: here). An Error with a
// suggestion for an unknown name.
std::string creature_path(const std::string& name_or_path, const std::string& folder = {});

}  // namespace legwork
