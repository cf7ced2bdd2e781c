#pragma once
// Convex hull of a cloud of points.

#include <legwork/creature.h>

namespace legwork {

struct Hull {
  // 3: a solid. 2, 1, 0: all points lie in a plane, on a line, at one place (within 1e-8 of the cloud's
  // size); then there are no triangles and no planes.
  int dimension = 0;
  std::vector<int> vertices;                  // indices of the points on the hull, ascending
  std::vector<std::array<int, 3>> triangles;  // indices into the points, counterclockwise seen from outside
  std::vector<Plane> planes;                  // one a face; coplanar triangles share one
};

// Points that are not finite give a hull of nothing.
Hull convex_hull(const std::vector<Vec3d>& points);

}  // namespace legwork
