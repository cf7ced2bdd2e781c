#pragma once
// Convex polygons on the level plane: where the centre of pressure may lie.

#include <vector>

namespace legwork {

struct Vec2 {
  double x = 0, y = 0;
};
inline Vec2 operator+(const Vec2& a, const Vec2& b) { return {a.x + b.x, a.y + b.y}; }
inline Vec2 operator-(const Vec2& a, const Vec2& b) { return {a.x - b.x, a.y - b.y}; }
inline Vec2 operator*(const Vec2& a, double s) { return {a.x * s, a.y * s}; }
inline double dot(const Vec2& a, const Vec2& b) { return a.x * b.x + a.y * b.y; }
inline double cross(const Vec2& a, const Vec2& b) { return a.x * b.y - a.y * b.x; }
double norm(const Vec2& a) noexcept;
// No longer than this.
Vec2 limited(const Vec2& a, double longest) noexcept;

// The hull of some points, counterclockwise: a point, a line and an area are one case. Memory grows to the
// largest seen and stays.
class Polygon {
 public:
  void clear() { points_.clear(), hull_.clear(); }
  void add(const Vec2& point) { points_.push_back(point); }
  // After all points were added: their hull, drawn in towards its middle by `inset` (m, measured at its
  // edges; at most half of what there is).
  void close(double inset);

  bool empty() const { return hull_.empty(); }
  const std::vector<Vec2>& hull() const { return hull_; }
  // The point of the polygon that is nearest to p.
  Vec2 nearest(const Vec2& p) const noexcept;
  // How far p lies inside; negative: how far outside.
  double margin(const Vec2& p) const noexcept;

 private:
  std::vector<Vec2> points_, hull_;
};

}  // namespace legwork
