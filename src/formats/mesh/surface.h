#pragma once
// The drawn surface of a shape: triangles with normals, for glTF and pictures. Round shapes are smooth, edges
// of boxes and cylinders sharp; given meshes are smooth except across edges sharper than 40 degrees.

#include <array>
#include <cstdint>
#include <vector>

#include <legwork/creature.h>
#include "ground/terrain.h"

namespace legwork {

// Shape frame, metres; triangles counter-clockwise seen from outside.
struct Surface {
  std::vector<std::array<float, 3>> positions, normals;  // one normal for each position, of unit length
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

Surface smooth_surface(const Shape& shape);

// The ground over a rectangle, world frame: fields with their own triangles as far as 200 x 200 squares go,
// stairs with their risers. Nothing for no terrain.
struct Rectangle {
  double x0 = -1, x1 = 1, y0 = -1, y1 = 1;
};
Surface ground_surface(const Terrain& terrain, const Rectangle& area);

}  // namespace legwork
