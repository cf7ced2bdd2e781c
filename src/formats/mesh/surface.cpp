#include "formats/mesh/surface.h"

#include <algorithm>
#include <cmath>

#include "math/real.h"
#include "math/vec.h"

namespace legwork {

namespace {

using Index = std::uint32_t;

constexpr int segments = 24;       // around a circle
constexpr int rings = 12;          // from pole to pole, even
constexpr double crease = 0.7660;  // cosine of 40 degrees

std::array<float, 3> to_float(const Vec3d& v) { return {float(v.x), float(v.y), float(v.z)}; }

Index add(Surface& s, const Vec3d& position, const Vec3d& normal) {
  s.positions.push_back(to_float(position));
  s.normals.push_back(to_float(normal));
  return Index(s.positions.size() - 1);
}

Vec3d on_circle(int i) {
  const double angle = 2 * pi * (i % segments) / segments;
  return {cos(angle), sin(angle), 0};
}

// Stitches rows of segments + 1 vertices that begin at `first`.
void stitch(Surface& s, Index first, int rows) {
  constexpr Index width = segments + 1;
  for (int row = 0; row + 1 < rows; ++row)
    for (int i = 0; i < segments; ++i) {
      const Index a = first + Index(row) * width + Index(i), b = a + 1, c = a + width, d = c + 1;
      s.triangles.push_back({a, b, d});
      s.triangles.push_back({a, d, c});
    }
}

// A ball with half axes `half`, its two halves moved apart along z by 2 lift.
void add_ball(Surface& s, const Vec3d& half, double lift) {
  const auto vertex = [&](const Vec3d& unit, double shift) {
    const Vec3d normal = normalized(Vec3d{unit.x / half.x, unit.y / half.y, unit.z / half.z});
    return add(s, {half.x * unit.x, half.y * unit.y, half.z * unit.z + shift}, normal);
  };
  const Index south = vertex({0, 0, -1}, -lift), first = south + 1;
  int rows = 0;
  const auto row = [&](int ring, double shift) {
    const double angle = pi * ring / rings - pi / 2;
    for (int i = 0; i <= segments; ++i) {
      const Vec3d c = on_circle(i) * cos(angle);
      vertex({c.x, c.y, sin(angle)}, shift);
    }
    ++rows;
  };
  for (int ring = 1; ring <= rings / 2; ++ring) row(ring, -lift);
  for (int ring = lift > 0 ? rings / 2 : rings / 2 + 1; ring < rings; ++ring) row(ring, lift);
  stitch(s, first, rows);
  const Index north = vertex({0, 0, 1}, lift), last = north - (segments + 1);
  for (Index i = 0; i < segments; ++i) {
    s.triangles.push_back({south, first + i + 1, first + i});
    s.triangles.push_back({north, last + i, last + i + 1});
  }
}

void add_box(Surface& s, const Vec3d& edges) {
  const Vec3d half = edges * 0.5;
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-1.0, 1.0}) {
      Vec3d n, u, v;
      n[axis] = sign, u[(axis + 1) % 3] = half[(axis + 1) % 3], v[(axis + 2) % 3] = half[(axis + 2) % 3];
      if (sign < 0) std::swap(u, v);
      const Vec3d center = n * half[axis];
      const Index a = add(s, center - u - v, n);
      add(s, center + u - v, n), add(s, center + u + v, n), add(s, center - u + v, n);
      s.triangles.push_back({a, a + 1, a + 2});
      s.triangles.push_back({a, a + 2, a + 3});
    }
}

void add_cylinder(Surface& s, double radius, double length) {
  const Index wall = Index(s.positions.size());
  for (const double z : {-length / 2, length / 2})
    for (int i = 0; i <= segments; ++i) add(s, on_circle(i) * radius + Vec3d{0, 0, z}, on_circle(i));
  stitch(s, wall, 2);
  for (const double sign : {-1.0, 1.0}) {
    const Vec3d n{0, 0, sign}, center = n * (length / 2);
    const Index middle = add(s, center, n);
    for (int i = 0; i < segments; ++i) add(s, on_circle(i) * radius + center, n);
    for (Index i = 0; i < segments; ++i) {
      const Index a = middle + 1 + i, b = middle + 1 + (i + 1) % segments;
      s.triangles.push_back(sign > 0 ? std::array{middle, a, b} : std::array{middle, b, a});
    }
  }
}

// Each corner takes the area-weighted normal of those faces around its vertex that lie within the crease
// angle of its own face; corners of one vertex that come out equal share it.
void add_mesh(Surface& s, const Mesh& mesh) {
  const int count = int(mesh.vertices.size());
  std::vector<Vec3d> face(mesh.triangles.size());  // normal, length = twice the area
  std::vector<std::vector<int>> around(mesh.vertices.size());
  for (int f = 0; f < int(mesh.triangles.size()); ++f) {
    const auto [a, b, c] = mesh.triangles[f];
    if (std::min({a, b, c}) < 0 || std::max({a, b, c}) >= count) continue;
    face[f] = cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a]);
    if (!(norm(face[f]) > 0)) continue;  // no area: nothing to draw
    for (const int v : {a, b, c}) around[v].push_back(f);
  }
  std::vector<std::vector<std::pair<Vec3d, Index>>> made(mesh.vertices.size());
  for (int f = 0; f < int(mesh.triangles.size()); ++f) {
    if (!(norm(face[f]) > 0)) continue;
    const Vec3d own = normalized(face[f]);
    std::array<Index, 3> corners{};
    for (int k = 0; k < 3; ++k) {
      const int v = mesh.triangles[f][k];
      Vec3d sum;
      for (const int other : around[v])
        if (dot(normalized(face[other]), own) >= crease) sum += face[other];
      const Vec3d n = normalized(sum);
      const auto same = std::find_if(made[v].begin(), made[v].end(),
                                     [&](const auto& m) { return norm(m.first - n) < 1e-6; });
      corners[k] = same != made[v].end() ? same->second : add(s, mesh.vertices[v], n);
      if (same == made[v].end()) made[v].emplace_back(n, corners[k]);
    }
    s.triangles.push_back(corners);
  }
}

}  // namespace

Surface smooth_surface(const Shape& shape) {
  Surface s;
  const Vec3d& size = shape.size;
  switch (shape.type) {
    case ShapeType::box:
      add_box(s, size);
      break;
    case ShapeType::sphere:
      add_ball(s, {size.x, size.x, size.x}, 0);
      break;
    case ShapeType::ellipsoid:
      add_ball(s, size, 0);
      break;
    case ShapeType::capsule:
      add_ball(s, {size.x, size.x, size.x}, size.y / 2);
      break;
    case ShapeType::cylinder:
      add_cylinder(s, size.x, size.y);
      break;
    case ShapeType::mesh:
      add_mesh(s, shape.mesh);
      break;
  }
  return s;
}

}  // namespace legwork
