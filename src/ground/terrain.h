#pragma once
// Terrain: the ground as a height over (x, y): plane, slope, steps, or a triangulated height field.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "math/vec.h"

namespace legwork {

enum class TerrainType { none, plane, slope, steps, field };

// Heights on a regular grid, each cell two triangles split along the diagonal from its low to its high
// corner.
struct HeightGrid {
  int nx = 0, ny = 0;
  double x0 = 0, y0 = 0, cell = 1;
  std::vector<double> height;  // nx x ny, x fastest
};

// Made by the functions below, so that what is derived (normal) fits what is given (angle).
struct Terrain {
  TerrainType type = TerrainType::plane;
  std::string spec = "plane";  // as the user wrote it
  double height = 0;           // plane; slope: at x = 0
  double angle = 0;            // slope: rises along +x, rad
  Vec3d normal{0, 0, 1};       // plane, slope: unit, upward
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
// way: for stairs that may be through the riser. Negative depth: how far it is from the surface below it.
struct GroundDepth {
  double depth = 0;
  Vec3d normal{0, 0, 1};
};
GroundDepth ground_depth(const Terrain& terrain, const Vec3d& center, double radius) noexcept;

// One syntax for --terrain of all verbs; terrain_choices lists it. Files are io's: load_terrain. Throws
// Error.
Terrain parse_terrain(const std::string& spec);
// The texts that parse_terrain and load_terrain understand, with one line each, for --help.
std::vector<std::pair<std::string, std::string>> terrain_choices();

Terrain no_terrain();
Terrain slope_terrain(double angle);             // rad, below 80 degrees either way
Terrain steps_terrain(double rise, double run);  // m
// A field from a formula of x and y, in squares of `cell` over `width` around the origin.
Terrain formula_terrain(const std::string& formula, double cell = 0.02, double width = 20);
// Hills within +-amplitude: three octaves of value noise, each half as high and half as long as the last.
Terrain rough_terrain(double amplitude, double wavelength, std::uint64_t seed = 1);
// An egg crate: round bumps from 0 to height, one wavelength apart, a hollow at the origin.
Terrain bumps_terrain(double height, double wavelength);
// A field from a grid that the caller made; checks it. who: named in errors.
Terrain field_terrain(HeightGrid grid, const std::string& who);

}  // namespace legwork
