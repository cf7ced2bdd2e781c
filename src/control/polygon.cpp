#include "control/polygon.h"

#include <algorithm>
#include <cmath>

namespace legwork {

double norm(const Vec2& a) noexcept { return std::sqrt(dot(a, a)); }

Vec2 limited(const Vec2& a, double longest) noexcept {
  const double n = norm(a);
  return n > longest ? a * (longest / n) : a;
}

// Andrew's monotone chain.
void Polygon::close(double inset) {
  hull_.clear();
  if (points_.empty()) return;
  std::sort(points_.begin(), points_.end(),
            [](const Vec2& a, const Vec2& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  const auto build = [&](auto first, auto last, size_t base) {
    for (; first != last; ++first) {
      while (hull_.size() >= base + 2 &&
             cross(hull_.back() - hull_[hull_.size() - 2], *first - hull_.back()) <= 0)
        hull_.pop_back();
      hull_.push_back(*first);
    }
    hull_.pop_back();
  };
  if (points_.size() == 1) {
    hull_ = points_;
    return;
  }
  build(points_.begin(), points_.end(), 0);
  build(points_.rbegin(), points_.rend(), hull_.size());
  if (hull_.empty()) hull_.push_back(points_.front());
  if (!(inset > 0)) return;
  Vec2 middle;
  for (const Vec2& p : hull_) middle = middle + p * (1.0 / double(hull_.size()));
  for (Vec2& p : hull_) {
    const Vec2 out = p - middle;
    const double length = norm(out);
    p = middle + out * (length > 0 ? std::max(1 - inset / length, 0.5) : 1);
  }
}

Vec2 Polygon::nearest(const Vec2& p) const noexcept {
  const size_t n = hull_.size();
  if (n == 0) return p;
  if (n == 1) return hull_[0];
  bool inside = n > 2;
  Vec2 best = hull_[0];
  double least = -1;
  for (size_t i = 0; i < n; ++i) {
    const Vec2 a = hull_[i], e = hull_[(i + 1) % n] - a;
    if (cross(e, p - a) < 0) inside = false;
    const double length = dot(e, e);
    const double u = length > 0 ? std::clamp(dot(p - a, e) / length, 0.0, 1.0) : 0;
    const Vec2 at = a + e * u;
    const double far = dot(p - at, p - at);
    if (least < 0 || far < least) least = far, best = at;
  }
  return inside ? p : best;
}

double Polygon::margin(const Vec2& p) const noexcept {
  const size_t n = hull_.size();
  if (n < 3) return -norm(p - nearest(p));
  double inside = 1e300;
  for (size_t i = 0; i < n; ++i) {
    const Vec2 a = hull_[i], e = hull_[(i + 1) % n] - a;
    inside = std::min(inside, cross(e, p - a) / norm(e));
  }
  return inside >= 0 ? inside : -norm(p - nearest(p));
}

}  // namespace legwork
