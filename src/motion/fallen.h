#pragma once
// When a body has fallen: one definition for all.

#include <vector>

#include <legwork/creature.h>
#include <legwork/world.h>
#include "dynamics/model.h"

namespace legwork {

// How a body stands.
struct StandingBody {
  int root = 0;                // link
  Mat3d upright;               // the root's axes
  double height = 0;           // m: of the centre of mass over the ground; 0: unknown
  std::vector<int> hips = {};  // links over the ground that counts; none: what is below the centre of mass
  double lowest = 0.5;         // share of the height below which it lies; bodies that crawl over bumps: less
};
// In the configuration q, the lowest contact point on the ground.
StandingBody standing_in(const Creature& creature, const Model<double>& model, const std::vector<double>& q);

// m: the ground below the hips, mean: over bumps the ground under one point says little. Needs positions in
// w.
double ground_below(const StandingBody& standing, const Model<double>& model, const Terrain& terrain,
                    const Workspace<double>& w) noexcept;

// Whether the trunk is turned by more than 60 degrees from how it stands, or the centre of mass is nearer to
// the ground below than that share of its height then. Needs positions in w.
bool has_fallen(const StandingBody& standing, const Model<double>& model, const Terrain& terrain,
                const Workspace<double>& w) noexcept;
// The same from the root's axes and the height of the centre of mass over the ground below.
bool has_fallen(const StandingBody& standing, const Mat3d& root, double height) noexcept;

}  // namespace legwork
