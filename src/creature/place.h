#pragma once
// Where every link of a creature is in one configuration: for set-up, messages and drawings. The dynamics
// room does the same fast and for batches; a test holds the two together.

#include <vector>

#include <legwork/creature.h>
#include "creature/shape.h"
#include "math/spatial.h"

namespace legwork {

struct LinkFrame {
  Mat3d R = Mat3d::identity();  // link to world
  Vec3d p;                      // link origin
};
inline LinkFrame operator*(const LinkFrame& a, const LinkFrame& b) { return {a.R * b.R, a.p + a.R * b.p}; }
inline Vec3d operator*(const LinkFrame& a, const Vec3d& p) { return a.p + a.R * p; }
inline LinkFrame inverse(const LinkFrame& a) { return {transpose(a.R), -transpose_times(a.R, a.p)}; }

// Needs links in order and q of the right length.
std::vector<LinkFrame> place(const Creature& creature, const std::vector<double>& q);

// For every degree of freedom the motion of its link for a unit of v: world axes, about the link's origin.
std::vector<Twist<double>> dof_directions(const Creature& creature, const std::vector<double>& q);

// The velocity (nv) that lifts the tree of a parentless link by 1 m/s, straight up and without a turn, by its
// own freedoms; empty where it cannot rise.
std::vector<double> rising_velocity(const Creature& creature, const std::vector<double>& q, int root);

// How a parentless link goes about in the pose "stand": freely; in the vertical plane that holds its heading
// x (two slides and a hinge along y through its origin, or a planar joint), or otherwise.
enum class Roaming { freely, in_its_plane, otherwise };
Roaming roaming(const Creature& creature, int root);

// The tightest world box around all shapes (of a creature without shapes: around its links' origins).
Box bounding_box(const Creature& creature, const std::vector<double>& q);

// For every degree of freedom, in the pose stand: the inertia that it alone moves while joints beyond it give
// way, as a share of all that lies beyond it. Below no_resistance nothing resists, and no dynamics exist.
inline constexpr double no_resistance = 1e-12;
std::vector<double> dof_resistance(const Creature& creature);

}  // namespace legwork
