#pragma once
// The height of the ground, and how deep a ball lies in it.

#include <legwork/world.h>

namespace legwork {

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

}  // namespace legwork
