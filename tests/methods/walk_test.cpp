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

std::string error_of(const World& world, const WalkOptions& options) {
  return legwork::error_of([&] { walk(world, options); });
}

TEST(WalkMethod, GivesTheCommandLinesMotionBitForBit) {
  const Folder folder;
  ASSERT_EQ(folder.legwork({"walk", "roach", "--seconds", "0.1", "--out", "a.glb"}).code, 0);
  const Motion program = read_glb((folder / "a.glb").string());
  const Result result = walk(load_world("roach"), {.seconds = 0.1});
  expect_same_run(program, result.motion);
  EXPECT_TRUE(result.gait);
}

TEST(WalkMethod, StickyFeetChooseTheirFrictionUnlessSomebodySpeaksOfIt) {
  const Folder folder;
  ASSERT_EQ(folder.legwork({"walk", "roach", "--seconds", "0.05", "--feet", "stick", "--out", "a.glb"}).code,
            0);
  ASSERT_EQ(folder
                .legwork({"walk", "roach", "--seconds", "0.05", "--feet", "stick", "--friction", "0.8",
                          "--out", "b.glb"})
                .code,
            0);
  const WalkOptions options{.seconds = 0.05, .feet = WalkOptions::Feet::stick};
  const Result chosen = walk(load_world("roach"), options);
  const Result given = walk(load_world("roach", {.friction = 0.8}), options);
  expect_same(read_glb((folder / "a.glb").string()), chosen.motion);
  expect_same(read_glb((folder / "b.glb").string()), given.motion);
  EXPECT_NE(chosen.motion.q, given.motion.q);
}

TEST(WalkMethod, TellsTheWalkAndItsValues) {
  const Result result = walk(load_world("roach"), {.seconds = 0.1});
  ASSERT_FALSE(result.account.statements.empty());
  EXPECT_EQ(result.account.statements[0].text.rfind("roach (2.175 g, 29.82 mm long) walked ", 0), 0u)
      << result.account.statements[0].text;
  EXPECT_EQ(result.account.statements.back().lines.size(), 6u);  // a row of the diagram for each leg
  EXPECT_EQ(result.account.panels.size(), 4u);
  for (const char* key : {"speed", "distance", "heading_error", "reflex_limits"})
    EXPECT_NE(result.account.values.find(key), nullptr) << key;
}

TEST(WalkMethod, WhatTuningFoundIsInTheScenarioAndNeedNotBeSearchedForAgain) {
  const Result tuned =
      walk(load_world("roach"), {.seconds = 0.05, .tune = WalkOptions::Tune::speed, .evaluations = 3});
  const std::string text = scenario_text(tuned.scenario);
  EXPECT_NE(text.find("tune = \"none\""), std::string::npos) << text;
  expect_same(tuned.motion, run_scenario(tuned.scenario).motion);
}

TEST(WalkMethod, FrictionSetByHandIsWalkedOnAndTold) {
  World world = load_world("roach");
  world.contact.friction = 0.7;
  const Result result = walk(world, {.seconds = 0.05});
  expect_same(walk(load_world("roach", {.friction = 0.7}), {.seconds = 0.05}).motion, result.motion);
  EXPECT_EQ(scenario_text(result.scenario).rfind("# legwork walk roach --seconds 0.05 --friction 0.7\n", 0),
            0u);
}

TEST(WalkMethod, OptionsOutOfRangeAreRefused) {
  const World roach = load_world("roach");
  EXPECT_EQ(error_of(roach, {.seconds = -1}), "walk: seconds: -1 is outside 0 .. 86400 s");
  EXPECT_EQ(error_of(roach, {.payload = 1000}), "walk: payload: 1000 is outside 0 .. 100");
  EXPECT_EQ(error_of(roach, {.lose = {"rx"}}).rfind("walk: lose: no leg 'rx'", 0), 0u);
  World wrong = roach;
  wrong.rate = 0;
  EXPECT_EQ(error_of(wrong, {}), "rate: 0 Hz; give frames a second, above 0");
}

TEST(WalkMethod, StopsWhereTheRunSaysSo) {
  legwork::Run run;  // gtest has a Run of its own
  int asked = 0;
  run.stop = [&] { return ++asked > 20; };
  EXPECT_THROW(walk(load_world("roach"), {.seconds = 1}, run), Stopped);
}

}  // namespace
}  // namespace legwork::test
