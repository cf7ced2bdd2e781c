#include "formats/mesh/surface.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/real.h"

namespace legwork {
namespace {

Vec3d vec(const std::array<float, 3>& a) { return {a[0], a[1], a[2]}; }

double volume(const Surface& s) {
  double sum = 0;
  for (const auto& [a, b, c] : s.triangles)
    sum += dot(vec(s.positions[a]), cross(vec(s.positions[b]), vec(s.positions[c]))) / 6;
  return sum;
}

Shape shape(ShapeType type, const Vec3d& size) {
  Shape s;
  s.type = type, s.size = size;
  return s;
}

// Normals have unit length and look to the side from which the triangle's corners run counter-clockwise.
void expect_sound(const Surface& s) {
  ASSERT_EQ(s.positions.size(), s.normals.size());
  for (const auto& n : s.normals) EXPECT_NEAR(norm(vec(n)), 1, 1e-6);
  for (const auto& t : s.triangles) {
    const Vec3d a = vec(s.positions[t[0]]), b = vec(s.positions[t[1]]), c = vec(s.positions[t[2]]);
    const Vec3d face = cross(b - a, c - a);
    EXPECT_GT(norm(face), 0);
    for (const auto corner : t) EXPECT_GT(dot(normalized(face), vec(s.normals[corner])), 0.7);
  }
}

TEST(Surface, RoundShapesEncloseNearlyTheirVolume) {
  const double ball = 4.0 / 3 * pi * 0.027;
  const struct {
    Shape shape;
    double volume;
  } cases[] = {
      {shape(ShapeType::box, {0.2, 0.3, 0.4}), 0.024},
      {shape(ShapeType::sphere, {0.3, 0, 0}), ball},
      {shape(ShapeType::ellipsoid, {0.3, 0.15, 0.6}), ball},
      {shape(ShapeType::capsule, {0.3, 0.5, 0}), ball + pi * 0.09 * 0.5},
      {shape(ShapeType::cylinder, {0.3, 0.5, 0}), pi * 0.09 * 0.5},
  };
  for (const auto& c : cases) {
    const Surface s = smooth_surface(c.shape);
    SCOPED_TRACE(int(c.shape.type));
    expect_sound(s);
    EXPECT_LE(volume(s), c.volume * 1.000001);
    EXPECT_GE(volume(s), c.volume * 0.96);
  }
}

TEST(Surface, NormalsOfAnEllipsoidAreItsGradients) {
  const Vec3d half{0.3, 0.15, 0.6};
  const Surface s = smooth_surface(shape(ShapeType::ellipsoid, half));
  for (std::size_t i = 0; i < s.positions.size(); ++i) {
    const Vec3d p = vec(s.positions[i]);
    const Vec3d gradient =
        normalized(Vec3d{p.x / (half.x * half.x), p.y / (half.y * half.y), p.z / (half.z * half.z)});
    EXPECT_NEAR(norm(gradient - vec(s.normals[i])), 0, 1e-5);
  }
}

TEST(Surface, AMeshIsSmoothOverBluntEdgesAndSharpOverOthers) {
  Shape cube = shape(ShapeType::mesh, {});
  for (int i = 0; i < 8; ++i)
    cube.mesh.vertices.push_back({double(i & 1), double(i >> 1 & 1), double(i >> 2 & 1)});
  cube.mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                         {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  Surface s = smooth_surface(cube);
  expect_sound(s);
  EXPECT_EQ(s.positions.size(), 24u);
  EXPECT_NEAR(volume(s), 1, 1e-6);

  // a nearly flat roof keeps one normal along its ridge
  Shape roof = shape(ShapeType::mesh, {});
  roof.mesh.vertices = {{0, 0, 0.1}, {1, 0, 0.1}, {0, -1, 0}, {1, -1, 0}, {0, 1, 0}, {1, 1, 0}};
  roof.mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {0, 1, 5}, {0, 5, 4}, {0, 0, 1}};
  s = smooth_surface(roof);
  EXPECT_EQ(s.positions.size(), 6u);
  EXPECT_EQ(s.triangles.size(), 4u);
}

TEST(Surface, TheGroundIsDrawnWhereBodiesTouchIt) {
  const Rectangle area{-0.5, 1.5, -0.4, 0.7};
  for (const Terrain& terrain : {Terrain{}, slope_terrain(0.2), steps_terrain(0.1, 0.3),
                                 steps_terrain(-0.1, 0.3), rough_terrain(0.1, 0.5)}) {
    SCOPED_TRACE(terrain.spec);
    const Surface s = ground_surface(terrain, area);
    double floor_area = 0;
    for (const auto& t : s.triangles) {
      const Vec3d a = vec(s.positions[t[0]]), b = vec(s.positions[t[1]]), c = vec(s.positions[t[2]]);
      const Vec3d face = cross(b - a, c - a), middle = (a + b + c) * (1.0 / 3);
      EXPECT_GT(dot(face, vec(s.normals[t[0]])), 0);
      floor_area += face.z / 2;
      if (face.z > 1e-9) {
        EXPECT_NEAR(middle.z, sample(terrain, middle.x, middle.y).height, 2e-3);
      }
    }
    EXPECT_NEAR(floor_area, 2 * 1.1, 1e-5);
  }
  EXPECT_TRUE(ground_surface(no_terrain(), area).triangles.empty());
}

}  // namespace
}  // namespace legwork
