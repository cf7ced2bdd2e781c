// direct as one call of the library.

#include <gtest/gtest.h>

#include <functional>

#include <legwork/files.h>
#include <legwork/methods.h>
#include <legwork/study.h>
#include "formats/gltf/glb.h"
#include "tests/scenes/error_of.h"
#include "tests/scenes/program.h"
#include "tests/scenes/same.h"

namespace legwork::test {
namespace {

TEST(Direct, TheLibrarysDefaultsAreThoseOfTheProgram) {
  const Folder folder;
  ASSERT_EQ(folder.legwork({"direct", "biped", "--seconds", "1", "--out", "walk.glb"}).code, 0);
  const Result result = direct(load_world("biped"), {.seconds = 1});
  const Motion program = read_glb(folder / "walk.glb");
  expect_same_run(result.motion, program);
  ASSERT_TRUE(result.gait.has_value());
  EXPECT_EQ(*result.account.values.find("algorithm")->text(), "walk");
  EXPECT_EQ(*result.account.values.find("ground")->text(), "held");
}

TEST(Direct, OptionsAndTheWorldMeanTheSameInBoth) {
  const Folder folder;
  ASSERT_EQ(
      folder
          .legwork({"direct", "biped", "--algorithm", "stand", "--set", "crouch=0.05", "--ground", "penalty",
                    "--seconds", "0.3", "--push", "30,0,0@0.1+0.1", "--dt", "0.003", "--out", "stand.glb"})
          .code,
      0);
  World world = load_world("biped");
  world.pushes.push_back(parse_push("30,0,0@0.1+0.1", world.body));
  world.dt = 0.003;
  const Result result = direct(world, {.algorithm = "stand",
                                       .seconds = 0.3,
                                       .set = {"crouch=0.05"},
                                       .ground = DirectOptions::Ground::penalty});
  expect_same(result.motion, read_glb(folder / "stand.glb"));
}

TEST(Direct, AMotionIsTrackedAsByTheProgramAndItsSourceComesWithIt) {
  const Folder folder;
  ASSERT_EQ(folder.legwork({"direct", "biped", "--seconds", "0.5", "--out", "walk.glb"}).code, 0);
  const std::string source = (folder / "walk.glb").string();
  ASSERT_EQ(
      folder.legwork({"direct", "biped", "--track", source, "--seconds", "0.05", "--out", "done.glb"}).code,
      0);
  const Result result = direct(load_world("biped"), {.track = source, .seconds = 0.05});
  expect_same(result.motion, read_glb(folder / "done.glb"));
  ASSERT_EQ(result.others.size(), 1u);
  EXPECT_EQ(result.others[0].account.title, "the source");
  EXPECT_GT(result.others[0].motion.frames(), 2);
}

TEST(Direct, ItsScenarioMakesItAgain) {
  const Result first = direct(load_world("biped"), {.algorithm = "stand", .seconds = 0.2});
  expect_same(first.motion, run_scenario(first.scenario).motion);
}

TEST(Direct, ARunThatIsToStopThrowsStopped) {
  int asked = 0;
  struct Run run;  // TEST has a function of that name
  run.stop = [&] { return ++asked > 3; };
  EXPECT_THROW(direct(load_world("biped"), {.seconds = 5}, run), Stopped);
}

TEST(Direct, WhatACallerPassesIsChecked) {
  const World world = load_world("biped");
  EXPECT_EQ(error_of([&] { direct(world, {.pose = "stnd"}); }),
            "pose: 'biped' has no pose 'stnd'; did you mean 'stand'?");
  EXPECT_EQ(error_of([&] { direct(world, {.set = {"strid=0.5"}}); }),
            "direct: set: 'walk' has no constant 'strid'; did you mean 'stride'?");
  EXPECT_EQ(error_of([&] { direct(world, {.track = "x.glb", .ground = DirectOptions::Ground::held}); }),
            "direct: ground: held feet could be given any force; --track takes unilateral or penalty");
  EXPECT_NE(error_of([&] { direct(world, {.restitution = 2}); }).find("direct: restitution"),
            std::string::npos);
  EXPECT_THROW(direct(world, {.algorithm = "wlk"}), Error);
  EXPECT_THROW(direct(world, {.track = "nowhere.glb"}), Error);
  EXPECT_THROW(direct(world, {.seconds = -1}), Error);
  EXPECT_THROW(direct(world, {.tempo = 0}), Error);
}

}  // namespace
}  // namespace legwork::test
