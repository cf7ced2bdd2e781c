#include <algorithm>
#include <cmath>

#include "formats/mesh/surface.h"

#include "math/vec.h"

namespace legwork {

namespace {

using Index = std::uint32_t;

constexpr int most_squares = 200, most_steps = 1000;

Index add(Surface& s, const Vec3d& p, const Vec3d& n) {
  s.positions.push_back({float(p.x), float(p.y), float(p.z)});
  s.normals.push_back({float(n.x), float(n.y), float(n.z)});
  return Index(s.positions.size() - 1);
}

// From x0 to x1 along x, with heights z0 and z1.
void add_strip(Surface& s, double x0, double z0, double x1, double z1, const Rectangle& area,
               const Vec3d& n) {
  const Index a = add(s, {x0, area.y0, z0}, n), b = add(s, {x1, area.y0, z1}, n);
  const Index c = add(s, {x1, area.y1, z1}, n), d = add(s, {x0, area.y1, z0}, n);
  s.triangles.push_back({a, b, c});
  s.triangles.push_back({a, c, d});
}

void add_steps(Surface& s, const Terrain& t, const Rectangle& area) {
  double x = area.x0;
  int k = std::max(0, int(std::floor(x / t.run)));
  for (int count = 0; count < most_steps && x < area.x1; ++count, ++k) {
    const double end = std::min(area.x1, (k + 1) * t.run), z = k * t.rise;
    add_strip(s, x, z, end, z, area, {0, 0, 1});
    if (end < area.x1) add_strip(s, end, z, end, z + t.rise, area, {t.rise > 0 ? -1.0 : 1.0, 0, 0});
    x = end;
  }
}

// The area's borders, and between them the lines of the field (every n-th where there are many).
std::vector<double> lines(double from, double to, double first, double cell, int count) {
  std::vector<double> all = {from};
  const int begin = std::max(0, int(std::ceil((from - first) / cell + 1e-9)));
  const int end = std::min(count - 1, int(std::floor((to - first) / cell - 1e-9)));
  const int step = std::max(1, (end - begin + most_squares) / most_squares);
  for (int i = begin; i <= end; i += step) all.push_back(first + i * cell);
  all.push_back(to);
  return all;
}

void add_field(Surface& s, const Terrain& t, const Rectangle& area) {
  const HeightGrid& g = t.grid;
  const std::vector<double> xs = lines(area.x0, area.x1, g.x0, g.cell, g.nx);
  const std::vector<double> ys = lines(area.y0, area.y1, g.y0, g.cell, g.ny);
  const double d = g.cell;
  for (const double y : ys)
    for (const double x : xs) {
      const double slope_x = (sample(t, x + d, y).height - sample(t, x - d, y).height) / (2 * d);
      const double slope_y = (sample(t, x, y + d).height - sample(t, x, y - d).height) / (2 * d);
      add(s, {x, y, sample(t, x, y).height}, normalized(Vec3d{-slope_x, -slope_y, 1}));
    }
  const Index width = Index(xs.size());
  for (Index j = 0; j + 1 < ys.size(); ++j)
    for (Index i = 0; i + 1 < width; ++i) {
      const Index a = j * width + i, b = a + 1, c = a + width, e = c + 1;
      s.triangles.push_back({a, b, e});
      s.triangles.push_back({a, e, c});
    }
}

}  // namespace

Surface ground_surface(const Terrain& terrain, const Rectangle& area) {
  Surface s;
  switch (terrain.type) {
    case TerrainType::none:
      break;
    case TerrainType::plane:
    case TerrainType::slope:
      add_strip(s, area.x0, sample(terrain, area.x0, 0).height, area.x1, sample(terrain, area.x1, 0).height,
                area, terrain.normal);
      break;
    case TerrainType::steps:
      add_steps(s, terrain, area);
      break;
    case TerrainType::field:
      add_field(s, terrain, area);
      break;
  }
  return s;
}

}  // namespace legwork
