#pragma once
// A body as a whole: how it moves, and the forces of the ground that would move it otherwise.

#include "dynamics/model.h"

namespace legwork {

// Velocity of the centre of mass, and the turning of all masses together: angular momentum over inertia. A
// control that damps a single link's turning instead shakes the light links next to it.
struct MeanMotion {
  Vec3d velocity, spin;  // m/s, rad/s, world axes
};
MeanMotion mean_motion(const Model<double>& m, const Workspace<double>& w) noexcept;

// A point on which the body stands, and the force that the ground should give there.
struct SupportPoint {
  Vec3d arm;     // m, from the point about which the wanted wrench is expressed, world axes
  Vec3d normal;  // the ground's, unit length
  Vec3d force;   // N, world axes; where the search starts, so that it may go on from the last time
};

// Forces at the points that sum up to the wanted wrench as nearly as they can, none pulling, none beyond the
// friction (a pyramid along the ground's axes), preferring small ones: projected Gauss-Seidel. weight (N) and
// size (m) make forces and moments comparable.
void share_wrench(const Wrench<double>& wanted, double weight, double size, double friction,
                  SupportPoint* points, int count) noexcept;

}  // namespace legwork
