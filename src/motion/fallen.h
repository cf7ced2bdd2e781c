#pragma once
// When a body has fallen: one definition for all.

#include <vector>

#include <legwork/creature.h>
#include <legwork/world.h>
#include "dynamics/model.h"

namespace legwork {

// How a body stands.
struct Standing {
  int root = 0;       // link
  Mat3d upright;      // the root's axes
  double height = 0;  // m: of the centre of mass over the ground; 0: unknown
};
// In the configuration q, the lowest contact point on the ground.
Standing standing_in(const Creature& creature, const Model<double>& model, const std::vector<double>& q);

// Whether the trunk is turned by more than 60 degrees from how it stands, or the centre of mass is nearer to
// the ground below it than half of its height then. Needs positions in w.
bool has_fallen(const Standing& standing, const Model<double>& model, const Terrain& terrain,
                const Workspace<double>& w) noexcept;

}  // namespace legwork
