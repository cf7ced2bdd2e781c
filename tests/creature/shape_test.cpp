#include "creature/shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "creature/hull.h"
#include "tests/creature/example_shapes.h"

namespace legwork {
namespace {

void expect_near(const Sym3d& a, const Sym3d& b, double tolerance) {
  EXPECT_NEAR(a.xx, b.xx, tolerance);
  EXPECT_NEAR(a.yy, b.yy, tolerance);
  EXPECT_NEAR(a.zz, b.zz, tolerance);
  EXPECT_NEAR(a.xy, b.xy, tolerance);
  EXPECT_NEAR(a.xz, b.xz, tolerance);
  EXPECT_NEAR(a.yz, b.yz, tolerance);
}

Shape as_mesh(const Shape& shape, int detail) {
  Shape mesh;
  mesh.type = ShapeType::mesh;
  mesh.mesh = surface(shape, detail);
  mesh.density = shape.density;
  return mesh;
}

TEST(Shape, EveryFormulaAgreesWithAFineMeshOfTheSameSurface) {
  for (const Shape& shape : example_shapes()) {
    SCOPED_TRACE(int(shape.type));
    const MassProperties exact = mass_properties(shape), fine = mass_properties(as_mesh(shape, 400));
    // inscribed facets miss a share of about (2 pi / 400)^2
    EXPECT_NEAR(fine.mass, exact.mass, 3e-4 * exact.mass);
    EXPECT_LT(norm(fine.com - exact.com), 1e-12);
    const double scale = exact.inertia.xx + exact.inertia.yy + exact.inertia.zz;
    expect_near(fine.inertia, exact.inertia, 3e-4 * scale);
  }
}

TEST(Shape, ABoxAsMeshIsExactWhereverItLies) {
  Shape box = example_shapes()[0];
  const MassProperties exact = mass_properties(box), mesh = mass_properties(as_mesh(box, 3));
  EXPECT_NEAR(mesh.mass, exact.mass, 1e-12);
  EXPECT_LT(norm(mesh.com - exact.com), 1e-14);
  expect_near(mesh.inertia, exact.inertia, 1e-13);
  box.pos = {1000, -2000, 500};
  expect_near(mass_properties(as_mesh(box, 3)).inertia, exact.inertia, 1e-9);
}

TEST(Shape, BoxMassIsDensityTimesVolume) {
  Shape box;
  box.size = {0.1, 0.2, 0.3};
  box.density = 500;
  const MassProperties m = mass_properties(box);
  EXPECT_DOUBLE_EQ(m.mass, 3);
  expect_near(m.inertia, Sym3d::diagonal(3.0 / 12 * 0.13, 3.0 / 12 * 0.1, 3.0 / 12 * 0.05), 1e-15);
}

TEST(Shape, TwoHalvesOfABoxMakeTheBox) {
  Shape whole, half;
  whole.size = {2, 1, 1};
  half.size = {1, 1, 1};
  MassProperties sum;
  for (const double x : {-0.5, 0.5}) {
    half.pos = {x, 0, 0};
    sum = sum + mass_properties(half);
  }
  EXPECT_DOUBLE_EQ(sum.mass, mass_properties(whole).mass);
  EXPECT_LT(norm(sum.com), 1e-15);
  expect_near(sum.inertia, mass_properties(whole).inertia, 1e-9);
}

TEST(Shape, SurfacesAreClosedAndOutwardAtEveryDetail) {
  for (const Shape& shape : example_shapes())
    for (const int detail : {3, 4, 5, 24}) {
      const Mesh mesh = surface(shape, detail);
      EXPECT_FALSE(mesh_fault(mesh)) << int(shape.type) << " at " << detail;
      for (const Vec3d& v : mesh.vertices) EXPECT_NEAR(distance(shape, v).distance, 0, 1e-12);
    }
}

TEST(Shape, SupportIsNoNearerThanAnySurfacePointAndLiesOnTheSurface) {
  Random random(1);
  for (const Shape& shape : example_shapes()) {
    const Mesh mesh = surface(shape, 60);
    for (int n = 0; n < 50; ++n) {
      const Vec3d d(random.normal(), random.normal(), random.normal());
      const Vec3d far = support(shape, d);
      double most = -unlimited;
      for (const Vec3d& v : mesh.vertices) most = std::max(most, dot(v, d));
      EXPECT_GE(dot(far, d), most - 1e-12);
      EXPECT_NEAR(distance(shape, far).distance, 0, 1e-9);
    }
  }
}

TEST(Shape, DistanceIsTheDistanceFromTheFinelyTriangulatedSurface) {
  Random random(2);
  for (const Shape& shape : example_shapes()) {
    SCOPED_TRACE(int(shape.type));
    const Mesh mesh = surface(shape, 200);
    for (int n = 0; n < 40; ++n) {
      const Vec3d p =
          shape.pos + Vec3d(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5));
      const ShapeDistance d = distance(shape, p);
      EXPECT_NEAR(norm(d.normal), 1, 1e-12);
      // the foot point lies on the surface, along the normal
      EXPECT_NEAR(distance(shape, p - d.normal * d.distance).distance, 0, 1e-9);
      if (shape.type == ShapeType::box || shape.type == ShapeType::cylinder) continue;  // few vertices
      double nearest = unlimited;
      for (const Vec3d& v : mesh.vertices) nearest = std::min(nearest, norm(p - v));
      EXPECT_LE(std::fabs(d.distance), nearest + 1e-12);
      if (shape.type != ShapeType::capsule) EXPECT_GE(std::fabs(d.distance), nearest - 0.01);
    }
  }
}

TEST(Shape, DistanceFromAnEllipsoidsCentreAndAxesIsKnown) {
  Shape e;
  e.type = ShapeType::ellipsoid;
  e.size = {3, 2, 1};
  EXPECT_NEAR(distance(e, {}).distance, -1, 1e-12);
  EXPECT_NEAR(std::fabs(distance(e, {}).normal.z), 1, 1e-12);
  EXPECT_NEAR(distance(e, {5, 0, 0}).distance, 2, 1e-12);
  EXPECT_NEAR(distance(e, {0, 0, -0.25}).distance, -0.75, 1e-12);
  // in the plane of the long axes the nearest point is off it: x = 9 * 0.5 / 8, z from the surface
  const double x = 9 * 0.5 / 8, z = std::sqrt(1 - x * x / 9);
  EXPECT_NEAR(distance(e, {0.5, 0, 0}).distance, -std::hypot(x - 0.5, z), 1e-12);
  e.size = {1, 1, 1};
  EXPECT_NEAR(distance(e, {}).distance, -1, 1e-12);
  EXPECT_NEAR(distance(e, {0.3, 0.4, 0}).distance, -0.5, 1e-12);
}

TEST(Shape, BoundingBoxOfATurnedCapsuleIsTight) {
  Shape capsule;
  capsule.type = ShapeType::capsule;
  capsule.size = {0.1, 2, 0};
  const double s = std::sqrt(0.5);
  const Box box = bounding_box(capsule, matrix(Quatd(s, 0, s, 0)), {1, 2, 3});  // z to x
  EXPECT_LT(norm(box.lower - Vec3d(-0.1, 1.9, 2.9)), 1e-12);
  EXPECT_LT(norm(box.upper - Vec3d(2.1, 2.1, 3.1)), 1e-12);
}

TEST(Shape, ContactPointsLieOnTheSurface) {
  const size_t count[] = {8, 1, 2, 16, 26};
  for (const Shape& shape : example_shapes()) {
    const auto balls = contact_balls(shape);
    EXPECT_EQ(balls.size(), count[int(shape.type)]);
    for (const Ball& b : balls) EXPECT_NEAR(distance(shape, b.pos).distance, -b.radius, 1e-12);
  }
}

TEST(Shape, AFineMeshTouchesWithAtMost32ExtremePoints) {
  const Shape mesh = as_mesh(example_shapes()[4], 40);
  const auto balls = contact_balls(mesh);
  EXPECT_EQ(balls.size(), 32u);
  const Box all = bounding_box(mesh);
  Box touched;
  for (const Ball& b : balls) extend(touched, b.pos);
  EXPECT_LT(norm(all.lower - touched.lower) + norm(all.upper - touched.upper), 1e-12);
}

TEST(Mesh, OpenInsideOutFlatAndEmptyMeshesAreTold) {
  Shape box;
  box.size = {1, 1, 1};
  const Mesh closed = surface(box);
  Mesh bad = closed;
  bad.file = "skull.obj";
  bad.triangles.pop_back();
  EXPECT_STREQ(
      mesh_fault(bad)->what(),
      "its mesh 'skull.obj' is open (3 edges without a partner), so it encloses no volume; close it, or "
      "give the link's mass and inertia");
  bad = closed;
  for (auto& t : bad.triangles) std::swap(t[0], t[1]);
  EXPECT_STREQ(
      mesh_fault(bad)->what(),
      "its mesh is inside-out (its volume is negative); reverse the order of its triangles' vertices");
  bad = closed;
  for (Vec3d& v : bad.vertices) v.z = 0;
  EXPECT_STREQ(mesh_fault(bad)->what(),
               "its mesh encloses no volume; give it thickness, or give the link's mass and inertia");
  EXPECT_STREQ(mesh_fault({})->what(), "its mesh is empty; give it triangles");
  bad = closed;
  bad.triangles[0][0] = 8;
  EXPECT_STREQ(mesh_fault(bad)->what(), "its mesh has a triangle with vertex 8 of 8; export it again");
  bad = closed;
  bad.vertices[0].x = NAN;
  EXPECT_STREQ(mesh_fault(bad)->what(), "its mesh has a vertex that is not a finite number; export it again");
}

TEST(Mesh, VerticesSplitForShadingStillMakeAClosedSolid) {
  Shape box;
  box.size = {1, 2, 3};
  const Mesh shared = surface(box);
  Mesh split;
  for (const auto& t : shared.triangles) {
    for (const int i : t) split.vertices.push_back(shared.vertices[i]);
    const int n = int(split.vertices.size());
    split.triangles.push_back({n - 3, n - 2, n - 1});
  }
  EXPECT_FALSE(mesh_fault(split));
  EXPECT_EQ(weld(split).vertices.size(), 8u);
}

// Every point inside every plane; every triangle's edges matched; Euler's formula.
void expect_hull_of(const Hull& hull, const std::vector<Vec3d>& points) {
  ASSERT_EQ(hull.dimension, 3);
  Mesh mesh{points, hull.triangles};
  EXPECT_FALSE(mesh_fault(mesh));
  EXPECT_EQ(hull.triangles.size(), 2 * hull.vertices.size() - 4);
  for (const Plane& plane : hull.planes)
    for (const Vec3d& p : points) EXPECT_LE(dot(plane.normal, p), plane.offset + 1e-7);
}

TEST(Hull, OfRandomCloudsHoldsEveryPoint) {
  Random random(3);
  for (const int n : {4, 5, 20, 500}) {
    std::vector<Vec3d> points;
    for (int i = 0; i < n; ++i) points.push_back({random.normal(), random.normal(), random.normal()});
    expect_hull_of(convex_hull(points), points);
  }
}

TEST(Hull, OfAGridOfManyCoplanarPointsIsTheBox) {
  std::vector<Vec3d> points;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < 6; ++k) points.push_back({i * 0.1, j * 0.1, k * 0.1});
  const Hull hull = convex_hull(points);
  expect_hull_of(hull, points);
  EXPECT_EQ(hull.planes.size(), 6u);
  EXPECT_EQ(hull.vertices.size(), 8u);
  // the same, turned: coplanar only to rounding
  const Mat3d R = matrix(normalized(Quatd(1, 2, 3, 4)));
  for (Vec3d& p : points) p = R * p;
  expect_hull_of(convex_hull(points), points);
}

TEST(Hull, OfASphereUsesAllItsPoints) {
  Shape sphere;
  sphere.type = ShapeType::sphere;
  sphere.size = {1, 0, 0};
  const std::vector<Vec3d> points = surface(sphere, 32).vertices;
  const Hull hull = convex_hull(points);
  expect_hull_of(hull, points);
  EXPECT_EQ(hull.vertices.size(), points.size());
}

TEST(Hull, FlatCollinearAndSingleCloudsAreDiagnosed) {
  std::vector<Vec3d> flat, line;
  for (int i = 0; i < 10; ++i) {
    const double a = 0.7 * i;
    flat.push_back({std::cos(a), std::sin(a), 0.3 * std::cos(a) + 0.1 * std::sin(a)});
    line.push_back({0.1 * i, 0.2 * i, -0.3 * i});
  }
  EXPECT_EQ(convex_hull(flat).dimension, 2);
  EXPECT_EQ(convex_hull(line).dimension, 1);
  EXPECT_EQ(convex_hull({{1, 2, 3}, {1, 2, 3}}).dimension, 0);
  EXPECT_EQ(convex_hull({}).dimension, 0);
  EXPECT_EQ(convex_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, NAN}}).dimension, 0);
}

TEST(Hull, DistanceByPlanesIsExactInsideABox) {
  Shape box = example_shapes()[0], mesh = as_mesh(box, 3);
  mesh.mesh.hull = convex_hull(mesh.mesh.vertices).planes;
  Random random(4);
  for (int n = 0; n < 100; ++n) {
    const Vec3d p = box.pos + Vec3d(random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 0);
    const double d = distance(box, p).distance;
    if (d < 0) EXPECT_NEAR(distance(mesh, p).distance, d, 1e-8);
  }
}

}  // namespace
}  // namespace legwork
