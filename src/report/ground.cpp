#include "report/ground.h"

#include <algorithm>
#include <cmath>

namespace legwork {

namespace {

constexpr int most_cells = 160;  // along one side: 51 200 triangles at most, about 1 MB of page

void add_quad(GroundMesh& mesh, const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
  const auto first = std::uint32_t(mesh.vertices.size());
  for (const Vec3d& p : {a, b, c, d}) mesh.vertices.push_back({float(p.x), float(p.y), float(p.z)});
  mesh.triangles.push_back({first, first + 1, first + 2});
  mesh.triangles.push_back({first, first + 2, first + 3});
}

// Treads and risers as they are: samples on a grid would make ramps of them.
GroundMesh stairs(const Terrain& terrain, const Vec3d& low, const Vec3d& high) {
  GroundMesh mesh;
  const double run = std::max(terrain.run, (high.x - low.x) / 2000);
  double x = low.x, z_before = 0;
  for (bool first = true; x < high.x; first = false) {
    const double next = std::max((std::floor(x / run + 1e-9) + 1) * run, x + 1e-9 * run);
    const double end = std::min(next, high.x);
    const double z = sample(terrain, 0.5 * (x + end), 0).height;
    if (!first && z != z_before)
      add_quad(mesh, {x, high.y, z_before}, {x, low.y, z_before}, {x, low.y, z}, {x, high.y, z});
    add_quad(mesh, {x, low.y, z}, {end, low.y, z}, {end, high.y, z}, {x, high.y, z});
    x = end, z_before = z;
  }
  return mesh;
}

// On the field's own grid where that is not too fine.
GroundMesh field(const Terrain& terrain, const Vec3d& low, const Vec3d& high) {
  GroundMesh mesh;
  const HeightGrid& grid = terrain.grid;
  const double side = std::max(high.x - low.x, high.y - low.y);
  const double cell = grid.cell * std::max(1.0, std::ceil(side / grid.cell / most_cells));
  const auto first = [&](double from, double zero) { return zero + std::floor((from - zero) / cell) * cell; };
  const double x0 = first(low.x, grid.x0), y0 = first(low.y, grid.y0);
  const int nx = int(std::ceil((high.x - x0) / cell)) + 1, ny = int(std::ceil((high.y - y0) / cell)) + 1;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const double x = x0 + i * cell, y = y0 + j * cell;
      mesh.vertices.push_back({float(x), float(y), float(sample(terrain, x, y).height)});
    }
  for (int j = 0; j + 1 < ny; ++j)
    for (int i = 0; i + 1 < nx; ++i) {
      const auto a = std::uint32_t(j * nx + i), b = a + 1, c = a + std::uint32_t(nx) + 1, d = c - 1;
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
    }
  return mesh;
}

}  // namespace

GroundMesh ground_mesh(const Terrain& terrain, const Vec3d& low, const Vec3d& high) {
  GroundMesh mesh;
  switch (terrain.type) {
    case TerrainType::none:
    case TerrainType::plane:
      break;
    case TerrainType::slope: {
      const auto at = [&](double x, double y) { return Vec3d{x, y, sample(terrain, x, y).height}; };
      add_quad(mesh, at(low.x, low.y), at(high.x, low.y), at(high.x, high.y), at(low.x, high.y));
      break;
    }
    case TerrainType::steps:
      mesh = stairs(terrain, low, high);
      break;
    case TerrainType::field:
      mesh = field(terrain, low, high);
      break;
  }
  return mesh;
}

}  // namespace legwork
