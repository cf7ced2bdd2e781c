#include "walk/stance_load.h"

#include <gtest/gtest.h>

#include <cmath>

#include "formats/toml/creature_toml.h"
#include "walk/programs.h"

namespace legwork {
namespace {

// One hinge with the spring given.
struct Hinge {
  explicit Hinge(const std::string& spring)
      : creature(parse_creature_toml("[[link]]\nname = \"a\"\nshape = { sphere = 0.1 }\n[[link]]\nname = "
                                     "\"b\"\nparent = \"a\"\njoint = { hinge = \"y\", spring = { " +
                                         spring + " } }\nshape = { sphere = 0.1 }\n",
                                     "hinge.toml")),
        model(make_model(creature)),
        joints(make_joint_forces(creature, model)) {}
  Creature creature;
  Model<double> model;
  JointForces<double> joints;
};

TEST(Carry, TheBendOfASpringGivesBackTheTorque) {
  const Hinge exponential("exponential = [2e-3, 8]"), linear("stiffness = 5");
  const int dof = exponential.model.nv - 1;
  for (const double torque : {-3.0, -1e-4, 0.0, 1e-6, 0.02, 40.0}) {
    const double x = spring_bend(exponential.joints, dof, torque);
    EXPECT_NEAR(std::copysign(2e-3 * std::expm1(8 * std::fabs(x)), x), torque,
                1e-9 * (1 + std::fabs(torque)));
    EXPECT_NEAR(spring_bend(linear.joints, dof, torque), torque / 5, 1e-15);
  }
}

TEST(Carry, SharesBalanceTheWeightOverTheCentreOfMass) {
  const std::vector<Vec3d> feet{{1, 1, 0}, {1, -1, 0}, {-1, 1, 0}, {-1, -1, 0.2}};
  std::vector<double> share(4);
  const Vec3d com(0.3, -0.2, 0.7);
  share_weight(feet, {1, 1, 1, 1}, com, {0, 0, -9.81}, share);
  Vec3d middle;
  double sum = 0;
  for (size_t i = 0; i < 4; ++i) middle = middle + feet[i] * share[i], sum += share[i];
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_NEAR(middle.x, com.x, 1e-3);
  EXPECT_NEAR(middle.y, com.y, 1e-3);
}

TEST(Carry, NoFootPullsAndFeetThatTakeNoPartBearNothing) {
  const std::vector<Vec3d> feet{{1, 1, 0}, {1, -1, 0}, {-1, 1, 0}, {-1, -1, 0}};
  std::vector<double> share(4);
  // over the front edge: the front feet bear all
  share_weight(feet, {1, 1, 1, 1}, {3, 0, 1}, {0, 0, -1}, share);
  EXPECT_NEAR(share[0], 0.5, 1e-9);
  EXPECT_NEAR(share[1], 0.5, 1e-9);
  EXPECT_EQ(share[2], 0);
  share_weight(feet, {0, 1, 1, 1}, {0, 0, 1}, {0, 0, -1}, share);
  EXPECT_EQ(share[0], 0);
  EXPECT_NEAR(share[1], 0.5, 1e-3);
  EXPECT_NEAR(share[3], 0, 1e-3);
  share_weight(feet, {0, 0, 0, 0}, {0, 0, 1}, {0, 0, -1}, share);
  for (const double s : share) EXPECT_EQ(s, 0);
}

TEST(Carry, OnASlopeTheLowerFeetBearMore) {
  const std::vector<Vec3d> feet{{1, 1, 0}, {1, -1, 0}, {-1, 1, 0}, {-1, -1, 0}};
  std::vector<double> share(4);
  // nose up: gravity leans to the tail, and the weight meets the ground 0.5 tan(10 deg) behind the middle
  share_weight(feet, {1, 1, 1, 1}, {0, 0, 0.5}, {-std::tan(0.1745), 0, -1}, share);
  EXPECT_NEAR(share[2] + share[3], 0.5 * (1 + 0.5 * std::tan(0.1745)), 1e-3);
}

TEST(Carry, LeastMotionMovesThePoint) {
  const Vec3d moves[] = {{0, 0.1, 0}, {0, 0, 0.2}, {0.15, 0, 0}, {0.1, 0, 0}};
  double motion[4];
  const Vec3d wanted(0.01, -0.02, 0.03);
  least_motion(moves, 4, wanted, motion);
  Vec3d moved;
  for (int k = 0; k < 4; ++k) moved = moved + moves[k] * motion[k];
  EXPECT_NEAR(norm(moved - wanted), 0, 0.1 * norm(wanted));  // damped
  EXPECT_NEAR(motion[2] / motion[3], 1.5, 1e-9);             // what does more is moved more
}

TEST(Carry, ThePlaneThroughFeetIsFound) {
  std::vector<Vec3d> points{{1, 2, 0}, {-1, 1, 0}, {0.5, -2, 0}, {2, 2, 77}};
  for (size_t i = 0; i < 3; ++i) points[i].z = 0.1 + 0.2 * points[i].x - 0.3 * points[i].y;
  const Tilt tilt = fit_plane(points, {1, 1, 1, 0});
  EXPECT_NEAR(tilt.at(0, 0), 0.1, 1e-2);
  EXPECT_NEAR(tilt.b, 0.2, 2e-3);
  EXPECT_NEAR(tilt.c, -0.3, 2e-3);
}

}  // namespace
}  // namespace legwork
