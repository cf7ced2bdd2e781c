#pragma once
// Small curves that several rooms lead things along.

#include <algorithm>
#include <cmath>

namespace legwork {

// The part of a cycle: in [0, 1).
inline double fraction(double x) noexcept { return x - std::floor(x); }

// Rises from 0 at u = 0 to 1 at u = 1 with zero slopes there; constant beyond.
inline double smooth_step(double u) noexcept {
  const double s = std::clamp(u, 0.0, 1.0);
  return s * s * (3 - 2 * s);
}

}  // namespace legwork
