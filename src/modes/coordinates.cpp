#include "modes/coordinates.h"

#include "math/rotation.h"

namespace legwork {

namespace {

// The inverse of turning_of_vector.
Vec3d vector_of_turning(const Vec3d& r, const Vec3d& w) noexcept {
  const double a2 = dot(r, r), half = 0.5 * std::sqrt(a2);
  double s, c;
  sin_cos(half, s, c);
  const double k = a2 < 1e-4 ? 1.0 / 12 + a2 / 720 : (1 - half * c / s) / a2;
  const Vec3d rw = cross(r, w);
  return w + rw * 0.5 + cross(r, rw) * k;
}

}  // namespace

// With a = |r|: w = d - (1 - cos a)/a^2 r x d + (a - sin a)/a^3 r x (r x d), the right Jacobian of SO(3)
// (Chirikjian, Stochastic Models vol. 2, eq. 10.86).
Vec3d turning_of_vector(const Vec3d& r, const Vec3d& d) noexcept {
  const double a2 = dot(r, r), a = std::sqrt(a2);
  double s, c;
  sin_cos(a, s, c);
  const bool small = a < 1e-3;
  const double first = small ? 0.5 - a2 / 24 : (1 - c) / a2,
               second = small ? 1.0 / 6 - a2 / 120 : (a - s) / (a2 * a);
  const Vec3d rd = cross(r, d);
  return d - rd * first + cross(r, rd) * second;
}

void set_positions(const JointForces<double>& j, const double* x, double* q) noexcept {
  for (int i = 0; i < j.nv; ++i)
    if (j.coordinate[i] >= 0) q[j.coordinate[i]] = x[i];
  for (const auto& rotation : j.rotations) {
    const double* r = x + rotation.v;
    const Quatd turned = rotation.reference * rotation_quaternion<double>({r[0], r[1], r[2]});
    double* p = q + rotation.q;
    p[0] = turned.w, p[1] = turned.x, p[2] = turned.y, p[3] = turned.z;
  }
}

void position_rates(const JointForces<double>& j, const double* x, const double* v, double* rate) noexcept {
  for (int i = 0; i < j.nv; ++i)
    if (j.coordinate[i] >= 0) rate[i] = v[i];
  for (const auto& rotation : j.rotations) {
    const int i = rotation.v;
    const Vec3d d = vector_of_turning({x[i], x[i + 1], x[i + 2]}, {v[i], v[i + 1], v[i + 2]});
    for (int k = 0; k < 3; ++k) rate[i + k] = d[k];
  }
}

void velocities_of_rates(const JointForces<double>& j, const double* x, const double* rate,
                         double* v) noexcept {
  for (int i = 0; i < j.nv; ++i)
    if (j.coordinate[i] >= 0) v[i] = rate[i];
  for (const auto& rotation : j.rotations) {
    const int i = rotation.v;
    const Vec3d w = turning_of_vector({x[i], x[i + 1], x[i + 2]}, {rate[i], rate[i + 1], rate[i + 2]});
    for (int k = 0; k < 3; ++k) v[i + k] = w[k];
  }
}

}  // namespace legwork
