#include <gtest/gtest.h>

#include <legwork/files.h>
#include <legwork/methods.h>
#include <legwork/study.h>
#include "formats/gltf/glb.h"
#include "tests/scenes/error_of.h"
#include "tests/scenes/program.h"
#include "tests/scenes/same.h"

namespace legwork::test {
namespace {

std::string error_of(const World& world, const ModesOptions& options) {
  return legwork::error_of([&] { modes(world, options); });
}

TEST(ModesMethod, WithoutOptionsGivesTheCommandLinesMotionBitForBit) {
  const Folder folder;
  ASSERT_EQ(folder.legwork({"modes", "walker", "--out", "a.glb"}).code, 0);
  const Result result = modes(load_world("walker"));
  expect_same_run(read_glb((folder / "a.glb").string()), result.motion);
}

TEST(ModesMethod, AGaitOnTheGroundIsTheCommandLines) {
  const Folder folder;
  ASSERT_EQ(folder
                .legwork({"modes", "strider", "--action", "walk", "--seconds", "0.5", "--stiffness", "20",
                          "--terrain", "slope:5deg", "--out", "a.glb"})
                .code,
            0);
  const Result result = modes(load_world("strider", {.terrain = "slope:5deg"}),
                              {.action = "walk", .stiffness = "20", .seconds = 0.5});
  expect_same_run(read_glb((folder / "a.glb").string()), result.motion);
  EXPECT_TRUE(result.gait);
  EXPECT_EQ(run_scenario(result.scenario).motion.q, result.motion.q);
}

TEST(ModesMethod, PumpedByPhysicsItTakesStepAndPushesFromTheWorld) {
  const Folder folder;
  ASSERT_EQ(folder
                .legwork({"modes", "loop_creature", "--dynamic", "--stiffness", "1", "--mode", "6=1",
                          "--mode", "7=1,90", "--hz", "5.26", "--seconds", "0.2", "--push", "0.1,0,0@0+0.1",
                          "--rate", "50", "--out", "a.glb"})
                .code,
            0);
  const World world = load_world("loop_creature", {.push = {"0.1,0,0@0+0.1"}, .rate = 50});
  const ModesOptions options{
      .stiffness = "1", .mode = {"6=1", "7=1,90"}, .hz = 5.26, .dynamic = true, .seconds = 0.2};
  const Result result = modes(world, options);
  expect_same_run(read_glb((folder / "a.glb").string()), result.motion);
  EXPECT_NE(result.motion.q, modes(load_world("loop_creature", {.rate = 50}), options).motion.q);
}

TEST(ModesMethod, WhatItCostIsNoPartOfTheAccount) {
  const World world = load_world("walker");
  const Result one = modes(world), two = modes(world);
  EXPECT_EQ(to_json(one.account.values), to_json(two.account.values));
  EXPECT_EQ(sentences(one.account), sentences(two.account));
  EXPECT_EQ(one.account.values.find("analysis_seconds"), nullptr);
  EXPECT_NE(one.effort.values.find("analysis_seconds"), nullptr);
}

TEST(ModesMethod, TellsTheModesAsLinesUnderOneStatement) {
  const Result result = modes(load_world("strider"), {.action = "walk", .seconds = 0.2});
  const std::vector<Statement>& told = result.account.statements;
  ASSERT_GE(told.size(), 2u);
  EXPECT_EQ(told[0].text.rfind("strider in the pose stand has ", 0), 0u) << told[0].text;
  EXPECT_EQ(told[0].lines.size(), 4u);
  EXPECT_EQ(told[0].lines[0].rfind("mode 6: ", 0), 0u) << told[0].lines[0];
  for (const char* key : {"frequencies", "modes", "selected", "limit_excess", "speed"})
    EXPECT_NE(result.account.values.find(key), nullptr) << key;
}

TEST(ModesMethod, OptionsThatMakeNoSenseAreRefused) {
  const World strider = load_world("strider");
  EXPECT_EQ(error_of(strider, {.damping = -1}), "modes: damping: -1 is outside 0 .. 10");
  EXPECT_EQ(error_of(strider, {.action = "wlak"}).rfind("modes: action: ", 0), 0u)
      << error_of(strider, {.action = "wlak"});
  EXPECT_EQ(error_of(strider, {.stiffness = "-3"}),
            "modes: stiffness: -3 N m/rad holds nothing; write more than 0");
  EXPECT_EQ(error_of(strider, {.hold = {"point:nose"}})
                .rfind("modes: hold: 'point:nose': 'strider' has no link", 0),
            0u);
  EXPECT_NE(error_of(strider, {.show = 1000}).find("there is no mode 1000"), std::string::npos);
  EXPECT_NE(error_of(load_world("strider", {.rate = 1e6}), {.seconds = 100}).find("10 million frames"),
            std::string::npos);
}

TEST(ModesMethod, StopsWhereTheRunSaysSo) {
  legwork::Run run;
  int asked = 0;
  run.stop = [&] { return ++asked > 20; };
  const World world = load_world("loop_creature");
  EXPECT_THROW(modes(world, {.stiffness = "1", .mode = {"6=1"}, .dynamic = true, .seconds = 10}, run),
               Stopped);
  run.stop = [] { return true; };
  EXPECT_THROW(modes(world, {.stiffness = "1", .tune = ModesOptions::Tune::speed}, run), Stopped);
}

}  // namespace
}  // namespace legwork::test
