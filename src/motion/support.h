#pragma once
// The support polygon, seen from above.

#include <vector>

#include "math/vec.h"

namespace legwork {

// Convex hull of points in the plane z = 0, counter-clockwise; z is ignored.
std::vector<Vec3d> convex_hull_2d(std::vector<Vec3d> points);

// Distance from p to the hull's edge: positive inside, negative outside; a hull of one or two points has no
// inside.
double support_margin(const std::vector<Vec3d>& hull, const Vec3d& p);

}  // namespace legwork
