#pragma once
// What a controller knows of a body on legs, measured once: legs, soles, how far they reach, and the units in
// which everything else is expressed: height h, weight, rate w = sqrt(g / h).

#include <algorithm>
#include <vector>

#include "sim/simulation.h"

namespace legwork {

struct LimbOfBody {
  int hip = -1, foot = -1;     // links
  std::vector<int> dofs;       // from the hip to the foot
  std::vector<int> spine;      // between the root and the hip, the root's own left out
  std::vector<int> sites;      // contact points that bear: the corners of the sole
  std::vector<int> all_sites;  // contact points of the leg
  Vec3d sole;                  // middle of the contact points, foot's frame, m
  double ankle = 0;            // m: height of that point over the ground when the body stands
  double mass = 0;             // kg, from the hip on
  double size = 0;             // m: from the middle of the sole to its furthest corner; 0 = a point
  Mat3d flat;                  // the foot's axes when the body stands, heading along x
  Vec3d home;        // from the point below the centre of mass to the sole's ground, heading along x
  Vec3d hip_point;   // hip's origin in the root's frame when the body stands
  double reach = 0;  // m: furthest that the sole gets from the hip, towards its home
  double side = 0;   // 1 left of the middle, -1 right of it, 0 in it
};

struct LeggedBody {
  const System<double>* system = nullptr;
  int root = 0, root_q = 0, root_v = 0;
  // 3: it moves in the vertical plane that holds its heading, and something holds it there
  int root_dofs = 6;
  double mass = 0, weight = 0, gravity = 0;  // kg, N, m/s^2
  double height = 0;  // m, h: of the centre of mass over the soles as the body is to stand
  double rate = 0;    // 1/s, w
  std::vector<LimbOfBody> legs;
  std::vector<int> posture;           // degrees of freedom that are neither the root's nor a leg's
  std::vector<double> q, x;           // how it stands: configuration (soles on the plane z = 0), joints
  Mat3d upright;                      // the root's axes then, heading along x
  Vec3d com;                          // centre of mass from the root's origin, heading axes
  std::vector<double> most_torque;    // nv
  std::vector<double> lower, upper;   // nv: ranges that are used
  double stroke = 0;                  // m: how far a foot can go along the ground while it stands
  double flat_stroke = 0;             // m: the same while its sole stays flat
  double lift = 0;                    // m: how far all its feet can be lifted, as far as it matters
  double crouch = 0;                  // m: how much lower than its pose stand it is to stand
  double lowest = 0;                  // m: how much lower still it can go and lift its feet
  double spread_x = 0, spread_y = 0;  // m: mean distance of the homes from their middle, along and across

  bool planar() const { return root_dofs == 3; }
  bool of_root(int dof) const { return dof >= root_v && dof < root_v + root_dofs; }
};

// m: how high a foot lifts where nothing else is asked for.
inline double usual_lift(const LeggedBody& body) {
  return std::clamp(body.lift, 0.04 * body.height, 0.12 * body.height);
}

// strength: nv, what the motors of each degree of freedom give together, 0 where there are none
// (creature/strength.h); empty: no motors. Joints without any may use 0.9 weights at the leg's length. The
// system itself should have no actuators: the controller's torques take their place. Throws Error for a leg
// that carries no foot to the ground.
LeggedBody make_legged_body(const System<double>& system, const std::vector<double>& strength);

// The plane that fits the ground best around a point: its height there, and how it rises along x and y.
struct GroundPlane {
  double height = 0, x = 0, y = 0;
  double at(const Vec3d& from, double px, double py) const {
    return height + x * (px - from.x) + y * (py - from.y);
  }
};
GroundPlane fit_ground(const LeggedBody& body, const Terrain& terrain, const Vec3d& around, double yaw);

// How the trunk tilts over sloping ground: with it as far as its feet stand apart, so that long bodies lie
// along a slope and bodies on two feet stay upright.
Mat3d trunk_tilt(const LeggedBody& body, const GroundPlane& plane, double yaw);

// How far the feet go along with the tilted trunk, heading axes: their homes below a point of sloping ground
// lie where the trunk's own down meets it, as far as the feet stand apart, so that legs keep their range.
Vec3d lean(const LeggedBody& body, const GroundPlane& plane, double yaw);

// The body laid on the ground: its centre of mass over a point, every foot down where its home is, the trunk
// tilted with them. Returns the configuration.
std::vector<double> lay_on(const LeggedBody& body, const Terrain& terrain, const Vec3d& under, double yaw);

}  // namespace legwork
