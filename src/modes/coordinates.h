#pragma once
// Joint coordinates: the positions x of sim/joints.h (angles, lengths, rotation vectors of balls), in which
// springs act, modes are expressed and equation 4 adds up; and the return from them to a configuration q.

#include <vector>

#include "sim/joints.h"

namespace legwork {

// q from x: the inverse of joint_positions.
void set_positions(const JointForces<double>& joints, const double* x, double* q) noexcept;

// dx/dt from v, in place of x's own derivative: the matrix R of the paper, block by block. v and rate may be
// the same.
void position_rates(const JointForces<double>& joints, const double* x, const double* v,
                    double* rate) noexcept;
// v from dx/dt.
void velocities_of_rates(const JointForces<double>& joints, const double* x, const double* rate,
                         double* v) noexcept;

// Angular velocity (link axes) of a rotation vector r that changes at rate d:
//   w = d - b r x d + c r x (r x d), with b and c by the angle.
Vec3d turning_of_vector(const Vec3d& r, const Vec3d& d) noexcept;

}  // namespace legwork
