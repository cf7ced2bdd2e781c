#pragma once
// The ways of the feet as motor programs: back in stance, forward in a step, and around the middle to turn.

#include <vector>

#include "walk/stance_geometry.h"

namespace legwork {

// Postures (nv values) along the ways of a foot: [0] on the spot, [1] ahead, [2] turning left.
struct FootWays {
  std::vector<std::vector<double>> stance[3], step[3];
};

// The middle of all homes, and their mean distance from it, m.
struct HomeCircle {
  Vec3d middle;
  double radius = 0;
};
HomeCircle home_circle(const std::vector<Vec3d>& homes);

// arm: m, from what the body turns around to the foot.
FootWays foot_ways(LegKinematics& kinematics, const Leg& leg, size_t i, const StanceGeometry& stand,
                   double stride, double lift, const Vec3d& arm, double radius);
// The leg's programs through those points. In stance its springs rest beyond the posture by bend, one for
// each of its dofs: what the load asks for.
void set_strokes(const FootWays& ways, const std::vector<double>& bend, WalkLeg& leg);

// Makes the strokes of a body that brings its programs agree: every foot goes straight back over level
// ground, all by the same way (the longest of theirs that all can follow), and forward in an arc; turning
// carries each around the middle. Feet that pull against each other, as the roach's do, slip instead of
// walking. standing: the configuration in which it stands on its springs, all at the middle of their stance.
void align_strokes(const Creature& creature, const std::vector<double>& standing, WalkBody& body);

}  // namespace legwork
