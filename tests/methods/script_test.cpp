#include <gtest/gtest.h>

#include <legwork/files.h>
#include <legwork/methods.h>
#include <legwork/study.h>
#include "formats/gltf/glb.h"
#include "tests/scenes/error_of.h"
#include "tests/scenes/program.h"

namespace legwork::test {
namespace {

// A cube that falls for half a second, 30 frames a second.
const char* const falling =
    "addworld w\nground off\naddcorpus block\nget block from unit_cubeb\nscale block .1 .1 .1\n"
    "addbody block block 0 0 1 rotary 1000\nsetroot block\ncorpusinit\nmove block 0 0 10\nsetrootpos\n"
    "! falls\ngo 15\n";

std::string error_of(const World& world, const ScriptOptions& options = {}) {
  return legwork::error_of([&] { script(world, options); });
}

TEST(ScriptMethod, GivesTheCommandLinesMotionBitForBit) {
  const Folder folder;
  const std::string file = (folder / folder.write("fall.corpus", falling)).string();
  ASSERT_EQ(folder.legwork({"script", file, "--seconds", "0.2", "--gravity", "5", "--out", "a.glb"}).code, 0);
  const Result result = script(load_world(file, {.gravity = "5"}), {.seconds = 0.2});
  const Motion program = read_glb((folder / "a.glb").string());
  EXPECT_EQ(program.time, result.motion.time);
  EXPECT_EQ(program.q, result.motion.q);
  EXPECT_EQ(program.v, result.motion.v);
  EXPECT_EQ(program.made.options, result.motion.made.options);
}

TEST(ScriptMethod, WhatIsChangedByHandWinsOverTheScript) {
  const Folder folder;
  const std::string file = (folder / folder.write("fall.corpus", falling)).string();
  World world = load_world(file);
  world.gravity = {0, 0, -5};
  EXPECT_EQ(script(world).motion.q, script(load_world(file, {.gravity = "5"})).motion.q);
  EXPECT_NE(script(world).motion.q, script(load_world(file)).motion.q);
}

TEST(ScriptMethod, TheScenarioCarriesTheScript) {
  const Folder folder;
  const std::string file = (folder / folder.write("fall.corpus", falling)).string();
  const Result result = script(load_world(file), {.then = {"go 3"}});
  folder.write("fall.corpus", "# gone\n" + std::string(falling) + "go 2\n");
  const Result again = run_scenario(parse_scenario(scenario_text(result.scenario), "scenario"));
  EXPECT_EQ(result.motion.q, again.motion.q);
}

TEST(ScriptMethod, TellsWhatTheScriptPrinted) {
  const Folder folder;
  const std::string file = (folder / folder.write("fall.corpus", falling)).string();
  const Statement last = script(load_world(file)).account.statements.back();
  EXPECT_EQ(last.text, "the script printed 1 line");
  EXPECT_EQ(last.lines, std::vector<std::string>{"falls"});
}

TEST(ScriptMethod, WhatIsNoScriptAndWhatIsNoCommandAreRefused) {
  EXPECT_EQ(error_of(load_world("box")),
            "box: script: does not end in .corpus; give a script, or use legwork drop for a body");
  const Folder folder;
  const World world = load_world((folder / folder.write("fall.corpus", falling)).string());
  EXPECT_EQ(error_of(world, {.then = {"goo 3"}}).rfind("--then:1: ", 0), 0u);
  EXPECT_EQ(error_of(world, {.seconds = 4000}), "script: seconds: 4000 is outside 0 .. 3600 s");
}

TEST(ScriptMethod, StopsWhereTheRunSaysSo) {
  const Folder folder;
  const World world = load_world((folder / folder.write("fall.corpus", falling)).string());
  legwork::Run run;  // gtest has a Run of its own
  int asked = 0;
  run.stop = [&] { return ++asked > 5; };
  EXPECT_THROW(script(world, {}, run), Stopped);
}

}  // namespace
}  // namespace legwork::test
