#pragma once
// Controllers as laws for the second derivative of a quantity (figure 3 and figure 7 of Stewart and Cremer).
//
//   PD       a + 2 v / tau + (x - x_d) / tau^2 = 0: critically damped. From rest the error after a time t is
//            (1 + t / tau) e^(-t / tau) of what it was. The paper's tau = -dt / log(0.01) makes that
//            (1 + log 100) / 100 = 5.6 % after dt, though its text says 1 %; pd_tau(dt, 0.01) is the tau that
//            leaves 1 %.
//   quintic  the polynomial of degree five from the present position, velocity and acceleration to the wanted
//            position and velocity without acceleration, so that acceleration jumps nowhere. A
//            deviation from it is pulled back as by a PD controller.

#include "math/vec.h"

namespace legwork {

// Figure 3's tau.
double paper_tau(double dt);
// The tau that leaves this share of the error after dt, from rest; 0 < within < 1.
double pd_tau(double dt, double within);

// A polynomial of degree five for each of three components.
struct Quintic {
  double start = 0, length = 0;  // s
  Vec3d c[6];                    // position = sum c_i (t - start)^i
  Vec3d over;                    // and a bump 64 over s^3 (1 - s)^3 for s from 0 to 1
  // Beyond the end: on with the final velocity.
  void at(double time, Vec3d& x, Vec3d& v, Vec3d& a) const;
};
Quintic make_quintic(double start, double length, const Vec3d& x0, const Vec3d& v0, const Vec3d& a0,
                     const Vec3d& x1, const Vec3d& v1);

// The rotation vector of R (angle below pi), and back.
Vec3d rotation_vector(const Mat3d& R);
Mat3d rotation_matrix(const Vec3d& r);
// With R = exp(r) and the angular velocity w = A(r) dr/dt in world axes: A, its inverse, and dA/dt dr/dt.
Vec3d turn_rate(const Vec3d& r, const Vec3d& rate);
Vec3d rate_of_turn(const Vec3d& r, const Vec3d& w);
Vec3d turn_bias(const Vec3d& r, const Vec3d& rate);

}  // namespace legwork
