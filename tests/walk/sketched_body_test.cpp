// The second population of the walkers' benchmark.

#include "tests/scenes/sketched_body.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include <legwork/gait.h>
#include "creature/place.h"

namespace legwork {
namespace {

constexpr int sketches = 60;

TEST(SketchedBody, IsTheSameTextWheneverItIsAskedFor) {
  for (const int index : {0, 17, 41}) EXPECT_EQ(sketched_text(1, index), sketched_text(1, index));
  EXPECT_NE(sketched_text(1, 3), sketched_text(2, 3));
}

TEST(SketchedBody, StandsOnAllItsFeet) {
  std::set<int> counts;
  for (int index = 0; index < sketches; ++index) {
    SCOPED_TRACE(index);
    const Creature c = sketched_body(5, index);
    const double h = hip_height(c);
    EXPECT_GT(h, 0.018);
    EXPECT_LT(h, 3.3);
    counts.insert(int(c.legs.size()));
    const std::vector<LinkFrame> at = place(c, c.pose("stand"));
    for (const Leg& leg : c.legs) {
      double lowest = unlimited;
      for (const ContactPoint& point : c.contacts)
        if (point.link == leg.foot)
          lowest = std::min(lowest, (at[std::size_t(point.link)] * point.pos).z - point.radius);
      EXPECT_LT(std::fabs(lowest), 0.015 * h) << leg.name;
    }
  }
  EXPECT_GE(counts.size(), 7u);
  EXPECT_EQ(*counts.begin(), 2);
}

}  // namespace
}  // namespace legwork
