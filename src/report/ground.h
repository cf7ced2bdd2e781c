#pragma once
// The terrain as triangles around the creature's way, for the report's page.

#include <array>
#include <cstdint>
#include <vector>

#include "ground/terrain.h"

namespace legwork {

struct GroundMesh {
  std::vector<std::array<float, 3>> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;  // counter-clockwise seen from above
};

// Over the rectangle from `low` to `high` (z is not looked at). Empty for a plane and for no ground.
GroundMesh ground_mesh(const Terrain& terrain, const Vec3d& low, const Vec3d& high);

}  // namespace legwork
