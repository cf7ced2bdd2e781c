#include "discover/descriptor.h"

#include <gtest/gtest.h>

#include <cmath>

#include "search/elites.h"

namespace legwork {
namespace {

std::vector<double> waves(int frames, double period, double slow = 0) {
  std::vector<double> rows;
  for (int i = 0; i < frames; ++i) {
    rows.push_back(std::sin(2 * M_PI * i / period) + slow * i);
    rows.push_back(0.3 * std::cos(4 * M_PI * i / period));
  }
  return rows;
}

TEST(Cycle, IsFoundAtThePeriodOfAllSignals) {
  const Cycle cycle = find_cycle(waves(180, 30), 2, 6);
  EXPECT_EQ(cycle.lag, 30) << "the second signal alone repeats after 15";
  EXPECT_NEAR(cycle.likeness, 1, 1e-9);
}

TEST(Cycle, IsNoneWhereNothingMovesOrTooLittleIsSeen) {
  const std::vector<double> rest(360, 0.7);
  EXPECT_EQ(find_cycle(rest, 2, 6).lag, 0);
  EXPECT_EQ(find_cycle(rest, 2, 6).likeness, 0);
  EXPECT_EQ(find_cycle(waves(8, 30), 2, 6).likeness, -1);
  EXPECT_EQ(find_cycle(waves(180, 1e4, 0.1), 2, 6).lag, 0) << "a drift is no cycle";
}

TEST(Kind, TouchSensorsTogetherWeighAsMuchAsOneOtherNumber) {
  MotionKind up, down;
  up.contact.assign(9, 0), down.contact.assign(9, 1);
  EXPECT_NEAR(kind_distance(describe_kind(up), describe_kind(down)), 1, 1e-12);
  MotionKind forward = up, backward = up;
  forward.direction = 1, backward.direction = -1;
  EXPECT_NEAR(kind_distance(describe_kind(forward), describe_kind(backward)), 1, 1e-12);
}

}  // namespace
}  // namespace legwork
