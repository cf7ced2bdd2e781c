#include "math/vec.h"

namespace legwork {

Quat<double> quaternion(const Mat3<double>& R) {
  const double trace = R(0, 0) + R(1, 1) + R(2, 2);
  Quatd q;
  if (trace > 0) {
    const double s = 2 * std::sqrt(1 + trace);
    q = {s / 4, (R(2, 1) - R(1, 2)) / s, (R(0, 2) - R(2, 0)) / s, (R(1, 0) - R(0, 1)) / s};
  } else if (R(0, 0) >= R(1, 1) && R(0, 0) >= R(2, 2)) {
    const double s = 2 * std::sqrt(1 + R(0, 0) - R(1, 1) - R(2, 2));
    q = {(R(2, 1) - R(1, 2)) / s, s / 4, (R(0, 1) + R(1, 0)) / s, (R(0, 2) + R(2, 0)) / s};
  } else if (R(1, 1) >= R(2, 2)) {
    const double s = 2 * std::sqrt(1 - R(0, 0) + R(1, 1) - R(2, 2));
    q = {(R(0, 2) - R(2, 0)) / s, (R(0, 1) + R(1, 0)) / s, s / 4, (R(1, 2) + R(2, 1)) / s};
  } else {
    const double s = 2 * std::sqrt(1 - R(0, 0) - R(1, 1) + R(2, 2));
    q = {(R(1, 0) - R(0, 1)) / s, (R(0, 2) + R(2, 0)) / s, (R(1, 2) + R(2, 1)) / s, s / 4};
  }
  q = normalized(q);
  return q.w < 0 ? Quatd{-q.w, -q.x, -q.y, -q.z} : q;
}

}  // namespace legwork
