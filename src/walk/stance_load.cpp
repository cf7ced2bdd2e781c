#include "walk/stance_load.h"

#include <algorithm>
#include <cmath>

#include "math/real.h"

namespace legwork {

namespace {

// x of A x = b, A symmetric with rows r.
Vec3d solve(const Vec3d r[3], const Vec3d& b) {
  const Vec3d c12 = cross(r[1], r[2]), c20 = cross(r[2], r[0]), c01 = cross(r[0], r[1]);
  return (c12 * b.x + c20 * b.y + c01 * b.z) * (1 / dot(r[0], c12));
}

// Added to the diagonal, over the sum of the parts: too few feet leave a plane undetermined.
constexpr double rigid = 1e-4;
// Added to the diagonal, over the sum of the squared moves: near-straight legs yield.
constexpr double damping = 1e-2;

}  // namespace

void share_weight(const std::vector<Vec3d>& feet, const std::vector<double>& part, const Vec3d& com,
                  const Vec3d& gravity, std::vector<double>& share) noexcept {
  const size_t n = feet.size();
  const Vec3d down = gravity * (1 / std::max(norm(gravity), 1e-300));
  const Vec3d ahead = std::fabs(down.x) < 0.9 ? Vec3d(1, 0, 0) : Vec3d(0, 1, 0);
  const Vec3d across = cross(down, ahead) * (1 / norm(cross(down, ahead))), along = cross(across, down);
  double size = 1e-300;
  for (const Vec3d& f : feet) size = std::max(size, norm(f - com));
  const auto row = [&](size_t i) {
    const Vec3d r = (feet[i] - com) * (1 / size);
    return Vec3d(1, dot(r, along), dot(r, across));
  };
  for (size_t i = 0; i < n; ++i) share[i] = part[i];
  // share = part (l0 + l1 along + l2 across): the most even that balances; those that would pull drop out
  for (size_t round = 0; round <= n; ++round) {
    double sum = 0;
    for (size_t i = 0; i < n; ++i) sum += share[i] > 0 ? part[i] : 0;
    if (!(sum > 0)) break;
    const double e = rigid * sum;
    Vec3d A[3] = {{e, 0, 0}, {0, e, 0}, {0, 0, e}};
    for (size_t i = 0; i < n; ++i)
      if (share[i] > 0)
        for (int r = 0; r < 3; ++r) A[r] = A[r] + row(i) * (part[i] * row(i)[r]);
    const Vec3d l = solve(A, {1, 0, 0});
    bool pulls = false;
    for (size_t i = 0; i < n; ++i) {
      if (!(share[i] > 0)) continue;
      share[i] = part[i] * dot(l, row(i));
      pulls |= share[i] < 0;
    }
    if (!pulls) break;
  }
  double sum = 0;
  for (double& s : share) s = std::max(s, 0.0), sum += s;
  for (double& s : share) s = sum > 0 ? s / sum : 0;
}

void least_motion(const Vec3d* moves, size_t count, const Vec3d& d, double* motion) noexcept {
  double sum = 1e-300;
  for (size_t k = 0; k < count; ++k) sum += dot(moves[k], moves[k]);
  const double damp = damping * sum;
  Vec3d A[3] = {{damp, 0, 0}, {0, damp, 0}, {0, 0, damp}};
  for (size_t k = 0; k < count; ++k)
    for (int r = 0; r < 3; ++r) A[r] = A[r] + moves[k] * moves[k][r];
  const Vec3d f = solve(A, d);
  for (size_t k = 0; k < count; ++k) motion[k] = dot(moves[k], f);
}

Tilt fit_plane(const std::vector<Vec3d>& points, const std::vector<double>& part) noexcept {
  double sum = 0, size = 1e-300;
  for (size_t i = 0; i < points.size(); ++i) sum += part[i];
  for (const Vec3d& p : points) size = std::max({size, std::fabs(p.x), std::fabs(p.y)});
  if (!(sum > 0)) return {};
  const double e = rigid * sum;
  Vec3d A[3] = {{0, 0, 0}, {0, e, 0}, {0, 0, e}}, b;
  for (size_t i = 0; i < points.size(); ++i) {
    const Vec3d row(1, points[i].x / size, points[i].y / size);
    for (int r = 0; r < 3; ++r) A[r] = A[r] + row * (part[i] * row[r]);
    b = b + row * (part[i] * points[i].z);
  }
  const Vec3d l = solve(A, b);
  return {l.x, l.y / size, l.z / size};
}

}  // namespace legwork
