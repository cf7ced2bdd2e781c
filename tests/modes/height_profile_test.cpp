// How high the root goes: free fall in the air, below what is allowed on the ground.

#include "modes/height_profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "math/real.h"

namespace legwork {
namespace {

constexpr int n = 96;

TEST(HeightProfile, ASplineOfASineIsNearlyThatSineAndRepeats) {
  std::vector<double> values(n);
  for (int i = 0; i < n; ++i) values[size_t(i)] = std::sin(2 * pi * i / n);
  for (const double share : {0.0, 0.123, 0.5, 0.99}) {
    // a cubic spline's control values are damped by 1 - (2 pi / n)^2 / 6
    EXPECT_NEAR(periodic_spline(values, share), std::sin(2 * pi * share), 1e-3) << share;
    EXPECT_NEAR(periodic_spline(values, share - 3), periodic_spline(values, share), 1e-12) << share;
  }
}

TEST(HeightProfile, ASmoothCourseStaysBelowWhatIsAllowed) {
  Random random(4, 0);
  std::vector<double> allowed(n);
  for (double& height : allowed) height = random.uniform(-0.1, 0);
  const std::vector<double> smooth = smooth_below(allowed);
  for (int i = 0; i < n; ++i) {
    EXPECT_LE(smooth[size_t(i)], allowed[size_t(i)]) << i;
    EXPECT_LE(periodic_spline(smooth, double(i) / n), allowed[size_t(i)] + 1e-12) << i;
  }
  // level ground is kept
  for (const double height : smooth_below(std::vector<double>(n, -0.02))) EXPECT_NEAR(height, -0.02, 1e-15);
}

TEST(HeightProfile, ALeapFallsFreelyAndMeetsTheGroundWithTheSpeedOfItsFall) {
  constexpr double period = 0.6, gravity = 9.81, room = 0.01, h = period / n;
  std::vector<char> down(n, 0);
  for (int i = 10; i < 50; ++i) down[size_t(i)] = 1;  // one stance of 40, one flight of 56 samples
  const std::vector<double> allowed(n, 0.05), height = leap(allowed, down, period, gravity, room);
  const auto at = [&](int i) { return height[size_t((i + n) % n)]; };
  const auto acceleration = [&](int i) { return (at(i + 1) - 2 * at(i) + at(i - 1)) / (h * h); };
  for (int i = 51; i < 50 + 55; ++i) EXPECT_NEAR(acceleration(i), -gravity, 1e-9) << i;
  // it lands as fast as it took off, and reverses during the stance
  const double flight = 56 * h, speed = 0.5 * gravity * flight;
  EXPECT_NEAR((at(51) - at(50)) / h, speed - 0.5 * gravity * h, 1e-9);
  EXPECT_NEAR((at(10) - at(9)) / h, -speed + 0.5 * gravity * h, 1e-9);
  EXPECT_NEAR(at(10), at(50), 1e-9) << "take-off and landing are one level";
  for (int i = 11; i < 50; ++i) EXPECT_LT(at(i), at(10)) << i;
  // as high as allowed where feet stand, less the room
  double highest = -1;
  for (int i = 10; i < 50; ++i) highest = std::max(highest, at(i));
  EXPECT_NEAR(highest, 0.05 - room, 1e-12);
}

}  // namespace
}  // namespace legwork
