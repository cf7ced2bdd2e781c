#include "creature/shape.h"

#include <algorithm>
#include <cmath>

#include "creature/hull.h"
#include "math/real.h"
#include "math/vec.h"

namespace legwork {

namespace {

// A ball at each end of a capsule, half the cylinder's length from the middle.
Vec3d half_length(const Shape& s) { return {0, 0, s.size.y / 2}; }

// Closest point of an ellipsoid's surface to y in the first octant, half axes e. Eberly, "Distance from a
// point to an ellipse, an ellipsoid, or a hyperellipsoid" (2013): it is x_i = e_i^2 y_i / (t + e_i^2) for the
// largest root t of
//   F(t) = sum (e_i y_i / (t + e_i^2))^2 - 1.
// F falls and is convex right of its last pole, so Newton's steps from a point with F >= 0 climb to the root.
Vec3d closest_on_ellipsoid(const Vec3d& e, const Vec3d& y) noexcept {
  double t = -unlimited;
  for (int i = 0; i < 3; ++i) t = max(t, e[i] * y[i] - e[i] * e[i]);  // one term alone is 1 here, so F >= 0
  const auto term = [&](int i) { return e[i] * y[i] / (t + e[i] * e[i]); };
  for (int n = 0; n < 64; ++n) {
    double F = -1, dF = 0;
    for (int i = 0; i < 3; ++i) {
      if (y[i] == 0) continue;
      const double z = term(i);
      F += z * z;
      dF -= 2 * z * z / (t + e[i] * e[i]);
    }
    if (!(F > 0) || dF == 0) break;
    const double next = t - F / dF;
    if (!(next > t)) break;
    t = next;
  }
  Vec3d x;
  double rest = 1;  // 1 - sum (x_i / e_i)^2
  int loose = -1;
  for (int i = 0; i < 3; ++i) {
    // t at the pole: y lies deep inside, in the plane across the shortest axis, and its nearest point is as
    // far off that plane as the surface demands
    if (!(t + e[i] * e[i] > 0)) {
      loose = i;
      continue;
    }
    x[i] = e[i] * e[i] * y[i] / (t + e[i] * e[i]);
    rest -= (x[i] / e[i]) * (x[i] / e[i]);
  }
  if (loose >= 0) x[loose] = e[loose] * sqrt(max(rest, 0.0));
  return x;
}

ShapeDistance ellipsoid_distance(const Vec3d& e, const Vec3d& p) noexcept {
  const Vec3d x = closest_on_ellipsoid(e, {abs(p.x), abs(p.y), abs(p.z)});
  Vec3d surface, gradient;
  double level = -1;
  for (int i = 0; i < 3; ++i) {
    surface[i] = p[i] < 0 ? -x[i] : x[i];
    gradient[i] = surface[i] / (e[i] * e[i]);
    level += (p[i] / e[i]) * (p[i] / e[i]);
  }
  const double d = norm(p - surface);
  return {level < 0 ? -d : d, normalized(gradient)};
}

// From a core point at distance d = norm(away), with a skin of the radius around the core.
ShapeDistance ball_distance(const Vec3d& away, double radius, const Vec3d& otherwise) noexcept {
  const double d = norm(away);
  return {d - radius, d > 0 ? away * (1 / d) : otherwise};
}

ShapeDistance box_distance(const Vec3d& half, const Vec3d& p) noexcept {
  Vec3d outside, nearest_face{1, 0, 0};
  double depth = -unlimited;  // signed distance from the nearest face's plane
  bool inside = true;
  for (int i = 0; i < 3; ++i) {
    const double over = abs(p[i]) - half[i], sign = p[i] < 0 ? -1 : 1;
    if (over > 0) outside[i] = over * sign, inside = false;
    if (over > depth) depth = over, nearest_face = Vec3d(), nearest_face[i] = sign;
  }
  return inside ? ShapeDistance{depth, nearest_face} : ball_distance(outside, 0, nearest_face);
}

ShapeDistance cylinder_distance(double radius, double half, const Vec3d& p) noexcept {
  const double r = sqrt(p.x * p.x + p.y * p.y);
  const Vec3d out = r > 0 ? Vec3d(p.x / r, p.y / r, 0) : Vec3d(1, 0, 0), up(0, 0, p.z < 0 ? -1 : 1);
  const double side = r - radius, end = abs(p.z) - half;
  if (side > 0 && end > 0) return ball_distance(out * side + up * end, 0, out);
  return side > end ? ShapeDistance{side, out} : ShapeDistance{end, up};
}

ShapeDistance hull_distance(const std::vector<Plane>& planes, const Vec3d& p) noexcept {
  ShapeDistance best;
  best.distance = -unlimited;
  for (const Plane& plane : planes)
    if (const double d = dot(plane.normal, p) - plane.offset; d > best.distance) best = {d, plane.normal};
  if (planes.empty()) best.distance = unlimited;
  return best;
}

// The 26 directions with components -1, 0 and 1: faces, edges, corners of a cube, in that order.
const std::vector<Vec3d>& directions() {
  static const std::vector<Vec3d> all = [] {
    std::vector<Vec3d> d;
    for (int length = 1; length <= 3; ++length)
      for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j)
          for (int k = -1; k <= 1; ++k)
            if (i * i + j * j + k * k == length) d.push_back(Vec3d(i, j, k));
    return d;
  }();
  return all;
}

// At most `most` of the points: the extreme ones along 26 directions, then always the one farthest from all
// chosen so far.
std::vector<Vec3d> thin(const std::vector<Vec3d>& points, size_t most) {
  if (points.size() <= most) return points;
  std::vector<Vec3d> chosen;
  std::vector<double> gap(points.size(), unlimited);  // to the nearest chosen point
  const auto choose = [&](size_t i) {
    if (gap[i] == 0) return;
    chosen.push_back(points[i]);
    for (size_t k = 0; k < points.size(); ++k) gap[k] = std::min(gap[k], norm(points[k] - points[i]));
  };
  for (const Vec3d& d : directions()) {
    const auto less = [&](const Vec3d& a, const Vec3d& b) { return dot(a, d) < dot(b, d); };
    choose(std::max_element(points.begin(), points.end(), less) - points.begin());
  }
  while (chosen.size() < most) choose(std::max_element(gap.begin(), gap.end()) - gap.begin());
  return chosen;
}

// In the shape's own frame, where its centre is the origin (of a mesh: wherever it is).
MassProperties own_mass_properties(const Shape& s) {
  const double a = s.size.x, b = s.size.y, c = s.size.z, rho = s.density;
  switch (s.type) {
    case ShapeType::box: {
      const double m = rho * a * b * c, k = m / 12;
      return {m, {}, Sym3d::diagonal(k * (b * b + c * c), k * (a * a + c * c), k * (a * a + b * b))};
    }
    case ShapeType::sphere: {
      const double m = rho * 4 / 3 * pi * a * a * a, I = 0.4 * m * a * a;
      return {m, {}, Sym3d::diagonal(I, I, I)};
    }
    case ShapeType::cylinder: {
      const double m = rho * pi * a * a * b, I = m * (a * a / 4 + b * b / 12);
      return {m, {}, Sym3d::diagonal(I, I, m * a * a / 2)};
    }
    case ShapeType::capsule: {
      // a cylinder and two half balls, each with its centre of mass 3/8 radius beyond the cylinder's end
      const double mc = rho * pi * a * a * b, mb = rho * 4 / 3 * pi * a * a * a;
      const double I = mc * (a * a / 4 + b * b / 12) + mb * (0.4 * a * a + b * b / 4 + 0.375 * a * b);
      return {mc + mb, {}, Sym3d::diagonal(I, I, mc * a * a / 2 + 0.4 * mb * a * a)};
    }
    case ShapeType::ellipsoid: {
      const double m = rho * 4 / 3 * pi * a * b * c, k = m / 5;
      return {m, {}, Sym3d::diagonal(k * (b * b + c * c), k * (a * a + c * c), k * (a * a + b * b))};
    }
    case ShapeType::mesh:
      return mass_properties(s.mesh, rho);
  }
  return {};
}

Vec3d own_support(const Shape& s, const Vec3d& d) noexcept {
  const auto sign = [](double x) { return x < 0 ? -1.0 : 1.0; };
  const double length = norm(d);
  switch (s.type) {
    case ShapeType::box:
      return {s.size.x / 2 * sign(d.x), s.size.y / 2 * sign(d.y), s.size.z / 2 * sign(d.z)};
    case ShapeType::sphere:
      return length > 0 ? d * (s.size.x / length) : Vec3d();
    case ShapeType::capsule:
      return half_length(s) * sign(d.z) + (length > 0 ? d * (s.size.x / length) : Vec3d());
    case ShapeType::cylinder: {
      const double r = sqrt(d.x * d.x + d.y * d.y);
      return half_length(s) * sign(d.z) + (r > 0 ? Vec3d(d.x, d.y, 0) * (s.size.x / r) : Vec3d());
    }
    case ShapeType::ellipsoid: {
      const Vec3d e(s.size.x * d.x, s.size.y * d.y, s.size.z * d.z);
      const double k = norm(e);
      return k > 0 ? Vec3d(s.size.x * e.x / k, s.size.y * e.y / k, s.size.z * e.z / k) : Vec3d();
    }
    case ShapeType::mesh: {
      Vec3d best;
      double most = -unlimited;
      for (const Vec3d& v : s.mesh.vertices)
        if (const double x = dot(v, d); x > most) best = v, most = x;
      return best;
    }
  }
  return {};
}

std::vector<Ball> own_contact_balls(const Shape& s) {
  std::vector<Ball> balls;
  switch (s.type) {
    case ShapeType::box:
      for (const double x : {-0.5, 0.5})
        for (const double y : {-0.5, 0.5})
          for (const double z : {-0.5, 0.5}) balls.push_back({{x * s.size.x, y * s.size.y, z * s.size.z}});
      break;
    case ShapeType::sphere:
      balls.push_back({{}, s.size.x});
      break;
    case ShapeType::capsule:
      balls = {{half_length(s) * -1.0, s.size.x}, {half_length(s), s.size.x}};
      break;
    case ShapeType::cylinder:
      for (const double z : {-0.5, 0.5})
        for (int i = 0; i < 8; ++i)
          balls.push_back({{s.size.x * cos(i * pi / 4), s.size.x * sin(i * pi / 4), z * s.size.y}});
      break;
    case ShapeType::ellipsoid:
      if (s.size.x == s.size.y && s.size.y == s.size.z) return {{{}, s.size.x}};
      for (const Vec3d& d : directions()) balls.push_back({own_support(s, d)});
      break;
    case ShapeType::mesh:
      for (const Vec3d& v : extreme_points(s.mesh, 32)) balls.push_back({v});
      break;
  }
  return balls;
}

// A closed surface around z through a profile of (radius, z) from bottom to top, both ends on the axis.
Mesh revolve(const std::vector<std::array<double, 2>>& profile, int segments) {
  Mesh mesh;
  const auto ring = [&](int row, int i) { return 1 + (row - 1) * segments + i % segments; };
  const int last = int(profile.size()) - 1;
  mesh.vertices.push_back({0, 0, profile[0][1]});
  for (int row = 1; row < last; ++row)
    for (int i = 0; i < segments; ++i) {
      const double angle = 2 * pi * i / segments, r = profile[row][0];
      mesh.vertices.push_back({r * cos(angle), r * sin(angle), profile[row][1]});
    }
  mesh.vertices.push_back({0, 0, profile[last][1]});
  const int top = int(mesh.vertices.size()) - 1;
  for (int i = 0; i < segments; ++i) {
    mesh.triangles.push_back({0, ring(1, i + 1), ring(1, i)});
    for (int row = 1; row + 1 < last; ++row) {
      mesh.triangles.push_back({ring(row, i), ring(row, i + 1), ring(row + 1, i + 1)});
      mesh.triangles.push_back({ring(row, i), ring(row + 1, i + 1), ring(row + 1, i)});
    }
    mesh.triangles.push_back({ring(last - 1, i), ring(last - 1, i + 1), top});
  }
  return mesh;
}

Mesh own_surface(const Shape& s, int detail) {
  const int segments = std::max(detail, 3), rows = std::max(segments / 2, 2);
  std::vector<std::array<double, 2>> profile;
  // a half circle from pole to pole, its upper part moved up by the length
  const auto half_circle = [&](double radius, double length) {
    const int even = length > 0 ? (rows + 1) / 2 * 2 : rows;
    for (int k = 0; k <= even; ++k) {
      const double angle = pi * k / even, r = k == 0 || k == even ? 0 : radius * sin(angle);
      if (2 * k <= even || length == 0) profile.push_back({r, -radius * cos(angle) - length / 2});
      if (2 * k >= even && length > 0) profile.push_back({r, -radius * cos(angle) + length / 2});
    }
  };
  switch (s.type) {
    case ShapeType::box: {
      Mesh mesh;
      for (const Ball& b : own_contact_balls(s)) mesh.vertices.push_back(b.pos);  // x, y, z are bits 4, 2, 1
      mesh.triangles = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5}, {0, 5, 1},
                        {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
      return mesh;
    }
    case ShapeType::sphere:
      half_circle(s.size.x, 0);
      return revolve(profile, segments);
    case ShapeType::capsule:
      half_circle(s.size.x, s.size.y);
      return revolve(profile, segments);
    case ShapeType::cylinder: {
      const double h = s.size.y / 2;
      return revolve({{0, -h}, {s.size.x, -h}, {s.size.x, h}, {0, h}}, segments);
    }
    case ShapeType::ellipsoid: {
      half_circle(1, 0);
      Mesh mesh = revolve(profile, segments);
      for (Vec3d& v : mesh.vertices) v = {v.x * s.size.x, v.y * s.size.y, v.z * s.size.z};
      return mesh;
    }
    case ShapeType::mesh:
      return s.mesh;
  }
  return {};
}

}  // namespace

MassProperties operator+(const MassProperties& a, const MassProperties& b) {
  const double mass = a.mass + b.mass;
  if (mass == 0) return {};
  const Vec3d com = a.com * (a.mass / mass) + b.com * (b.mass / mass);
  return {mass, com,
          a.inertia + point_inertia(a.com - com) * a.mass + b.inertia + point_inertia(b.com - com) * b.mass};
}

MassProperties mass_properties(const Shape& shape) {
  const Mat3d R = matrix(shape.rot);
  const MassProperties own = own_mass_properties(shape);
  return {own.mass, shape.pos + R * own.com, rotate(R, own.inertia)};
}

Vec3d support(const Shape& shape, const Vec3d& direction) noexcept {
  const Mat3d R = matrix(shape.rot);
  return shape.pos + R * own_support(shape, transpose_times(R, direction));
}

void extend(Box& box, const Vec3d& point) {
  for (int i = 0; i < 3; ++i) {
    box.lower[i] = std::min(box.lower[i], point[i]);
    box.upper[i] = std::max(box.upper[i], point[i]);
  }
}

void extend(Box& box, const Box& other) {
  extend(box, other.lower);
  extend(box, other.upper);
}

Box bounding_box(const Shape& shape, const Mat3d& R, const Vec3d& p) {
  Box box;
  for (int i = 0; i < 3; ++i) {
    const Vec3d axis = R.row(i);
    box.lower[i] = p[i] + dot(axis, support(shape, -axis));
    box.upper[i] = p[i] + dot(axis, support(shape, axis));
  }
  return box;
}

std::vector<Ball> contact_balls(const Shape& shape) {
  const Mat3d R = matrix(shape.rot);
  std::vector<Ball> balls = own_contact_balls(shape);
  for (Ball& b : balls) b.pos = shape.pos + R * b.pos;
  return balls;
}

std::vector<Vec3d> extreme_points(const Mesh& mesh, int most) {
  std::vector<Vec3d> points;
  for (const int i : convex_hull(mesh.vertices).vertices) points.push_back(mesh.vertices[i]);
  return thin(points, most);
}

ShapeDistance distance(const Shape& shape, const Vec3d& point) noexcept {
  const Mat3d R = matrix(shape.rot);
  const Vec3d p = transpose_times(R, point - shape.pos);
  ShapeDistance own;
  switch (shape.type) {
    case ShapeType::box:
      own = box_distance(shape.size * 0.5, p);
      break;
    case ShapeType::sphere:
      own = ball_distance(p, shape.size.x, {0, 0, 1});
      break;
    case ShapeType::capsule: {
      const double half = shape.size.y / 2;
      own = ball_distance({p.x, p.y, p.z - max(-half, min(half, p.z))}, shape.size.x, {1, 0, 0});
      break;
    }
    case ShapeType::cylinder:
      own = cylinder_distance(shape.size.x, shape.size.y / 2, p);
      break;
    case ShapeType::ellipsoid:
      own = ellipsoid_distance(shape.size, p);
      break;
    case ShapeType::mesh:
      own = hull_distance(shape.mesh.hull, p);
      break;
  }
  return {own.distance, R * own.normal};
}

Mesh surface(const Shape& shape, int detail) {
  const Mat3d R = matrix(shape.rot);
  Mesh mesh = own_surface(shape, detail);
  for (Vec3d& v : mesh.vertices) v = shape.pos + R * v;
  for (Plane& plane : mesh.hull) {
    plane.normal = R * plane.normal;
    plane.offset += dot(plane.normal, shape.pos);
  }
  return mesh;
}

}  // namespace legwork
