#include "control/fallen.h"

#include "motion/fallen.h"

namespace legwork {

bool has_fallen(const LeggedBody& b, const Terrain& terrain, const Workspace<double>& w) noexcept {
  return has_fallen({b.root, b.upright, b.height}, b.system->model, terrain, w);
}

}  // namespace legwork
