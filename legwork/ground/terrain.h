#pragma once
// Terrain: the ground as a height over (x, y): plane, slope, steps, or a triangulated height field.

#include <string>
#include <utility>
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

// How deep a ball (or a point: radius 0) lies in the ground, and the unit normal that leads out the shortest
// way: for stairs that may be through the riser. Negative depth: how far above (as far as is known: at least
// the distance to the surface below).
struct GroundDepth {
  double depth = 0;
  Vec3d normal{0, 0, 1};
};
GroundDepth ground_depth(const Terrain& terrain, const Vec3d& center, double radius) noexcept;

// One syntax for --terrain of all verbs; terrain_choices lists it. Files are io's: load_terrain. Throws
// Error.
Terrain parse_terrain(const std::string& spec);

// A field from a formula of x and y (base/expression.h), or from the numbers of a grid.
Terrain formula_terrain(const std::string& formula, double cell, double half_width);

// The texts that parse_terrain understands, with one line each, for --help.
std::vector<std::pair<std::string, std::string>> terrain_choices();

}  // namespace legwork
