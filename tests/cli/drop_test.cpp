#include <gtest/gtest.h>

#include <cmath>

#include "tests/scenes/program.h"

namespace legwork::test {
namespace {

using Json = nlohmann::json;

TEST(Drop, WritesAMotionAndTellsWhatHappened) {
  const Folder folder;
  const Outcome outcome = folder.legwork({"drop", "box", "--seconds", "1.5", "--out", "box.glb"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("touched down at"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("came to rest at"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("wrote box.glb"), std::string::npos) << outcome.out;
  EXPECT_EQ(contents(folder / "box.glb").substr(0, 4), "glTF");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"box.glb"});
}

TEST(Drop, JsonOnStdoutIsAloneAndHoldsTheCommonKeys) {
  const Folder folder;
  const Outcome outcome =
      folder.legwork({"drop", "hexapod", "--seconds", "0.5", "--json", "-", "--out", "a.glb", "--seed", "5"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = outcome.json();
  for (const char* key : {"verb", "creature", "seed", "version", "status", "fell", "realtime_factor", "gait"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(json["verb"], "drop");
  EXPECT_EQ(json["seed"], 5);
  EXPECT_EQ(json["status"], "ok");
  EXPECT_FALSE(json["fell"]);
  EXPECT_GT(json["realtime_factor"], 0);
  EXPECT_EQ(json["files"]["out"], "a.glb");
}

TEST(Drop, AFallTakesTheTimeThatGalileoSays) {
  const Outcome outcome = Folder().legwork(
      {"drop", "box", "--height", "1m", "--seconds", "0.6", "--rate", "1000", "--json", "-"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NEAR(outcome.json()["touch_down"], std::sqrt(2 * 1.0 / 9.81), 0.003);
}

TEST(Drop, OnTheMoonEverythingFallsSlower) {
  const Outcome outcome = Folder().legwork({"drop", "box", "--height", "1m", "--seconds", "1.3", "--rate",
                                            "1000", "--gravity", "1.62", "--json", "-"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NEAR(outcome.json()["touch_down"], std::sqrt(2 * 1.0 / 1.62), 0.005);
}

TEST(Drop, WithoutGroundNothingIsTouched) {
  const Outcome outcome =
      Folder().legwork({"drop", "tumbler", "--terrain", "none", "--seconds", "0.3", "--json", "-"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.json()["touch_down"].is_null());
}

TEST(Drop, EveryTerrainContactAndIntegratorIsUnderstood) {
  const Folder folder;
  for (const std::vector<std::string>& extra :
       std::vector<std::vector<std::string>>{{"--terrain", "slope:10deg"},
                                             {"--terrain", "steps:0.05,0.3"},
                                             {"--terrain", "rough:0.02,0.3"},
                                             {"--contact", "exponential"},
                                             {"--contact", "sticky"},
                                             {"--integrator", "euler"},
                                             {"--integrator", "rk4"},
                                             {"--integrator", "rkf45"},
                                             {"--integrator", "implicit"},
                                             {"--throw", "-1,0,2"},
                                             {"--spin", "0,3,0"},
                                             {"--push", "5,0,0@0.1+0.1"},
                                             {"--body-contact", "on"},
                                             {"--friction", "0.2"}}) {
    std::vector<std::string> words = {"drop", "box", "--seconds", "0.4", "--json", "-"};
    words.insert(words.end(), extra.begin(), extra.end());
    const Outcome outcome = folder.legwork(words);
    EXPECT_EQ(outcome.code, 0) << extra[0] << " " << extra[1] << ": " << outcome.err;
  }
}

TEST(Drop, ADivergedRunEndsWithThreeAndSaysWhy) {
  const Outcome outcome = Folder().legwork({"drop", "hexapod", "--integrator", "euler", "--dt", "0.2",
                                            "--seconds", "20", "--height", "0.5m", "--json", "-"});
  EXPECT_EQ(outcome.code, 3) << outcome.out;
  EXPECT_EQ(outcome.json()["status"], "diverged");
  EXPECT_NE(outcome.json()["status_text"], "");
}

TEST(Drop, AnUnwritableFileIsBadInputAndNothingIsLeftBehind) {
  const Folder folder;
  const Outcome outcome =
      folder.legwork({"drop", "box", "--seconds", "0.1", "--out", "no/such/folder/box.glb"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("no/such/folder/box.glb"), std::string::npos) << outcome.err;
  EXPECT_TRUE(folder.names().empty());
}

TEST(Drop, FilesMustEndAsWhatTheyHold) {
  const Folder folder;
  EXPECT_EQ(folder.legwork({"drop", "box", "--out", "box.bvh"}).err,
            "legwork: --out: 'box.bvh' does not end in .glb; legwork export makes other formats of a .glb\n");
  EXPECT_EQ(folder.legwork({"drop", "box", "--save", "box.glb"}).code, 2);
  EXPECT_TRUE(folder.names().empty());
}

TEST(Drop, QuietSaysNothing) {
  EXPECT_EQ(Folder().legwork({"drop", "box", "--seconds", "0.1", "--quiet"}).out, "");
}

}  // namespace
}  // namespace legwork::test
