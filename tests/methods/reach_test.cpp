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

// Small enough for a test.
ReachOptions quick() {
  ReachOptions o;
  o.limb = "hind", o.resolution = 12, o.cache = "off";
  o.genetic.population = 100, o.genetic.iterations = 20;
  return o;
}
std::vector<std::string> quick_words(const std::string& creature, const std::vector<std::string>& more) {
  std::vector<std::string> words = {"reach",        creature,  "--limb", "hind",         "--resolution",
                                    "12",           "--cache", "off",    "--population", "100",
                                    "--iterations", "20",      "--out",  "a.glb"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string error_of(const World& world, const ReachOptions& options) {
  return legwork::error_of([&] { reach(world, options); });
}

TEST(ReachMethod, GivesTheCommandLinesMotionBitForBit) {
  const Folder folder;
  ASSERT_EQ(folder.legwork(quick_words("tyrannosaurus", {"--rate", "50"})).code, 0);
  const Result result = reach(load_world("tyrannosaurus", {.rate = 50}), quick());
  expect_same_run(read_glb((folder / "a.glb").string()), result.motion);
  EXPECT_TRUE(result.gait);
  EXPECT_EQ(run_scenario(result.scenario).motion.q, result.motion.q);
}

TEST(ReachMethod, AMotionWhoseGirdlesShareANameIsMadeAgain) {
  const Folder folder;
  ReachOptions o;
  o.resolution = 9, o.cache = "off", o.genetic.population = 200, o.genetic.iterations = 100;
  save(reach(load_world("pentapod"), o), folder / "a.glb");
  EXPECT_EQ(rerun(folder / "a.glb").difference, "");
}

TEST(ReachMethod, WithoutFurtherOptionsTheDefaultsAreTheCommandLines) {
  const Folder folder;
  const Outcome outcome = folder.legwork({"reach", "biped", "--out", "a.glb", "--cache", "off"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  expect_same_run(read_glb((folder / "a.glb").string()), reach(load_world("biped"), {.cache = "off"}).motion);
}

// Yaw of the hind girdle: the polish levels it, or keeps what the search found, with the feet as exact.
TEST(ReachMethod, ThePolishKeepsTheTrunksMotionWhereItIsAsked) {
  const World dog = load_world("wills_dog");
  ReachOptions o;
  o.step = {0.48, true}, o.resolution = 8, o.cache = "off", o.genetic.iterations = 200;
  const auto yaw = [&](bool raw, bool keep) {
    o.raw = raw, o.keep_trunk = keep;
    const Result result = reach(dog, o);
    const Value& found = result.account.values;
    if (!raw) EXPECT_LT(*found.find("planted_error")->number(), 2e-4);
    return *found.find("observables")->find("hind")->find("yaw")->number();
  };
  const double raw = yaw(true, false);
  EXPECT_GT(raw, 1);
  EXPECT_LT(yaw(false, false), 0.4 * raw);
  EXPECT_NEAR(yaw(false, true), raw, 0.2 * raw);
}

TEST(ReachMethod, AGaitBecomesTheLagsThatItStandsFor) {
  ReachOptions o = quick();
  o.limb = "all", o.stage = ReachOptions::Stage::explore, o.gait = "pace";
  const Result result = reach(load_world("wills_dog"), o);
  for (const Setting& setting : result.scenario.options) {
    if (setting.key == "ipsilateral") EXPECT_EQ(setting.values, std::vector<std::string>{"0"});
    if (setting.key == "gait") EXPECT_EQ(setting.values, std::vector<std::string>{""});
  }
}

TEST(ReachMethod, WhatItCostAndWhatTheCacheGaveAreNoPartOfTheAccount) {
  const Folder folder;
  ReachOptions o = quick();
  o.cache = (folder / "cache").string();
  const World world = load_world("tyrannosaurus");
  const Result one = reach(world, o), two = reach(world, o);
  EXPECT_EQ(to_json(one.account.values), to_json(two.account.values));
  EXPECT_EQ(sentences(one.account), sentences(two.account));
  EXPECT_TRUE(one.effort.values.find("reused")->items()->empty());
  EXPECT_FALSE(two.effort.values.find("reused")->items()->empty());
  EXPECT_NE(two.effort.values.find("stage_seconds")->find("search"), nullptr);
}

TEST(ReachMethod, TellsSpacesSearchAndSteps) {
  const Result result = reach(load_world("tyrannosaurus"), quick());
  const std::vector<Statement>& told = result.account.statements;
  ASSERT_EQ(told.size(), 6u);
  EXPECT_EQ(told[0].text.rfind("the hind limb has ", 0), 0u) << told[0].text;
  EXPECT_EQ(told[1].text.rfind("the best gait has a fitness of ", 0), 0u) << told[1].text;
  EXPECT_EQ(told[2].text.rfind("it walks with steps of ", 0), 0u) << told[2].text;
  EXPECT_EQ(told[5].text.rfind("measured on the motion, feet slide up to ", 0), 0u) << told[5].text;
  for (const char* key : {"samples", "girdles", "fitness", "observables", "planted_error", "raw", "period"})
    EXPECT_NE(result.account.values.find(key), nullptr) << key;
}

// Whoever plants the feet and whoever measures them must agree: few frames a second do not count as slip.
TEST(ReachMethod, TheMeasureFindsFeetAsStillAsTheAccountSays) {
  for (const char* name : {"triceratops", "wills_reptile", "tyrannosaurus"}) {
    for (const double rate : {30.0, 120.0}) {
      ReachOptions o = quick();
      o.limb = "all", o.resolution = 8;
      const Result result = reach(load_world(name, {.rate = rate}), o);
      ASSERT_TRUE(result.gait) << name;
      const double planted = *result.account.values.find("planted_error")->number();
      for (const LegGait& leg : result.gait->legs)
        EXPECT_LT(leg.slip, 2 * planted + 2e-5) << name << " " << leg.leg << " at " << rate;
    }
  }
}

TEST(ReachMethod, OptionsThatMakeNoSenseAreRefused) {
  const World body = load_world("tyrannosaurus");
  ReachOptions o = quick();
  o.duty = 2;
  EXPECT_EQ(error_of(body, o), "reach: duty: 2 is outside 0.501 .. 0.95");
  o = quick();
  o.limb = "front";
  EXPECT_EQ(error_of(body, o).rfind("reach: limb: ", 0), 0u) << error_of(body, o);
  o = quick();
  o.off = {"nose"};
  EXPECT_EQ(error_of(body, o).rfind("reach: off: no degree of freedom 'nose'", 0), 0u) << error_of(body, o);
  o = quick();
  o.trackway = "no_such_file.csv";
  EXPECT_NE(error_of(body, o).find("no_such_file.csv"), std::string::npos);
}

TEST(ReachMethod, StopsWhereTheRunSaysSo) {
  legwork::Run run;
  int asked = 0;
  run.stop = [&] { return ++asked > 5; };
  EXPECT_THROW(reach(load_world("tyrannosaurus"), quick(), run), Stopped);
}

}  // namespace
}  // namespace legwork::test
