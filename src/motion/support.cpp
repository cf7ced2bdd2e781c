#include "motion/support.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/scalar.h"

namespace legwork {

namespace {

// Twice the area of a, b, c; positive when they turn left.
double turn(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

double distance_to_segment(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
  const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
  double t = length2 > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2 : 0;
  t = std::clamp(t, 0.0, 1.0);
  return hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

}  // namespace

// Andrew's monotone chain.
std::vector<Vec3d> convex_hull_2d(std::vector<Vec3d> points) {
  std::sort(points.begin(), points.end(),
            [](const Vec3d& a, const Vec3d& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  points.erase(std::unique(points.begin(), points.end(),
                           [](const Vec3d& a, const Vec3d& b) { return a.x == b.x && a.y == b.y; }),
               points.end());
  if (points.size() < 3) return points;
  std::vector<Vec3d> hull;
  for (int pass = 0; pass < 2; ++pass) {
    const size_t start = hull.size();
    for (const Vec3d& p : points) {
      while (hull.size() >= start + 2 && turn(hull[hull.size() - 2], hull.back(), p) <= 0) hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

double support_margin(const std::vector<Vec3d>& hull, const Vec3d& p) {
  double nearest = std::numeric_limits<double>::infinity();
  bool inside = hull.size() >= 3;
  for (size_t i = 0; i < hull.size(); ++i) {
    const Vec3d &a = hull[i], &b = hull[(i + 1) % hull.size()];
    nearest = std::min(nearest, distance_to_segment(p, a, b));
    if (turn(a, b, p) < 0) inside = false;
  }
  return inside ? nearest : -nearest;
}

}  // namespace legwork
