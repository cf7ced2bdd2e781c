// Contact between the parts of one body, where its file says so.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <legwork/compile.h>
#include <legwork/files.h>
#include <legwork/legwork.h>
#include <legwork/methods.h>
#include <legwork/study.h>
#include "tests/scenes/error_of.h"
#include "tests/scenes/same.h"
#include "tests/scenes/scratch.h"

namespace legwork {
namespace {

// Two limbs whose springs turn them into each other (tests/data/mjcf/self_contact).
std::string limbs(const std::string& name) {
  return std::string(LEGWORK_SOURCE_DIR) + "/tests/data/mjcf/self_contact/" + name + ".xml";
}

Result dropped(const std::string& name, const std::string& body_contact = "auto") {
  const World world = load_world(limbs(name), {.terrain = "none", .body_contact = body_contact});
  return drop(world, {.seconds = 0.5});
}

double farthest(const Motion& motion) {
  double most = 0;
  for (const double q : motion.q) most = std::max(most, std::fabs(q));
  return most;
}

// They meet at 0.44 rad and would swing to 1.6 rad.
bool crosses(const Result& result) {
  const double angle = farthest(result.motion);
  EXPECT_TRUE(angle < 0.5 || angle > 1.2) << angle;
  return angle > 1.2;
}

std::string said(const Scenario& scenario) {
  for (const Setting& setting : scenario.world)
    if (setting.key == "body_contact") return setting.values.front();
  return "";
}

TEST(SelfContact, IsWhatAnMjcfFileSays) {
  EXPECT_FALSE(crosses(dropped("limbs")));
  EXPECT_FALSE(crosses(dropped("pair")));
  EXPECT_TRUE(crosses(dropped("exclude")));
  EXPECT_TRUE(crosses(dropped("flag")));
  EXPECT_TRUE(crosses(dropped("kinds")));
  EXPECT_TRUE(crosses(dropped("ghosts")));
}

TEST(SelfContact, OneWhoSaysItIsObeyed) {
  EXPECT_TRUE(crosses(dropped("limbs", "off")));
  EXPECT_FALSE(crosses(dropped("limbs", "on")));
  World world = load_world(limbs("limbs"), {.terrain = "none"});
  world.body_contact = false;
  EXPECT_TRUE(crosses(drop(world, {.seconds = 0.5})));
  EXPECT_FALSE(load_world("hexapod").body_contact);
}

TEST(SelfContact, OfBodiesThatAreBuiltOverlappingDoesNotThrowThem) {
  const World world = load_world(limbs("overlap"), {.terrain = "none"});
  const Result result = drop(world, {.seconds = 1});
  ASSERT_EQ(result.motion.status, Status::ok) << result.motion.status_text;
  EXPECT_LE(farthest(result.motion), 0.47);  // where they start
  EXPECT_NEAR(std::fabs(result.motion.q.back()), 0.44, 0.005);
}

TEST(SelfContact, IsCarriedByScenariosFilesAndText) {
  const Result result = dropped("limbs");
  EXPECT_EQ(said(result.scenario), "on");
  for (const Setting& asked : result.scenario.asked) EXPECT_NE(asked.key, "body_contact");
  expect_same(run_scenario(result.scenario).motion, result.motion);
  const Scratch scratch;
  const std::string file = scratch / "limbs.glb";
  save(result, file);
  EXPECT_EQ(rerun(file).difference, "");
  const World again = world_of(parse_creature(creature_text(load_creature(limbs("limbs"))), "limbs.toml"));
  EXPECT_TRUE(again.body_contact);
  EXPECT_FALSE(
      world_of(parse_creature(creature_text(load_creature(limbs("flag"))), "flag.toml")).body_contact);
}

TEST(SelfContact, IsLeftOutOfWhatComputesManyBodiesUnlessAskedFor) {
  EXPECT_TRUE(load_world(limbs("limbs")).body_contact);
  EXPECT_FALSE(for_batches(load_world(limbs("limbs"))).body_contact);
  EXPECT_TRUE(for_batches(load_world(limbs("limbs"), {.body_contact = "on"})).body_contact);
  EXPECT_TRUE(for_batches(load_world("table_and_block")).body_contact);
  const CompileOptions step{.emit = {"step"}};
  EXPECT_FALSE(compile_c(load_world(limbs("limbs"), {.terrain = "plane"}), "limbs", step).source.empty());
  EXPECT_NE(error_of([&] {
              compile_c(load_world(limbs("limbs"), {.terrain = "plane", .body_contact = "on"}), "limbs",
                        step);
            }).find("contact between bodies"),
            std::string::npos);
}

}  // namespace
}  // namespace legwork
