#pragma once
// What the parts of the controller agree on. Lengths in h, times in 1/w, speeds in sqrt(g h).

#include "control/polygon.h"
#include "math/rotation.h"

namespace legwork::controller {

inline constexpr int horizon_nodes = 40;
inline constexpr double searching_speed = 0.3;  // of a foot that has not found the ground in time
inline constexpr double inset = 0.04;           // h: pressure stays this far inside the hull
inline constexpr double kappa = 1.5;            // how much faster than it grows an error of xi shrinks
inline constexpr double freeze = 0.15;          // before landing from which a foothold is kept

inline Mat3d about_z(double yaw) { return matrix(rotation_quaternion(Vec3d(0, 0, yaw))); }

}  // namespace legwork::controller
