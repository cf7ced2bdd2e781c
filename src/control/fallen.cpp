#include "control/fallen.h"

#include "motion/fallen.h"

namespace legwork {

bool has_fallen(const LeggedBody& b, const Terrain& terrain, const Workspace<double>& w) {
  StandingBody standing{b.root, b.upright, b.height};
  for (const LimbOfBody& leg : b.legs) standing.hips.push_back(leg.hip);
  return has_fallen(standing, b.system->model, terrain, w);
}

}  // namespace legwork
