#pragma once
// Terrain: the ground as a height over (x, y): plane, slope, steps, or a triangulated height field.

#include <string>
#include <vector>

#include "legwork/math/vec.h"

namespace legwork {

enum class TerrainType { none, plane, slope, steps, field };

// Heights on a regular grid, each cell two triangles split along the diagonal from its low to its high
// corner.
struct HeightGrid {
  int nx = 0, ny = 0;
  double x0 = 0, y0 = 0, cell = 1;
  std::vector<double> height;  // nx x ny, x fastest
};

struct Terrain {
  TerrainType type = TerrainType::plane;
  std::string spec = "plane";  // as the user wrote it
  double height = 0;           // plane
  double angle = 0;            // slope: rises along +x, rad
  double rise = 0, run = 0;    // steps: stairs along +x from x = run on
  HeightGrid grid;             // field; the edge heights continue outside
};

// Ground height and unit upward normal under a point.
struct GroundSample {
  double height = 0;
  Vec3d normal{0, 0, 1};
};
GroundSample sample(const Terrain& terrain, double x, double y) noexcept;

// The texts that parse_terrain understands, with one line each, for --help.
std::vector<std::pair<std::string, std::string>> terrain_choices();

}  // namespace legwork
