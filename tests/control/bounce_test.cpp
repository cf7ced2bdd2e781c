#include "control/bounce.h"

#include <gtest/gtest.h>

#include <cmath>

namespace legwork {
namespace {

constexpr double height = 0.9, gravity = 9.81;

// Two legs that take turns, each down for this share of a cycle of 0.7 s.
Schedule two_legs(double duty) {
  Schedule s;
  s.offset = {0, 0.5};
  s.duty = duty, s.swing = 0.7 * (1 - duty);
  return s;
}

TEST(Bounce, AWalkHasNone) {
  EXPECT_FALSE(Bounce(two_legs(0.6), {1, 1}, height, gravity).flies());
  EXPECT_TRUE(Bounce(two_legs(0.6), {1, 0}, height, gravity).flies());
  EXPECT_TRUE(Bounce(two_legs(0.4), {1, 1}, height, gravity).flies());
}

// Height, its rate and its acceleration fit together, also where feet come down and lift off.
TEST(Bounce, TheCentreOfMassMovesAsItsAccelerationsSay) {
  const Schedule s = two_legs(0.35);
  const Bounce bounce(s, {1, 1}, height, gravity);
  const double h = 1e-3;
  double mean = 0, low = 0;
  for (double clock = 0; clock < 1; clock += 0.0005) {
    const Bounce::Instant before = bounce.at(clock - h), now = bounce.at(clock), after = bounce.at(clock + h);
    EXPECT_NEAR((after.rise - before.rise) / (2 * h * s.cycle()), now.climb, 0.02);
    EXPECT_NEAR((after.climb - before.climb) / (2 * h * s.cycle()), now.up, 0.5);
    EXPECT_GE(now.up, -gravity - 1e-9);
    mean += now.up * 0.0005, low = std::min(low, now.rise);
  }
  EXPECT_NEAR(mean, 0, 0.02);  // the ground bears the weight in the mean
  EXPECT_NEAR(bounce.at(bounce.lowest()).rise, low, 1e-4);
}

// c'' = l (c - p) beside xi' = (l / w) (xi - p).
TEST(Bounce, TheDivergentComponentGrowsAsForetold) {
  const Schedule s = two_legs(0.35);
  const Bounce bounce(s, {1, 1}, height, gravity);
  double c = 0.1, v = 0.2;
  const double from = 0.13, to = 1.4, p = 0.03;
  const int steps = 200000;
  const double xi = c + v / bounce.at(from).rate;
  for (int k = 0; k < steps; ++k) {
    const double dt = (to - from) * s.cycle() / steps;
    v += bounce.at(from + (to - from) * k / steps).pull * (c - p) * dt;
    c += v * dt;
  }
  const double grown = bounce.growth(from, to);
  EXPECT_GT(grown, 2);
  EXPECT_NEAR((c + v / bounce.at(to).rate - p) / (xi - p), grown, 0.02 * grown);
}

}  // namespace
}  // namespace legwork
