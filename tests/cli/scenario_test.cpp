#include <gtest/gtest.h>

#include "tests/scenes/program.h"
#include "tests/scenes/studies.h"

namespace legwork::test {
namespace {

using Json = nlohmann::json;

// What a run gives, without what depends on the clock and on names of files.
Json result(const Outcome& outcome) {
  Json json = outcome.json();
  for (const char* key : {"realtime_factor", "wall_seconds", "files", "equal"}) json.erase(key);
  return json;
}

TEST(Scenario, ASavedRunGivesTheSameResult) {
  const Folder folder;
  const Outcome first = folder.legwork({"drop", "hexapod", "--seconds", "0.5", "--terrain", "rough:0.02,0.3",
                                        "--friction", "0.4", "--throw", "0.5,0,1", "--push", "2,0,0@0.1+0.05",
                                        "--seed", "9", "--save", "s.toml", "--json", "-"});
  ASSERT_EQ(first.code, 0) << first.err;
  const Outcome second = folder.legwork({"run", "s.toml", "--json", "-"});
  ASSERT_EQ(second.code, 0) << second.err;
  EXPECT_EQ(result(first), result(second));
}

TEST(Scenario, ASavedRunIsReadableText) {
  const Folder folder;
  ASSERT_EQ(
      folder.legwork({"drop", "box", "--seconds", "0.1", "--terrain", "slope:10deg", "--save", "s.toml"})
          .code,
      0);
  const std::string text = contents(folder / "s.toml");
  for (const char* line :
       {"verb = \"drop\"\n", "creature = \"box\"\n", "seed = 1\n", "[world]\n", "terrain = \"slope:10deg\"",
        "[options]\n", "seconds = 0.1", "# s, how long to simulate\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
}

TEST(Scenario, ACreaturesFileIsFoundFromTheScenariosFolder) {
  const Folder folder, elsewhere;
  std::filesystem::create_directories(folder / "bodies");
  std::filesystem::create_directories(folder / "runs");
  std::filesystem::copy_file(std::string(LEGWORK_CREATURES_DIR) + "/box.toml", folder / "bodies/mine.toml");
  ASSERT_EQ(folder.legwork({"drop", "bodies/mine.toml", "--seconds", "0.1", "--save", "runs/s.toml"}).code,
            0);
  EXPECT_NE(contents(folder / "runs/s.toml").find("creature = \"../bodies/mine.toml\""), std::string::npos);
  const Outcome outcome = elsewhere.legwork({"run", (folder / "runs/s.toml").string()});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST(Scenario, RerunMakesAFileAgainBitForBitFromTheFileAlone) {
  const Folder folder;
  std::filesystem::copy_file(std::string(LEGWORK_CREATURES_DIR) + "/tumbler.toml", folder / "mine.toml");
  ASSERT_EQ(
      folder.legwork({"drop", "mine.toml", "--seconds", "0.7", "--spin", "1,2,3", "--out", "a.glb"}).code, 0);
  std::filesystem::remove(folder / "mine.toml");
  const Outcome outcome = folder.legwork({"rerun", "a.glb", "--out", "b.glb", "--json", "-"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.json()["equal"]);
  EXPECT_NE(folder.legwork({"rerun", "b.glb"}).out.find("equal, bit for bit"), std::string::npos);
}

TEST(Scenario, WhatEveryVerbMadeIsMadeAgainBitForBitFromItsFileAndFromItsScenario) {
  const std::vector<std::vector<std::string>> commands = {
      {"walk", "quadruped", "--seconds", "0.3"},
      {"walk", "roach", "--seconds", "0.1", "--payload", "0.5", "--feet", "stick", "--push",
       "0.02,0,0@0.02+0.05"},
      {"walk", "roach", "--seconds", "0.1", "--open-loop", "--friction", "0.8", "--feet", "stick"},
      {"discover", "cart", "--random", "8", "--vary", "8", "--tune", "2", "--gaits", "2", "--seconds", "2"},
      {"direct", "biped", "--seconds", "0.3"},
      {"modes", "strider", "--action", "walk", "--seconds", "0.5", "--stiffness", "20"},
      {"reach", "biped", "--resolution", "12", "--iterations", "20", "--cache", "off"},
      {"reach", "tyrannosaurus", "--limb", "hind", "--resolution", "12", "--iterations", "20", "--cache",
       "off", "--scale", "rh_crus=1.1"}};
  for (std::vector<std::string> words : commands) {
    SCOPED_TRACE(words[0] + " " + words[1]);
    const Folder folder;
    words.insert(words.end(), {"--out", "a.glb", "--save", "a.toml", "--json", "-"});
    const Outcome first = folder.legwork(words);
    ASSERT_EQ(first.code, 0) << first.err;
    const Outcome again = folder.legwork({"rerun", "a.glb"});
    EXPECT_EQ(again.code, 0) << again.err;
    const Outcome run = folder.legwork({"run", "a.toml", "--json", "-"});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(result(first)["gait"], result(run)["gait"]);
  }
}

TEST(Scenario, AFileThatCannotBeWrittenIsToldBeforeTheWork) {
  const Folder folder;
  std::filesystem::create_directories(folder / "full.glb");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--out", "none/a.glb"}, "none/a.glb: cannot be written: there is no folder 'none'; make it first"},
      {{"--json", "none/a"}, "none/a: cannot be written: there is no folder 'none'; make it first"},
      {{"--out", "full.glb"}, "full.glb: is a folder; give the name of a file"},
      {{"--report", "a.glb"}, "--report: 'a.glb' does not end in .html; name a page"}};
  for (const auto& [files, text] : cases) {
    std::vector<std::string> words = {"drop", "box", "--seconds", "0.1"};
    words.insert(words.end(), files.begin(), files.end());
    const Outcome outcome = folder.legwork(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "legwork: " + text + "\n");
  }
  const Outcome posed = folder.legwork({"drop", "box", "--pose", "nod"});
  EXPECT_EQ(posed.err, "legwork: pose: 'box' has no pose 'nod'; one of: stand\n");
}

TEST(Scenario, MistakesInAScenarioAreNamedWithTheirLine) {
  const Folder folder;
  const std::string head = "verb = \"drop\"\ncreature = \"box\"\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {head + "[options]\nsecnds = 2\n",
       "legwork: s.toml:4: [options]: unknown key 'secnds'; did you mean 'seconds'?\n"},
      {head + "[world]\nfriction = 200\n",
       "legwork: s.toml:4: 'friction' of [world]: 200 is outside -1 .. 100\n"},
      {"verb = \"dorp\"\ncreature = \"box\"\n",
       "legwork: s.toml: scenario: verb 'dorp' makes no motion; did you mean 'drop'?\n"},
      {"[[link]]\nname = \"body\"\n",
       "legwork: s.toml:1: scenario: a creature, where a scenario is needed; try legwork check s.toml\n"},
      {head + "sed = 1\n", "legwork: s.toml:3: scenario: unknown key 'sed'; did you mean 'seed'?\n"},
  };
  for (const auto& [text, message] : cases) {
    folder.write("s.toml", text);
    const Outcome outcome = folder.legwork({"run", "s.toml"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err, message);
  }
}

TEST(Study, GivesMeansAndDeviationsOfEveryVariation) {
  const Folder folder;
  folder.write("study.toml", drops_study);
  const Outcome outcome =
      folder.legwork({"study", "study.toml", "--json", "-", "--table", "t.csv", "--report", "t.html"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = outcome.json();
  EXPECT_EQ(json["runs"], 6);
  ASSERT_EQ(json["rows"].size(), 2u);
  const Json earth = json["rows"][0]["measures"]["touch_down"],
             mars = json["rows"][1]["measures"]["touch_down"];
  EXPECT_EQ(earth["n"], 3);
  EXPECT_GT(earth["sd"], 0);
  EXPECT_NEAR(double(mars["mean"]) / double(earth["mean"]), std::sqrt(9.81 / 3.7), 0.06);
  EXPECT_LT(earth["low95"], earth["mean"]);
  EXPECT_EQ(contents(folder / "t.csv").rfind("world.gravity,runs,failed,touch_down mean,", 0), 0u);
  EXPECT_NE(contents(folder / "t.html").find("<svg"), std::string::npos);
}

TEST(Study, ResumesWhereItWasStoppedAndGivesTheSameTable) {
  const Folder folder;
  folder.write("study.toml", drops_study);
  const Json whole = folder.legwork({"study", "study.toml", "--json", "-"}).json();
  // as if it had been killed while the fourth line was written
  std::string lines = contents(folder / "study.jsonl");
  size_t end = 0;
  for (int i = 0; i < 3; ++i) end = lines.find('\n', end) + 1;
  folder.write("study.jsonl", lines.substr(0, end + 20));
  const Outcome outcome = folder.legwork({"study", "study.toml", "--threads", "1", "--json", "-"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["resumed"], 3);
  EXPECT_EQ(outcome.json()["rows"], whole["rows"]);
}

TEST(Study, AnUnknownMeasureIsNamed) {
  const Folder folder;
  std::string text = drops_study;
  text.replace(text.find("touch_down"), 10, "touchdown");
  folder.write("study.toml", text);
  const Outcome outcome = folder.legwork({"study", "study.toml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err,
            "legwork: study.toml: measure: no run gave a number 'touchdown'; did you mean 'touch_down'?\n");
}

}  // namespace
}  // namespace legwork::test
