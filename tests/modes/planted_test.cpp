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

}  // namespace
}  // namespace legwork
