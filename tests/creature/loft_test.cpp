#include "creature/loft.h"

#include <gtest/gtest.h>

#include <cmath>

#include "creature/shape.h"
#include "math/real.h"

namespace legwork {
namespace {

MassProperties solid(const Mesh& mesh) { return mass_properties(mesh, 1); }

// The share of a circle's area that a polygon of sixteen sides covers.
const double share = 16 / (2 * pi) * sin(2 * pi / 16);

TEST(Loft, TwoEqualSectionsAreACapsule) {
  const Mesh mesh = loft({{{0, 0, 0}, 0.1, 0.1}, {{0, 0, 0.5}, 0.1, 0.1}});
  EXPECT_FALSE(mesh_fault(mesh));
  const double exact = pi * 0.01 * 0.5 + 4.0 / 3 * pi * 0.001;
  EXPECT_NEAR(solid(mesh).mass, share * exact, 0.02 * exact);  // the ends have four rows of flat faces
  EXPECT_LT(norm(solid(mesh).com - Vec3d(0, 0, 0.25)), 1e-12);
}

TEST(Loft, TwoPointsAndACircleAreTwoCones) {
  const Mesh mesh = loft({{{0, 0, -1}, 0, 0}, {{0, 0, 0}, 0.3, 0.3}, {{0, 0, 1}, 0, 0}});
  EXPECT_FALSE(mesh_fault(mesh));
  EXPECT_EQ(support({ShapeType::mesh, {}, {}, {}, mesh}, {0, 0, 1}), Vec3d(0, 0, 1));
  // flat at the circle and straight at the points: more than cones, less than an ellipsoid
  EXPECT_GT(solid(mesh).mass, share * 2 * pi * 0.09 / 3);
  EXPECT_LT(solid(mesh).mass, share * 4.0 / 3 * pi * 0.09);
}

TEST(Loft, AcrossLiesAlongYAndAlongIsSquareToIt) {
  const Mesh leg = loft({{{0, 0, 0}, 0.02, 0.05}, {{0, 0, -0.4}, 0.02, 0.05}});
  const Mesh trunk = loft({{{0.4, 0, 0}, 0.02, 0.05}, {{0, 0, 0}, 0.02, 0.05}});
  const Mesh girdle = loft({{{0, -0.4, 0}, 0.02, 0.05}, {{0, 0.4, 0}, 0.02, 0.05}});
  const auto reach = [](const Mesh& mesh, const Vec3d& d) {
    return dot(support({ShapeType::mesh, {}, {}, {}, mesh}, d), d);
  };
  for (const Mesh& mesh : {leg, trunk}) EXPECT_NEAR(reach(mesh, {0, 1, 0}), 0.02, 1e-12);
  EXPECT_NEAR(reach(leg, {1, 0, 0}), 0.05, 1e-12);
  EXPECT_NEAR(reach(trunk, {0, 0, 1}), 0.05, 1e-12);
  EXPECT_NEAR(reach(girdle, {1, 0, 0}), 0.02, 1e-12);
  EXPECT_NEAR(reach(girdle, {0, 0, 1}), 0.05, 1e-12);
}

TEST(Loft, HalfAxesDoNotOvershoot) {
  const Mesh bone = loft({{{0, 0, 0}, 0.05, 0.05},
                          {{0, 0, 0.1}, 0.02, 0.02},
                          {{0, 0, 0.4}, 0.02, 0.02},
                          {{0, 0, 0.5}, 0.06, 0.06}});
  for (const Vec3d& v : bone.vertices) {
    const double r = norm(Vec3d(v.x, v.y, 0));
    EXPECT_LT(r, 0.06 + 1e-12);
    if (v.z >= 0 && v.z <= 0.5) EXPECT_GT(r, 0.02 - 1e-12);
  }
}

TEST(Loft, ARibThatTurnsFromSidewaysToDownKeepsItsSections) {
  const Mesh rib = loft({{{0, 0, 0}, 0.02, 0.01},
                         {{0, 0.2, 0}, 0.02, 0.01},
                         {{0, 0.3, -0.2}, 0.02, 0.01},
                         {{0, 0.2, -0.5}, 0.02, 0.01}});
  EXPECT_FALSE(mesh_fault(rib));
  for (const Vec3d& v : rib.vertices) EXPECT_LE(std::abs(v.x), 0.02 + 1e-12);
  EXPECT_LT(rib.vertices.size(), 200u);  // slender: eight sides
}

TEST(Loft, ARowInThePlaneOfSymmetryIsASymmetricSolid) {
  const MassProperties m =
      solid(loft({{{0, 0, 0}, 0.05, 0.08}, {{0.2, 0, 0.1}, 0.07, 0.06}, {{0.5, 0, 0}, 0.02, 0.03}}));
  EXPECT_NEAR(m.com.y, 0, 1e-15);
  EXPECT_NEAR(m.inertia.xy, 0, 1e-15);
  EXPECT_NEAR(m.inertia.yz, 0, 1e-15);
}

}  // namespace
}  // namespace legwork
