// Gaits that stand on the ground: feet stay, limits hold, nothing jumps; measured from the frames.

#include "modes/planted.h"

#include <gtest/gtest.h>

#include <cmath>

#include <legwork/files.h>
#include <legwork/gait.h>
#include "math/real.h"
#include "modes/leg_body.h"
#include "modes/modes.h"

namespace legwork {
namespace {

TEST(SoftLimit, StaysWithinItsSoftnessAndMeetsTheRangeSmoothly) {
  const SoftLimit limit{-0.5, 1, 0.1};
  EXPECT_EQ(limit(0.3), 0.3);
  EXPECT_NEAR(limit(1.1), 1 + 0.05, 1e-15) << "d - d^2 / (d + soft) at d = soft is soft / 2";
  EXPECT_LT(limit(50), 1.1);
  EXPECT_GT(limit(-50), -0.6);
  for (const double y : {-0.7, -0.5, 0.2, 1.0, 1.3})
    EXPECT_NEAR(limit.slope(y), (limit(y + 1e-6) - limit(y - 1e-6)) / 2e-6, 1e-4) << y;
}

TEST(ModalPose, IsEquationFour) {
  Modes modes;
  modes.x0 = {0.1, 0.2};
  modes.joints = Eigen::MatrixXd::Identity(2, 2);
  double y[2];
  modal_pose(modes, {{1, "", 0.5, pi / 2, 2, 0.25}}, 0.125, y);
  EXPECT_NEAR(y[0], 0.1, 1e-15);
  EXPECT_NEAR(y[1], 0.2 + 0.5 * std::cos(2 * pi * 2 * 0.125) + 0.25, 1e-15);
}

// A gait and the measures taken from its frames.
struct Animated {
  ModalResult result;
  Gait gait;
};
Animated animate(const std::string& creature, const std::string& action, const std::string& terrain = "plane",
                 double turn = 0) {
  World world = load_world(creature);
  world.terrain = parse_terrain(terrain);
  ModesOptions options;
  options.action = action, options.turn = turn, options.seconds = 2;
  if (creature == "dog") options.stiffness = "20", options.spine = 5;
  if (creature == "human") options.stiffness = "100", options.spine = 10;
  Animated a{make_modes_motion(world, options), {}};
  a.gait = measure_gait(a.result.motion);
  return a;
}

struct Case {
  const char *creature, *action;
};

void expect_good_footing(const Animated& a) {
  EXPECT_LT(a.gait.slip, 1e-3);
  EXPECT_LT(a.gait.penetration, 1e-3);
  EXPECT_LT(a.result.planted.limit_excess, 5 * pi / 180);
  EXPECT_LT(a.result.planted.velocity_jump, 0.1);
  for (const LegGait& leg : a.gait.legs) EXPECT_FALSE(leg.stances.empty());
}

TEST(PlantedGait, FeetNeitherSlideNorSinkByAMillimetreOnLevelGround) {
  for (const Case& c : {Case{"dog", "trot"},
                        {"dog", "gallop"},
                        {"dog", "jump"},
                        {"human", "run"},
                        {"human", "jumping-jack"},
                        {"hexapod", "walk"},
                        {"strider", "walk"},
                        {"biped", "walk"},
                        {"octopod", "walk"},
                        {"tyrannosaurus", "walk"}}) {
    SCOPED_TRACE(std::string(c.creature) + " " + c.action);
    expect_good_footing(animate(c.creature, c.action));
  }
}

TEST(PlantedGait, NorDoTheyUpASlopeOrInATurn) {
  for (const Case& c : {Case{"dog", "walk"}, {"human", "walk"}, {"hexapod", "walk"}}) {
    SCOPED_TRACE(c.creature);
    expect_good_footing(animate(c.creature, c.action, "slope:5deg"));
    const Animated turning = animate(c.creature, c.action, "plane", 10);
    expect_good_footing(turning);
    EXPECT_NEAR(turning.result.planted.speed, turning.gait.speed, 0.1 * turning.gait.speed);
  }
}

TEST(PlantedGait, SaysWhichFeetStandAndClaimsNoForces) {
  const Animated a = animate("dog", "trot");
  EXPECT_TRUE(a.result.motion.contact_force.empty());
  const Channel* stance = a.result.motion.channel("stance");
  ASSERT_TRUE(stance);
  EXPECT_EQ(stance->unit, "1");
  EXPECT_EQ(stance->width, 4);
  EXPECT_EQ(stance->values.size(), a.result.motion.time.size() * 4);
  for (const double value : stance->values) EXPECT_TRUE(value == 0 || value == 1);
  EXPECT_EQ(a.gait.stances_from, StancesFrom::plan);
  EXPECT_EQ(a.gait.name, "trot");
}

TEST(PlantedGait, RepeatsWithItsCycle) {
  World world = load_world("dog");
  ModesOptions options;
  options.action = "trot", options.stiffness = "20", options.spine = 5, options.hz = 2, options.seconds = 2;
  const Motion motion = make_modes_motion(world, options).motion;
  const size_t nq = size_t(world.body.nq());
  for (size_t j = 7; j < nq; ++j) EXPECT_NEAR(motion.q[10 * nq + j], motion.q[(10 + 60) * nq + j], 1e-9) << j;
}

TEST(PlantedGait, StandsOnUnevenGround) {
  const Animated a = animate("strider", "walk", "rough:0.02,0.5");
  EXPECT_LT(a.gait.slip, 3e-3);
  EXPECT_GT(a.gait.speed, 0.2);
}

}  // namespace
}  // namespace legwork
