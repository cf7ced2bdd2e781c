#pragma once
// What the links and joints of a creature file are for: legs, labels, trunk, contact points, poses, sensors,
// actuators, loops and attachments. All name links and degrees of freedom, which must be there already.

#include "formats/toml/toml_link.h"

namespace legwork {

// Everything but poses. An entry of the same name that came with a base is replaced.
void read_roles(TomlTable& top, const TomlUnits& units, Creature& creature);

// [[loop]] and [[attachment]] alone: what a world may add between its bodies.
void read_bonds(TomlTable& top, const TomlUnits& units, Creature& creature);

// A pose as the joints that it sets: the others stand as the file put them.
struct PoseDraft {
  struct Entry {
    std::string joint;
    std::vector<double> q;  // its coordinates
  };
  std::string name;
  std::vector<Entry> entries;
  Where where;
};

// The [[pose]] entries, replacing drafts of the same name that came with a base.
void read_poses(TomlTable& top, const TomlUnits& units, const Creature& creature,
                std::vector<PoseDraft>& poses);

// Drafts of a creature's finished poses, and back; a joint that is no longer there is left out.
std::vector<PoseDraft> draft_poses(const Creature& creature);
Pose finish_pose(const PoseDraft& draft, const Creature& creature);

}  // namespace legwork
