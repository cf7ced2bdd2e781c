#pragma once
// Bodies and worlds from files, motions and results to files and back.

#include <string>
#include <vector>

#include <legwork/motion.h>
#include <legwork/result.h>
#include <legwork/world.h>

namespace legwork {

// --- bodies and worlds

// A shipped name ("hexapod") or a file: .toml, MJCF .xml, .urdf (also as .xml), .corpus. Completed and
// checked.
Creature load_creature(const std::string& name_or_path);
// The same as a world, changed as the options say. A TOML file with [[body]] holds a world; a creature is a
// world of its own, in the surroundings that its file wishes for.
World load_world(const std::string& name_or_path, const WorldOptions& options = {});

struct ShippedCreature {
  std::string name, about, path;
};
// What comes with Legwork, by name. The folder: $LEGWORK_CREATURES, else where Legwork was built or
// installed.
std::vector<ShippedCreature> shipped_creatures();
std::vector<ShippedCreature> shipped_worlds();

}  // namespace legwork
