#include "motion/check_motion.h"
#include "tests/scenes/error_of.h"

#include <gtest/gtest.h>

#include <functional>

#include <legwork/legwork.h>

namespace legwork {
namespace {

const Motion& fall() {
  static const Motion motion = drop(load_world("hexapod"), {.seconds = 0.1}).motion;
  return motion;
}

TEST(CheckMotion, AMotionOfAMethodPasses) {
  EXPECT_EQ(error_of([] { check_motion(fall()); }), "");
}

TEST(CheckMotion, WhatWasNotRecordedMayBeLeftOut) {
  Motion motion = fall();
  motion.v.clear(), motion.tau.clear(), motion.contact_force.clear();
  EXPECT_EQ(error_of([&] { check_motion(motion); }), "");
}

TEST(CheckMotion, EveryArrayOfAnotherSizeIsNamed) {
  for (const auto& [name, array] : {std::pair{"q", &Motion::q},
                                    {"v", &Motion::v},
                                    {"tau", &Motion::tau},
                                    {"contact_force", &Motion::contact_force}}) {
    Motion motion = fall();
    (motion.*array).pop_back();
    EXPECT_EQ(error_of([&] {
                check_motion(motion);
              }).rfind("motion of 'hexapod': " + std::string(name) + " has ", 0),
              0u)
        << name;
  }
  Motion motion = fall();
  motion.channels[0].values.pop_back();
  EXPECT_NE(error_of([&] { check_motion(motion); }).find("channel '" + motion.channels[0].name + "' has "),
            std::string::npos);
  motion = fall();
  motion.time.push_back(1);
  EXPECT_NE(error_of([&] { check_motion(motion); }), "");
}

TEST(CheckMotion, NoPublicFunctionTakesATornMotion) {
  Motion torn = fall();
  torn.q.pop_back();
  Result result;
  result.motion = torn;
  const std::string path = ::testing::TempDir() + "torn";
  const std::vector<std::pair<const char*, std::function<void()>>> uses = {
      {"measure_gait", [&] { measure_gait(torn); }},
      {"has_fallen", [&] { has_fallen(torn); }},
      {"save", [&] { save(result, path); }},
      {"write_glb", [&] { write_glb(torn, path); }},
      {"write_bvh", [&] { write_bvh(torn, path); }},
      {"write_csv", [&] { write_csv(torn, path); }},
      {"write_sto", [&] { write_sto(torn, path); }},
      {"loop", [&] { loop(torn, {.start = 0, .period = 0.1}); }},
      {"render_frame", [&] { render_frame(torn, 0, {.width = 16, .height = 16, .samples = 1}); }},
      {"render_strip", [&] { render_strip(torn, 2, {.width = 16, .height = 16, .samples = 1}); }},
      {"write_mp4", [&] { write_mp4(torn, 30, {}, path); }}};
  for (const auto& [name, use] : uses)
    EXPECT_NE(error_of(use).find("motion of 'hexapod': q has "), std::string::npos)
        << name << ": " << error_of(use);
  if (has_report_page()) {
    EXPECT_NE(error_of([&] { write_report(result, path); }).find("q has "), std::string::npos);
  }
}

TEST(CheckMotion, AGaitNeedsVelocities) {
  Motion motion = fall();
  motion.v.clear(), motion.tau.clear();
  EXPECT_EQ(error_of([&] { measure_gait(motion); }),
            "motion of 'hexapod': has no velocities v; a gait is measured by them");
}

}  // namespace
}  // namespace legwork
