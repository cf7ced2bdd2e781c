#include "life/pace.h"

#include <algorithm>

namespace legwork {

double strides_a_second(double speed) {
  // v over 2.4 v^(2/3): the cube root over 2.4, by Newton's steps
  const double v = std::max(speed, 1e-3);
  double root = v > 1 ? v : 1;
  for (int i = 0; i < 60; ++i) root -= (root * root * root - v) / (3 * root * root);
  return root / 2.4;
}

double swing_clearance(double speed) { return 0.03 + 0.08 * speed * speed; }

}  // namespace legwork
