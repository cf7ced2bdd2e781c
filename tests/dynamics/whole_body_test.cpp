#include "dynamics/whole_body.h"

#include <gtest/gtest.h>

#include "dynamics/dynamics.h"
#include "tests/dynamics/random_creature.h"

namespace legwork {
namespace {

// Four feet at the corners of a rectangle a metre below the body.
std::vector<SupportPoint> table() {
  std::vector<SupportPoint> points;
  for (const double x : {0.5, -0.5})
    for (const double y : {0.2, -0.2}) points.push_back({{x, y, -1}, {0, 0, 1}, {}});
  return points;
}

Wrench<double> sum(const std::vector<SupportPoint>& points) {
  Wrench<double> total{};
  for (const SupportPoint& p : points) total += Wrench<double>{cross(p.arm, p.force), p.force};
  return total;
}

TEST(WholeBody, ForcesSumUpToTheWantedWrenchWhereTheGroundCanGiveIt) {
  std::vector<SupportPoint> points = table();
  const Wrench<double> wanted{{5, -10, 3}, {8, -4, 100}};
  for (int n = 0; n < 20; ++n) share_wrench(wanted, 100, 1, 0.8, points.data(), int(points.size()));
  const Wrench<double> got = sum(points);
  EXPECT_LT(norm(got.lin - wanted.lin), 0.5);
  EXPECT_LT(norm(got.ang - wanted.ang), 0.5);
}

TEST(WholeBody, NoPointPullsOrPassesItsFriction) {
  std::vector<SupportPoint> points = table();
  // a lateral force beyond friction, and a moment that tips the body over
  share_wrench({{80, 0, 0}, {0, 90, 100}}, 100, 1, 0.5, points.data(), int(points.size()));
  for (const SupportPoint& p : points) {
    EXPECT_GE(p.force.z, 0);
    EXPECT_LE(std::fabs(p.force.x), 0.5 * p.force.z + 1e-12);
    EXPECT_LE(std::fabs(p.force.y), 0.5 * p.force.z + 1e-12);
  }
}

TEST(WholeBody, OnASlopeForcesStayWithinTheSlopesOwnFriction) {
  const Vec3d normal = Vec3d(0.6, 0, 0.8);
  std::vector<SupportPoint> points = table();
  for (SupportPoint& p : points) p.normal = normal;
  share_wrench({{0, 0, 0}, {0, 0, 100}}, 100, 1, 0.3, points.data(), int(points.size()));
  for (const SupportPoint& p : points) {
    const double push = dot(p.force, normal);
    EXPECT_GE(push, -1e-12);
    EXPECT_LE(norm(p.force - normal * push), 0.3 * push * std::sqrt(2.0) + 1e-9);
  }
}

TEST(WholeBody, ABodyThatTurnsAsOnePieceSpinsAsItsRootDoes) {
  Random random(7);
  Creature c = random_creature(random, 12, moving_joint_types());
  c.links[0].joints = {random_joint(random, JointType::free, "root")};
  const Model<double> m = make_model(c);
  Workspace<double> w(m);
  const std::vector<double> q = random_positions(random, c);
  std::vector<double> v(size_t(m.nv), 0);
  for (size_t k = 0; k < 6; ++k) v[k] = random.uniform(-2, 2);
  update_positions(m, q.data(), w);
  update_velocities(m, q.data(), v.data(), w);
  const MeanMotion mean = mean_motion(m, w);
  EXPECT_LT(norm(mean.spin - w.vel[0].ang), 1e-9);
  const Vec3d com = center_of_mass(m, w);
  EXPECT_LT(norm(mean.velocity - (w.vel[0].lin + cross(w.vel[0].ang, com - w.p[0]))), 1e-9);
}

}  // namespace
}  // namespace legwork
