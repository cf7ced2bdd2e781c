#include "creature/solid.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "creature/hull.h"
#include "creature/shape.h"

namespace legwork {
namespace {

struct Pose {
  Mat3d R = Mat3d::identity();
  Vec3d p;
};

Shape shape_of(ShapeType type, const Vec3d& size) {
  Shape s;
  s.type = type;
  s.size = size;
  return s;
}

// The same box as a mesh.
Shape as_mesh(const Shape& box) {
  Shape mesh;
  mesh.type = ShapeType::mesh;
  mesh.mesh = surface(box);
  mesh.mesh.hull = convex_hull(mesh.mesh.vertices).planes;
  return mesh;
}

Pose random_pose(Random& random, double far) {
  Pose pose;
  pose.R = matrix(normalized(Quatd{random.normal(), random.normal(), random.normal(), random.normal()}));
  pose.p = {random.uniform(-far, far), random.uniform(-far, far), random.uniform(-far, far)};
  return pose;
}

struct Met {
  double gap;
  std::vector<SolidMeeting> at;
};
Met meet(const Shape& a, const Pose& x, const Shape& b, const Pose& y, double reach = 10) {
  SolidScratch scratch;
  Met met{unlimited, {}};
  for (const Solid& s : make_solids(a))
    for (const Solid& t : make_solids(b))
      met.gap = std::min(met.gap, meet_solids(s, x.R, x.p, t, y.R, y.p, reach, scratch, met.at));
  return met;
}

TEST(Solid, EdgesThatCrossMeetBetweenThem) {
  // two bars, each standing on an edge, the upper one turned by a right angle
  const Shape bar = shape_of(ShapeType::box, {1, 0.1, 0.1});
  const double diagonal = 0.1 / std::sqrt(2.0);
  const Pose low{matrix(normalized(Quatd{std::cos(0.3926990817), std::sin(0.3926990817), 0, 0})), {}};
  const Quatd quarter = normalized(Quatd{1, 0, 0, 1});
  const Pose high{matrix(quarter) * low.R, {0.2, 0.1, 2 * diagonal - 0.003}};
  const Met met = meet(bar, high, bar, low, 0);
  ASSERT_EQ(met.at.size(), 1u);
  EXPECT_EQ(met.at[0].feature, SolidMeeting::Feature::edges);
  EXPECT_NEAR(met.gap, -0.003, 1e-9);
  EXPECT_NEAR(met.at[0].gap, -0.003, 1e-9);
  EXPECT_NEAR(met.at[0].normal.z, 1, 1e-9);
  EXPECT_NEAR(met.at[0].point.x, 0.2, 1e-9);
  EXPECT_NEAR(met.at[0].point.y, 0, 1e-9);
}

TEST(Solid, PlanksThatCrossFlatMeetAtFourPlaces) {
  const Shape plank = shape_of(ShapeType::box, {1, 0.1, 0.02});
  const Pose low, high{matrix(normalized(Quatd{1, 0, 0, 1})), {0, 0, 0.019}};
  const Met met = meet(plank, high, plank, low, 0);
  ASSERT_EQ(met.at.size(), 4u);
  for (const SolidMeeting& m : met.at) {
    EXPECT_NEAR(m.gap, -0.001, 1e-12);
    EXPECT_NEAR(std::abs(m.point.x), 0.05, 1e-12);
    EXPECT_NEAR(std::abs(m.point.y), 0.05, 1e-12);
    EXPECT_NEAR(m.normal.z, 1, 1e-12);
  }
}

// distance(shape, point) is exact for boxes, and along a segment outside it is convex: its least value by
// ternary search.
TEST(Solid, ACapsuleIsAsFarFromABoxAsThePointsOfItsLine) {
  Random random(3);
  const Shape box = shape_of(ShapeType::box, {0.4, 0.6, 0.3});
  const Shape capsule = shape_of(ShapeType::capsule, {0.05, 0.7, 0});
  int apart = 0, inner = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Pose at = random_pose(random, 0.7);
    const Vec3d along = at.R * Vec3d(0, 0, 0.35);
    double from = -1, to = 1;
    for (int i = 0; i < 100; ++i) {
      const double a = from + (to - from) / 3, b = to - (to - from) / 3;
      (distance(box, at.p + along * a).distance < distance(box, at.p + along * b).distance ? to : from) =
          distance(box, at.p + along * a).distance < distance(box, at.p + along * b).distance ? b : a;
    }
    const double known = distance(box, at.p + along * from).distance;
    if (known < 1e-3) continue;  // the line itself cuts the box
    ++apart, inner += std::abs(from) < 0.99;
    const Met one = meet(capsule, at, box, {}), other = meet(box, {}, capsule, at);
    EXPECT_NEAR(one.gap, known - 0.05, 1e-9);
    EXPECT_NEAR(other.gap, known - 0.05, 1e-9);
    ASSERT_EQ(one.at.size(), other.at.size());
    for (std::size_t i = 0; i < one.at.size(); ++i) {
      EXPECT_LT(norm(one.at[i].normal + other.at[i].normal), 1e-12);
      // the two points are a gap apart, each on the other's surface
      EXPECT_NEAR(norm(one.at[i].point - other.at[i].point), std::abs(one.at[i].gap), 1e-9);
    }
  }
  EXPECT_GT(apart, 1000);
  EXPECT_GT(inner, 300);
}

TEST(Solid, ABoxAndTheMeshOfItsSurfaceMeetAlike) {
  Random random(5);
  const Shape a = shape_of(ShapeType::box, {0.4, 0.3, 0.2}), b = shape_of(ShapeType::box, {0.2, 0.2, 0.5});
  int overlapping = 0, edges = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Pose x = random_pose(random, 0.25), y = random_pose(random, 0.25);
    const Met boxes = meet(a, x, b, y, 0), meshes = meet(as_mesh(a), x, as_mesh(b), y, 0);
    if (boxes.gap >= 0 || meshes.gap >= 0) {
      EXPECT_EQ(boxes.at.empty(), meshes.at.empty());
      continue;
    }
    ++overlapping;
    EXPECT_NEAR(boxes.gap, meshes.gap, 1e-9);
    ASSERT_FALSE(boxes.at.empty());
    edges += boxes.at[0].feature == SolidMeeting::Feature::edges;
  }
  EXPECT_GT(overlapping, 500);
  EXPECT_GT(edges, 50);
}

// Out along the normal by the depth they just touch; by a little less they overlap whatever the direction.
TEST(Solid, ADepthIsTheShortestWayApart) {
  Random random(7);
  const Shape shapes[] = {
      shape_of(ShapeType::box, {0.4, 0.3, 0.2}),    as_mesh(shape_of(ShapeType::box, {0.2, 0.3, 0.4})),
      shape_of(ShapeType::capsule, {0.08, 0.3, 0}), shape_of(ShapeType::sphere, {0.15, 0, 0}),
      shape_of(ShapeType::cylinder, {0.1, 0.3, 0}), shape_of(ShapeType::ellipsoid, {0.1, 0.2, 0.15})};
  int overlapping = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Shape &a = shapes[trial % 6], &b = shapes[trial / 6 % 6];
    const Pose x = random_pose(random, 0.15), y = random_pose(random, 0.15);
    const Met met = meet(a, x, b, y, 0);
    if (!(met.gap < -1e-3) || met.at.empty()) continue;
    ++overlapping;
    const SolidMeeting* deepest = &met.at[0];
    for (const SolidMeeting& m : met.at)
      if (m.gap < deepest->gap) deepest = &m;
    EXPECT_NEAR(deepest->gap, met.gap, 1e-4);
    EXPECT_NEAR(meet(a, {x.R, x.p - deepest->normal * met.gap}, b, y).gap, 0, 1e-6);
    for (int k = 0; k < 30; ++k) {
      const Vec3d d = normalized(Vec3d(random.normal(), random.normal(), random.normal()));
      EXPECT_LT(meet(a, {x.R, x.p - d * (0.99 * met.gap)}, b, y).gap, 1e-9);
    }
  }
  EXPECT_GT(overlapping, 100);
}

TEST(Solid, HollowsOfAMeshThatIsNotConvexCount) {
  // an open trough: a floor and two walls, as one surface of triangles seen from inside
  Shape trough;
  trough.type = ShapeType::mesh;
  trough.mesh.vertices = {{-1, -0.2, 0.3}, {1, -0.2, 0.3}, {-1, -0.2, 0},  {1, -0.2, 0},
                          {-1, 0.2, 0},    {1, 0.2, 0},    {-1, 0.2, 0.3}, {1, 0.2, 0.3}};
  trough.mesh.triangles = {{0, 1, 2}, {1, 3, 2}, {2, 3, 4}, {3, 5, 4}, {4, 5, 6}, {5, 7, 6}};
  trough.mesh.convex = false;
  const Shape ball = shape_of(ShapeType::sphere, {0.1, 0, 0});
  EXPECT_TRUE(meet(ball, {Mat3d::identity(), {0.1, 0, 0.15}}, trough, {}, 0).at.empty());
  const Met floor = meet(ball, {Mat3d::identity(), {0.1, 0, 0.09}}, trough, {}, 0);
  ASSERT_FALSE(floor.at.empty());
  EXPECT_NEAR(floor.gap, -0.01, 1e-12);
  EXPECT_NEAR(floor.at[0].normal.z, 1, 1e-12);
  const Met wall = meet(ball, {Mat3d::identity(), {0.1, 0.105, 0.15}}, trough, {}, 0);
  ASSERT_FALSE(wall.at.empty());
  EXPECT_NEAR(wall.gap, -0.005, 1e-12);
  EXPECT_NEAR(wall.at[0].normal.y, -1, 1e-12);
}

}  // namespace
}  // namespace legwork
