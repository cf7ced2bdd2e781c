#include "direct/law.h"

#include <algorithm>

#include "math/rotation.h"

namespace legwork {

double paper_tau(double dt) { return dt / 4.60517018598809136804; }

double pd_tau(double dt, double within) {
  // (1 + u) e^-u falls from 1 to 0: u by bisection, once for each equation
  double low = 0, high = 60;
  for (int i = 0; i < 80; ++i) {
    const double u = 0.5 * (low + high);
    ((1 + u) * exp(-u) > within ? low : high) = u;
  }
  return dt / high;
}

void Quintic::at(double time, Vec3d& x, Vec3d& v, Vec3d& a) const {
  const double t = std::clamp(time - start, 0.0, length), late = std::max(0.0, time - start - length);
  x = c[5], v = c[5] * 5.0, a = c[5] * 20.0;
  for (int i = 4; i >= 0; --i) {
    x = x * t + c[i];
    if (i >= 1) v = v * t + c[i] * double(i);
    if (i >= 2) a = a * t + c[i] * double(i * (i - 1));
  }
  if (late > 0) {
    x += v * late, a = {};
    return;
  }
  const double s = t / length, r = 1 - s, sr = s * r;
  x += over * (64 * sr * sr * sr);
  v += over * (192 * sr * sr * (r - s) / length);
  a += over * (384 * sr * ((r - s) * (r - s) - sr) / (length * length));
}

Quintic make_quintic(double start, double T, const Vec3d& x0, const Vec3d& v0, const Vec3d& a0,
                     const Vec3d& x1, const Vec3d& v1) {
  Quintic p{start, T, {x0, v0, a0 * 0.5, {}, {}, {}}, {}};
  const Vec3d d = x1 - x0 - v0 * T - a0 * (0.5 * T * T);  // what is left of position ...
  const Vec3d e = v1 - v0 - a0 * T, f = -a0;              // ... velocity and acceleration
  const double T2 = T * T, T3 = T2 * T;
  p.c[3] = (d * 10.0 - e * (4 * T) + f * (0.5 * T2)) * (1 / T3);
  p.c[4] = (d * -15.0 + e * (7 * T) - f * T2) * (1 / (T3 * T));
  p.c[5] = (d * 6.0 - e * (3 * T) + f * (0.5 * T2)) * (1 / (T3 * T2));
  return p;
}

Vec3d rotation_vector(const Mat3d& R) { return rotation_vector(quaternion(R)); }

namespace {

// a = sin t / t, b = (1 - cos t) / t^2, c = (t - sin t) / t^3 and the derivatives of b and c by t, over t.
struct Series {
  double a, b, c, db, dc;
  explicit Series(double t2) {
    if (t2 < 1e-4) {
      a = 1 - t2 / 6, b = 0.5 - t2 / 24, c = 1.0 / 6 - t2 / 120;
      db = -1.0 / 12 + t2 / 180, dc = -1.0 / 60 + t2 / 1260;
      return;
    }
    const double t = std::sqrt(t2);
    double s, k;
    sin_cos(t, s, k);
    a = s / t, b = (1 - k) / t2, c = (t - s) / (t2 * t);
    db = (s / t - 2 * b) / t2, dc = (b - 3 * c) / t2;
  }
};

}  // namespace

Mat3d rotation_matrix(const Vec3d& r) {
  const Series f(dot(r, r));
  const Mat3d K = skew(r);
  return combine(Mat3d::identity(), K, f.a, K * K, f.b);
}

Vec3d turn_rate(const Vec3d& r, const Vec3d& rate) {
  const Series f(dot(r, r));
  const Vec3d x = cross(r, rate);
  return rate + x * f.b + cross(r, x) * f.c;
}

Vec3d rate_of_turn(const Vec3d& r, const Vec3d& w) {
  // A^-1 = 1 - K/2 + (1/t^2 - (1 + cos t) / (2 t sin t)) K^2
  const double t2 = dot(r, r);
  const Vec3d x = cross(r, w);
  double e = 1.0 / 12 + t2 / 720;
  if (t2 > 1e-4) {
    const double t = std::sqrt(t2);
    double s, k;
    sin_cos(t, s, k);
    e = 1 / t2 - (1 + k) / (2 * t * s);
  }
  return w - x * 0.5 + cross(r, x) * e;
}

Vec3d turn_bias(const Vec3d& r, const Vec3d& rate) {
  const Series f(dot(r, r));
  const Vec3d x = cross(r, rate);
  const double td = dot(r, rate);  // t dt/dt
  return x * (f.db * td) + cross(r, x) * (f.dc * td) + cross(rate, x) * f.c;
}

}  // namespace legwork
