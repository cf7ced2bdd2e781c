#pragma once
// sin, cos, exp and atan2 with the same bits on every machine, scalar or batch.
//
// libm's functions differ in the last bits between versions and have no batch form. These use only
// + - * / sqrt and exact bit moves, in one fixed order, on double and Batch alike. Taylor polynomials on a
// reduced argument; errors stay within 2 units in the last place (measured in the tests) for sin and cos up
// to |x| = 1e6, for exp over its whole range.

#include <bit>
#include <cstdint>

#include "math/batch.h"

namespace legwork {

inline constexpr double pi = 3.14159265358979323846;

namespace real_detail {

// Adding and subtracting 1.5 * 2^52 rounds to the nearest integer (ties to even) for |x| < 2^51.
inline constexpr double round_magic = 0x1.8p52;

template <class T>
T round_nearest(const T& x) {
  const T shifted = x + T(round_magic);
  return shifted - T(round_magic);
}

// 2^k for an integer-valued k in [-1022, 1023]: k's integer sits in the low bits of k + round_magic.
inline double power_of_two(double k) {
  const auto bits = std::bit_cast<std::uint64_t>(k + round_magic);
  return std::bit_cast<double>((bits + 1023) << 52);
}
inline Batch power_of_two(const Batch& k) {
  const Batch::Mask bits = (Batch::Mask)(k + Batch(round_magic)).v;
  return (Batch::Lanes)((bits + 1023) << 52);
}

// Taylor sums after Estrin: two interleaved Horner chains in z^2 halve the latency.
template <class T>
T sin_polynomial(const T& r, const T& z) {
  const T zz = z * z;
  const T even =
      (T(-1.0 / 6) + zz * (T(-1.0 / 5040) + zz * (T(-1.0 / 39916800) + zz * T(-1.0 / 1307674368000))));
  const T odd =
      (T(1.0 / 120) + zz * (T(1.0 / 362880) + zz * (T(1.0 / 6227020800) + zz * T(1.0 / 355687428096000))));
  return r + (r * z) * (even + z * odd);
}
template <class T>
T cos_polynomial(const T& z) {
  const T zz = z * z;
  const T even =
      (T(1.0 / 24) + zz * (T(1.0 / 40320) + zz * (T(1.0 / 479001600) + zz * T(1.0 / 20922789888000))));
  const T odd = (T(-1.0 / 720) + zz * (T(-1.0 / 3628800) + zz * T(-1.0 / 87178291200)));
  return (T(1) - T(0.5) * z) + zz * (even + z * odd);
}

}  // namespace real_detail

template <class T>
void sin_cos(const T& x, T& s, T& c) {
  using namespace real_detail;
  // pi/2 in three parts of 33 bits each, so that k times a part is exact (Cody and Waite)
  const T k = round_nearest(x * T(2 / pi));
  const T r = ((x - k * T(0x1.921fb544p+0)) - k * T(0x1.0b4611a6p-34)) - k * T(0x1.3198a2e037073p-69);
  const T z = r * r;
  const T sr = sin_polynomial(r, z), cr = cos_polynomial(z);
  const T quadrant = k - T(4) * round_nearest(k * T(0.25) - T(0.375));  // 0, 1, 2 or 3
  const T from_two = abs(quadrant - T(2));
  const auto odd = (from_two > T(0.5)) & (from_two < T(1.5));
  const T ss = select(odd, cr, sr), cc = select(odd, sr, cr);
  s = select(quadrant > T(1.5), -ss, ss);
  c = select((quadrant > T(0.5)) & (quadrant < T(2.5)), -cc, cc);
}

template <class T>
T sin(const T& x) {
  T s, c;
  sin_cos(x, s, c);
  return s;
}
template <class T>
T cos(const T& x) {
  T s, c;
  sin_cos(x, s, c);
  return c;
}

// e^x; saturates at e^±700 instead of overflowing, so that a diverging force stays finite until it is
// noticed.
template <class T>
T exp(const T& x) {
  using namespace real_detail;
  const T clamped = min(max(x, T(-700.0)), T(700.0));
  const T k = round_nearest(clamped * T(1.44269504088896340736));
  const T r = (clamped - k * T(0x1.62e42feep-1)) - k * T(0x1.a39ef35793c76p-33);
  T sum = T(1.0 / 6227020800);
  constexpr double inverse_factorial[] = {
      1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
      1.0 / 720,       1.0 / 120,      1.0 / 24,      1.0 / 6,      0.5};
  for (const double f : inverse_factorial) sum = T(f) + r * sum;
  return (T(1) + (r + (r * r) * sum)) * power_of_two(k);
}

// Angle of the point (x, y), in (-pi, pi]; 0 at the origin.
template <class T>
T atan2(const T& y, const T& x) {
  const T ay = abs(y), ax = abs(x);
  const auto steep = ay > ax;
  const T small = select(steep, ax, ay), large = select(steep, ay, ax);
  T t = small / select(large > T(0), large, T(1));
  // two half-angle steps bring t below tan(pi/16)
  t = t / (T(1) + sqrt(T(1) + t * t));
  t = t / (T(1) + sqrt(T(1) + t * t));
  const T z = t * t;
  T sum = T(1.0 / 25);
  for (int n = 23; n >= 3; n -= 2) sum = T((n % 4 == 3 ? -1.0 : 1.0) / n) + z * sum;
  T angle = T(4) * (t + (t * z) * sum);
  angle = select(steep, T(pi / 2) - angle, angle);
  angle = select(x < T(0), T(pi) - angle, angle);
  return select(y < T(0), -angle, angle);
}

}  // namespace legwork
