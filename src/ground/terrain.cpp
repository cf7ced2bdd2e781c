#include "ground/terrain.h"

#include <cmath>

#include "math/real.h"
#include "math/vec.h"

namespace legwork {

namespace {

// The cell that holds a coordinate: its index, and how far into it, 0 to 1. Outside the grid (and for a
// number that is none) the nearest edge.
struct Place {
  int index = 0;
  double fraction = 0;
  bool outside = false;
};
Place place(double x, double x0, double cell, int n) {
  const double s = (x - x0) / cell;
  if (!(s >= 0)) return {0, 0, true};
  if (s > n - 1) return {n - 2, 1, true};
  const int index = s < n - 1 ? int(s) : n - 2;
  return {index, s - index, false};
}

GroundSample sample_field(const HeightGrid& g, double x, double y) {
  const Place px = place(x, g.x0, g.cell, g.nx), py = place(y, g.y0, g.cell, g.ny);
  const double* row = g.height.data() + std::size_t(py.index) * g.nx + px.index;
  const double h00 = row[0], h10 = row[1], h01 = row[g.nx], h11 = row[g.nx + 1];
  const bool lower = px.fraction >= py.fraction;  // the triangle below the diagonal
  const double dx = lower ? h10 - h00 : h11 - h01, dy = lower ? h11 - h10 : h01 - h00;
  GroundSample s;
  s.height = h00 + (px.fraction * dx + py.fraction * dy);
  const double gx = px.outside ? 0 : dx / g.cell, gy = py.outside ? 0 : dy / g.cell;
  s.normal = normalized(Vec3d{-gx, -gy, 1});
  return s;
}

// Number of the step whose tread lies under x; 0 is the floor in front of the stairs.
double step_number(const Terrain& t, double x) {
  const double k = std::floor(x / t.run);
  return k > 0 ? k : 0;
}

// The solid is what lies below the treads. From the tread under the centre and the riser in front of it a
// ball is pushed by both, as by two springs: the vector of depths adds up. A centre inside the solid leaves
// through the tread above or the riser behind, whichever is nearer.
GroundDepth steps_depth(const Terrain& t, const Vec3d& c, double radius) {
  const double k = step_number(t, c.x);
  const double tread = k * t.rise;
  const double up = tread - c.z;  // > 0: the centre is below the tread
  if (up > 0 && k > 0 && t.rise > 0 && c.z > tread - t.rise) {
    const double back = c.x - k * t.run;
    if (back < up) return {back + radius, {-1, 0, 0}};
  }
  if (up > 0 && t.rise < 0 && c.z > tread + t.rise) {  // stairs that descend: the riser is ahead
    const double ahead = (k + 1) * t.run - c.x;
    if (ahead < up) return {ahead + radius, {1, 0, 0}};
  }
  const GroundDepth on_tread{up + radius, {0, 0, 1}};
  if (radius <= 0 || up > 0) return on_tread;
  // nearest point of the riser's edge or face: ahead for stairs that rise, behind for those that descend
  const bool rising = t.rise > 0;
  if (!rising && k == 0) return on_tread;
  const double edge_x = rising ? (k + 1) * t.run : k * t.run;
  const double edge_z = rising ? tread + t.rise : tread - t.rise;
  const double dx = c.x - edge_x, dz = c.z > edge_z ? c.z - edge_z : 0;
  const double distance = std::sqrt(dx * dx + dz * dz);
  const double side = radius - distance;
  if (side <= 0 || distance == 0) return on_tread;
  const Vec3d out{dx / distance, 0, dz / distance};
  if (on_tread.depth <= 0) return {side, out};
  const Vec3d both = out * side + on_tread.normal * on_tread.depth;
  const double depth = norm(both);
  return {depth, both * (1 / depth)};
}

}  // namespace

GroundSample sample(const Terrain& t, double x, double y) noexcept {
  switch (t.type) {
    case TerrainType::none:
      return {-1e300, {0, 0, 1}};
    case TerrainType::plane:
    case TerrainType::slope:
      return {t.height - (t.normal.x * x + t.normal.y * y) / t.normal.z, t.normal};
    case TerrainType::steps:
      return {step_number(t, x) * t.rise, {0, 0, 1}};
    case TerrainType::field:
      return sample_field(t.grid, x, y);
  }
  return {};
}

GroundDepth ground_depth(const Terrain& t, const Vec3d& c, double radius) noexcept {
  switch (t.type) {
    case TerrainType::none:
      return {-1e300, {0, 0, 1}};
    case TerrainType::plane:
    case TerrainType::slope:
      return {radius - (t.normal.x * c.x + t.normal.y * c.y + t.normal.z * (c.z - t.height)), t.normal};
    case TerrainType::steps:
      return steps_depth(t, c, radius);
    case TerrainType::field: {
      const GroundSample s = sample_field(t.grid, c.x, c.y);
      return {radius + (s.height - c.z) * s.normal.z, s.normal};
    }
  }
  return {};
}

}  // namespace legwork
