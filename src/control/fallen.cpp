#include "control/fallen.h"

#include "ground/terrain.h"

namespace legwork {

namespace {

constexpr double lowest = 0.5;    // h
constexpr double steepest = 0.5;  // cosine

}  // namespace

bool has_fallen(const LeggedBody& b, const Terrain& terrain, const Workspace<double>& w) noexcept {
  const Vec3d com = center_of_mass(b.system->model, w);
  const Mat3d turned = w.R[size_t(b.root)] * transpose(b.upright);
  return turned(2, 2) < steepest || com.z - sample(terrain, com.x, com.y).height < lowest * b.height;
}

}  // namespace legwork
