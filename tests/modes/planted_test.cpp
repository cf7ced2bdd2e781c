// Gaits that stand on the ground: feet stay, limits hold, nothing jumps; measured from the frames.

#include "legwork/modes/planted.h"

#include <gtest/gtest.h>

#include <cmath>

#include "legwork/io/load.h"
#include "legwork/math/real.h"
#include "legwork/modes/modes.h"
#include "legwork/motion/gait.h"

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

struct Case {
  const char *creature, *action, *terrain;
  double turn;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.creature << " " << c.action << " " << c.terrain << " " << c.turn;
}

class Planted : public testing::TestWithParam<Case> {};

TEST_P(Planted, FeetNeitherSlideNorSinkAndJointsNeitherPassTheirLimitsNorJump) {
  World world = load_world(GetParam().creature);
  world.terrain = parse_terrain(GetParam().terrain);
  ModesOptions options;
  options.action = GetParam().action;
  options.turn = GetParam().turn;
  options.seconds = 4;
  StepOptions step;
  const ModalResult r = make_modes_motion(world, options, {.rate = 120}, step);
  EXPECT_LT(r.planted.slide, 1e-3);
  EXPECT_LT(r.planted.sink, 1e-3);
  EXPECT_LT(r.planted.limit_excess, options.soft * pi / 180);
  EXPECT_GT(r.planted.speed, 0.1);
  // an independent measure of the same frames
  const Gait gait = measure_gait(r.motion);
  EXPECT_LT(gait.slip, 1e-3);
  EXPECT_NEAR(gait.speed / r.planted.speed, 1, 0.1);
  EXPECT_GT(gait.strides, 1);
  EXPECT_FALSE(has_fallen(r.motion));
  // joint velocities change no faster than a motion of a tenth of the cycle would let them
  EXPECT_LT(r.planted.velocity_jump, 2.5);
}

INSTANTIATE_TEST_SUITE_P(
    Gaits, Planted,
    testing::Values(Case{"dog", "trot", "plane", 0}, Case{"dog", "amble", "slope:5deg", 0},
                    Case{"dog", "walk", "plane", 15}, Case{"human", "walk", "plane", 0},
                    Case{"human", "walk", "slope:5deg", 0}, Case{"human", "walk", "slope:-5deg", 10},
                    Case{"human", "run", "plane", 0}, Case{"hexapod", "walk", "slope:5deg", 10}));

}  // namespace
}  // namespace legwork
