#pragma once
// tan, acos, log, log1p, pow, cbrt and hypot of doubles, with the same bits on every machine; sin, cos, exp
// and atan2 come with math/real.h.
//
// libm's functions differ in the last bits between versions and between processors (with fused multiply-add
// and without). These use only + - * / sqrt and exact bit moves, in one fixed order. The tests measure their
// errors: within 2 units in the last place for log, log1p, cbrt and hypot, 6 for tan and acos; those of pow
// grow with |y log x|. What libm computes exactly may be used everywhere: sqrt, fabs, floor, ceil, round,
// fmod, remainder.

#include <bit>
#include <cstdint>
#include <limits>

#include "math/real.h"

namespace legwork {

inline double tan(double x) {
  double s, c;
  sin_cos(x, s, c);
  return s / c;
}

// For x in [-1, 1]; what lies outside counts as the nearest end.
inline double acos(double x) {
  const double c = (1 - x) * (1 + x);
  return atan2(c > 0 ? sqrt(c) : 0.0, x);
}

// Natural logarithm: x = 2^k m with m in [sqrt(1/2), sqrt(2)), log m = 2 atanh((m - 1) / (m + 1)).
inline double log(double x) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!(x > 0)) return x == 0 ? -infinity : std::numeric_limits<double>::quiet_NaN();
  if (x == infinity) return x;
  int k = -1022;
  if (x < std::numeric_limits<double>::min()) x *= 0x1p54, k -= 54;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  k += int(bits >> 52);
  double m = std::bit_cast<double>((bits & 0x000fffffffffffffull) | 0x3fe0000000000000ull);
  if (m < 0.70710678118654752) m *= 2, --k;
  // log m = f - f^2/2 + t (f^2/2 + R) with f = m - 1 exact, so that what is rounded is small beside f (after
  // fdlibm)
  const double f = m - 1, t = f / (2 + f), z = t * t, half = 0.5 * f * f;
  double sum = 2.0 / 23;
  for (int n = 21; n >= 3; n -= 2) sum = 2.0 / n + z * sum;
  // log 2 in two parts, the first of 33 bits, so that k times it is exact
  return k * 0x1.62e42feep-1 - ((half - (t * (half + z * sum) + k * 0x1.a39ef35793c76p-33)) - f);
}

// log(1 + x): what 1 + x rounds away is put back to first order.
inline double log1p(double x) {
  const double u = 1 + x;
  if (u == 1) return x;
  return log(u) + (x - (u - 1)) / u;
}

// x^y; a whole y up to 1024 by products, else e^(y log x), whose error grows with |y log x|.
inline double pow(double x, double y) {
  if (y >= -1024 && y <= 1024 && y == int(y)) {
    double result = 1, factor = x;
    for (int left = y < 0 ? -int(y) : int(y); left != 0; left >>= 1, factor *= factor)
      if (left & 1) result *= factor;
    return y < 0 ? 1 / result : result;
  }
  if (y == 0.5) return sqrt(x);
  if (x == 0) return y > 0 ? 0 : std::numeric_limits<double>::infinity();
  return exp(y * log(x));
}

// Cube root: a third of the exponent, then Halley's steps, each of which triples the number of right digits.
inline double cbrt(double x) {
  const double a = x < 0 ? -x : x;
  if (!(a > 0) || a == std::numeric_limits<double>::infinity()) return x;
  if (a < std::numeric_limits<double>::min()) return cbrt(x * 0x1p54) * 0x1p-18;
  double y = std::bit_cast<double>(std::bit_cast<std::uint64_t>(a) / 3 + 0x2a9f7893782da1ceull);
  for (int i = 0; i < 3; ++i) {
    const double cube = y * y * y;
    y += y * ((a - cube) / (2 * cube + a));
  }
  return x < 0 ? -y : y;
}

// Length of (x, y) and (x, y, z), without a guard: squares beyond 1e308 overflow.
inline double hypot(double x, double y) { return sqrt(x * x + y * y); }
inline double hypot(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }

}  // namespace legwork
