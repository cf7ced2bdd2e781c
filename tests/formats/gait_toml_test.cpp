#include "formats/toml/gait_toml.h"
#include "tests/scenes/error_of.h"

#include <gtest/gtest.h>

#include <legwork/files.h>

namespace legwork {
namespace {

std::string message(const std::string& text) {
  return legwork::error_of([&] { parse_gait_toml(text, "g.toml", load_creature("strider")); });
}

const std::string four_legs = R"(
name = "odd"
frequency = 2
duty_factor = 0.6
[[leg]]
name = "lf"
phase = 0.1
[[leg]]
name = "rf"
phase = 0.6
duty_factor = 0.7
[[leg]]
name = "lh"
phase = 0
[[leg]]
name = "rh"
phase = 0.5
)";

TEST(GaitToml, AGaitWrittenByHandReadsBackTheSame) {
  const Creature c = load_creature("strider");
  const GaitPlan plan = parse_gait_toml(four_legs, "g.toml", c),
                 again = parse_gait_toml(gait_toml(plan), "g.toml", c);
  EXPECT_EQ(plan.name, "odd");
  EXPECT_EQ(plan.stride_time, 0.5);
  ASSERT_EQ(plan.legs.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(plan.legs[i].phase, again.legs[i].phase);
    EXPECT_EQ(plan.legs[i].duty_factor, again.legs[i].duty_factor);
    if (plan.legs[i].leg == "rf") EXPECT_EQ(plan.legs[i].duty_factor, 0.7);
    if (plan.legs[i].leg == "lf") EXPECT_EQ(plan.legs[i].duty_factor, 0.6);
  }
}

TEST(GaitToml, AKnownGaitNeedsOnlyItsName) {
  const GaitPlan plan =
      parse_gait_toml("gait = \"trot\"\nstride_time = 0.4\n", "g.toml", load_creature("strider"));
  EXPECT_EQ(gait_name(plan.legs), "trot");
  EXPECT_EQ(plan.stride_time, 0.4);
}

TEST(GaitToml, MistakesAreNamedWithTheirLine) {
  EXPECT_EQ(message("stride_tim = 1\ngait = \"trot\"\n"),
            "g.toml:1: gait: unknown key 'stride_tim'; did you mean 'stride_time'?");
  EXPECT_EQ(
      message("gait = \"tripod\"\n"),
      "g.toml:1: gait 'tripod': not a gait of 4 legs; try wave, walk, trot, pace, amble, canter, gallop, "
      "bound, hop");
  EXPECT_EQ(message("[[leg]]\nname = \"fl\"\n"), "g.toml:2: leg: there is no leg 'fl'; did you mean 'lf'?");
  EXPECT_EQ(message("[[leg]]\nname = \"lf\"\nphase = 1.5\n"),
            "g.toml:3: leg: 'phase' is 1.5; must be from 0 to 1");
  EXPECT_EQ(message("frequency = 0\n"), "g.toml:1: gait: 'frequency' is 0; must be positive");
}

}  // namespace
}  // namespace legwork
