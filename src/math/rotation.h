#pragma once
// Rotation vectors: axis times angle in rad.

#include "math/real.h"
#include "math/vec.h"

namespace legwork {

// The rotation by the vector r (angle |r|), as a quaternion.
template <class T>
Quat<T> rotation_quaternion(const Vec3<T>& r) noexcept {
  const T angle = norm(r);
  T s, c;
  sin_cos(T(0.5) * angle, s, c);
  const auto tiny = angle < T(1e-12);
  const T k = select(tiny, T(0.5), s / select(tiny, T(1), angle));
  return {c, r.x * k, r.y * k, r.z * k};
}

// The vector r with rotation_quaternion(r) = q, |r| <= pi.
template <class T>
Vec3<T> rotation_vector(const Quat<T>& q) noexcept {
  const T sign = select(q.w < T(0), T(-1), T(1));
  const Vec3<T> axis(q.x * sign, q.y * sign, q.z * sign);
  const T s = norm(axis);
  const auto tiny = s < T(1e-12);
  const T k = select(tiny, T(2), T(2) * atan2(s, q.w * sign) / select(tiny, T(1), s));
  return axis * k;
}

}  // namespace legwork
