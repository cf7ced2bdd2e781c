#pragma once
// A limb as reach sees it: the joints from the girdle to the foot, each degree of freedom with its range, and
// where the foot stands. Kinematics only.
//
// A functional degree of freedom (Wills 2008) is one coordinate of a joint with a range: a path of a
// keyframed joint, a hinge, a slide, an axis of a universal joint, or a component of a ball's rotation
// vector. Foot and girdle change roles: the foot is fixed on the ground, and every configuration says where
// the girdle is.

#include <string>
#include <vector>

#include <legwork/methods.h>
#include "creature/place.h"

namespace legwork::reaching {

struct Fdof {
  std::string name;
  int q = 0;                 // coordinate of the chain; for a ball: the first of its quaternion
  int part = -1;             // component of a ball's rotation vector, else -1
  int link = 0;              // index in the chain
  bool translation = false;  // sampled by metres, not by angle
  double lower = 0, upper = 0;
  double excursion = 0;  // rad or m from end to end; for a path both halves, Euclidean norm of the angles
  double rest = 0;       // in the pose stand
  bool used = true;      // else it stays at rest

  // From -1 at the lower end of the range to 1 at the upper.
  double normalized(double value) const {
    return upper > lower ? -1 + 2 * (value - lower) / (upper - lower) : 0;
  }
  double value(double normalized) const { return lower + (normalized + 1) / 2 * (upper - lower); }
};

// A rigid placement: x -> R x + p.
using Placement = LinkFrame;
// Images in the plane y = 0.
inline Vec3d image(const Vec3d& v) { return {v.x, -v.y, v.z}; }
inline Placement image(const Placement& a) {
  Placement b{a.R, image(a.p)};
  b.R(0, 1) = -b.R(0, 1), b.R(1, 0) = -b.R(1, 0), b.R(1, 2) = -b.R(1, 2), b.R(2, 1) = -b.R(2, 1);
  return b;
}

// Turns of a root element: R = Rz(yaw) Ry(pitch) Rx(roll); pitch > 0 is nose down, yaw > 0 to the left,
// roll > 0 to the right.
struct Turns {
  double pitch = 0, yaw = 0, roll = 0;
};
Turns turns_of(const Mat3d& R) noexcept;
Mat3d matrix_of(const Turns& turns) noexcept;

// Axis times angle, and the angle, of a rotation by less than half a turn, from the matrix's skew part.
Vec3d rotation_vector(const Mat3d& R) noexcept;
double rotation_angle(const Mat3d& R) noexcept;

struct Limb {
  std::string name;               // the leg's name
  std::string girdle;             // "hind", "fore", ...
  Creature chain;                 // the girdle's link fixed at the origin, and the limb's links
  std::vector<Fdof> fdofs;        // from the girdle outward
  std::vector<std::string> held;  // degrees of freedom without a range: as in the pose stand
  std::vector<int> links;         // index in the creature, for each link of the chain
  std::vector<int> coordinates;   // index in the creature's q, for each of the chain's beyond the girdle
  std::vector<double> rest_q;     // coordinates of the chain at rest
  Vec3d root;                     // watched point of the girdle, girdle frame
  Mat3d girdle_stand = Mat3d::identity();  // girdle frame in the world, pose stand
  Vec3d root_stand;                        // watched point in the world, pose stand, x forward
  Placement foot_stand;                    // foot in the world relative to (root_stand.x, 0, root_stand.z)
  Vec3d sole;                              // foot frame
  bool pivots = false;    // the foot is a point, on which it turns freely: the last three fdofs are the
                          // root's roll, pitch and yaw
  double hip_height = 0;  // the creature's, m

  // The chain's configuration for values of all fdofs.
  std::vector<double> configuration(const std::vector<double>& values) const;
  // Foot in the girdle's frame.
  Placement foot(const std::vector<double>& q) const;
};

// How the foot stands: turned outward by yaw, its sole half a width from the sagittal plane.
struct Footing {
  double yaw = 0;     // rad, outward
  double width = -1;  // m between left and right soles; < 0: as in the pose stand
};
// The foot on the ground in the limb's travel frame: x from the standing root forward, y from the sagittal
// plane to the left, z from the standing root up.
Placement planted(const Limb& limb, const Footing& footing);

// Where the girdle is while the foot is planted: displacement of the watched point from standing, lateral
// from the sagittal plane, and its turns from standing (appendix F).
struct RootPose {
  Vec3d at;
  Turns turns;
};
RootPose root_pose(const Limb& limb, const Placement& foot, const std::vector<double>& values);
RootPose image(const RootPose& pose);

// A pair of legs and what carries them.
struct Girdle {
  std::string name;
  int link = 0;             // index in the creature
  int right = 0, left = 0;  // legs of the creature
  Limb limb;                // the right one
  // The left leg's coordinates of the creature's q for each of the chain, and the sign that mirrors them.
  std::vector<int> left_coordinates;
  std::vector<double> left_sign;
};

// What holds a foot: its whole sole, or one point on which it turns. Automatic: a point for legs of fewer
// than five degrees of freedom, which could hardly ever keep a sole flat.
using Foot = ReachOptions::Foot;

// The creature's girdles, hind first, then forward. Throws Error where a body lacks legs in pairs, ranges, or
// joints that have no range at all; `only` (hind, fore, mid; empty: all) chooses one.
std::vector<Girdle> girdles_of(const Creature& creature, const std::string& only,
                               Foot foot = Foot::automatic);

}  // namespace legwork::reaching
