// Verbs that read a motion: view, gait, export, render.

#include <gtest/gtest.h>

#include "tests/scenes/program.h"

namespace legwork::test {
namespace {

using Json = nlohmann::json;

class MotionFiles : public testing::Test {
 protected:
  // A motion of the hexapod that all tests of this file read.
  static void SetUpTestSuite() {
    folder = new Folder;
    ASSERT_EQ(folder->legwork({"drop", "hexapod", "--seconds", "1", "--out", "a.glb", "--quiet"}).code, 0);
    ASSERT_EQ(folder->legwork({"drop", "box", "--seconds", "0.2", "--out", "box.glb", "--quiet"}).code, 0);
  }
  static void TearDownTestSuite() {
    delete folder;
    folder = nullptr;
  }
  static Folder* folder;
};
Folder* MotionFiles::folder = nullptr;

TEST_F(MotionFiles, AMeasuredGaitIsAFileThatReachWalksIn) {
  const auto reach = [](const std::string& gait) {
    return folder->legwork({"reach", "wills_dog", "--gait", gait, "--resolution", "10", "--iterations", "50",
                            "--cache", "off", "--out", "dog.glb", "--json", "-"});
  };
  const Outcome pace = reach("pace");
  ASSERT_EQ(pace.code, 0) << pace.err;
  EXPECT_EQ(pace.json()["gait"]["name"], "pace");
  ASSERT_EQ(folder->legwork({"gait", "dog.glb", "--out", "pace.toml"}).code, 0);
  const Outcome again = reach("pace.toml");
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.json()["gait"]["name"], "pace");

  EXPECT_EQ(reach("bound").err, "legwork: reach: gait: contralateral: 0 is outside 0.3 .. 0.7\n");
  ASSERT_EQ(folder->legwork({"drop", "hexapod", "--seconds", "0.05", "--out", "still.glb"}).code, 0);
  EXPECT_EQ(folder->legwork({"gait", "still.glb", "--out", "none.toml"}).err,
            "legwork: leg 'rf': makes no whole stride; a gait file needs one of every leg\n");
}

TEST_F(MotionFiles, GaitGivesTheSharedVocabulary) {
  const Outcome outcome = folder->legwork({"gait", "a.glb", "--json", "-"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = outcome.json();
  for (const char* key : {"fell", "status", "gait"}) EXPECT_TRUE(json.contains(key)) << key;
  for (const char* key :
       {"name", "speed", "stride_length", "step_length", "stride_time", "froude", "cost_of_transport", "legs",
        "slip", "penetration", "heading_drift", "stability_margin"})
    EXPECT_TRUE(json["gait"].contains(key)) << key;
  for (const char* leg : {"lf", "lm", "lh", "rf", "rm", "rh"}) {
    EXPECT_TRUE(json["gait"]["legs"][leg].contains("duty_factor"));
    EXPECT_TRUE(json["gait"]["legs"][leg].contains("phase"));
  }
  EXPECT_NE(folder->legwork({"gait", "a.glb"}).out.find("Stride length"), std::string::npos);
}

TEST_F(MotionFiles, GaitOfACreatureWithoutLegsIsBadInput) {
  const Outcome outcome = folder->legwork({"gait", "box.glb"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("leg"), std::string::npos) << outcome.err;
}

TEST_F(MotionFiles, ComparePutsMotionsSideBySide) {
  const Outcome outcome = folder->legwork({"compare", "a.glb", "a.glb", "--report", "two.html"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string header = outcome.out.substr(0, outcome.out.find('\n'));
  EXPECT_NE(header.find(" a "), std::string::npos) << header;
  EXPECT_NE(outcome.out.find("Stability margin"), std::string::npos) << outcome.out;
  EXPECT_NE(contents(*folder / "two.html").find("Footfalls"), std::string::npos);
  const Json json = folder->legwork({"compare", "a.glb", "a.glb", "--json", "-"}).json();
  ASSERT_EQ(json["motions"].size(), 2u);
  EXPECT_EQ(json["motions"][1]["gait"], json["motions"][0]["gait"]);
  EXPECT_EQ(json["motions"][1]["file"], "a.glb");
}

TEST_F(MotionFiles, CompareOfACreatureWithoutLegsIsBadInput) {
  const Outcome outcome = folder->legwork({"compare", "a.glb", "box.glb"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("box.glb: motion: has no legs"), std::string::npos) << outcome.err;
}

TEST_F(MotionFiles, ExportWritesEveryFormat) {
  const std::vector<std::pair<std::string, std::string>> files = {{"a.bvh", "HIERARCHY"}, {"a.csv", "time"},
                                                                  {"a.sto", ""},          {"b.glb", "glTF"},
                                                                  {"a.xml", "<mujoco"},   {"a.toml", "name"}};
  for (const auto& [file, start] : files) {
    SCOPED_TRACE(file);
    const Outcome outcome = folder->legwork({"export", "a.glb", "--out", file, "--json", "-"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json()["files"]["out"], file);
    EXPECT_NE(contents(*folder / file).substr(0, 400).find(start), std::string::npos);
  }
  EXPECT_EQ(folder->legwork({"check", "a.toml"}).code, 0);
}

TEST_F(MotionFiles, ExportedCreaturesHaveTheSameMassMatrix) {
  ASSERT_EQ(folder->legwork({"export", "ragdoll", "--out", "ragdoll.toml"}).code, 0);
  const Json shipped = folder->legwork({"inspect", "ragdoll", "--json", "-"}).json();
  const Json exported = folder->legwork({"inspect", "ragdoll.toml", "--json", "-"}).json();
  EXPECT_EQ(shipped["mass_matrix"], exported["mass_matrix"]);
  EXPECT_EQ(shipped["bias"], exported["bias"]);
}

TEST_F(MotionFiles, ACycleOfGivenLengthIsALoop) {
  const Outcome outcome =
      folder->legwork({"export", "a.glb", "--cycle", "--in-place", "--fps", "30", "--start", "0.3",
                       "--period", "0.5", "--out", "loop.glb", "--json", "-"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NEAR(outcome.json()["duration"], 0.5, 1e-9);
}

TEST_F(MotionFiles, ExportNamesWhatItCannotDo) {
  EXPECT_EQ(folder->legwork({"export", "a.glb", "--out", "a.bhv"}).err,
            "legwork: --out: 'a.bhv' has no known ending; did you mean '.bvh'?\n");
  EXPECT_EQ(folder->legwork({"export", "a.glb"}).err,
            "legwork: --out is missing; name the file to write: .bvh, .csv, .sto, .glb, .xml, .toml\n");
  EXPECT_EQ(folder->legwork({"export", "hexapod", "--out", "x.bvh"}).err,
            "legwork: 'hexapod' is not a motion; give a .glb that Legwork wrote, for example by legwork drop "
            "--out\n");
}

TEST_F(MotionFiles, TruncatedFilesAreBadInputForEveryReader) {
  const std::string whole = contents(*folder / "a.glb");
  for (const size_t size :
       {size_t(0), size_t(3), size_t(12), size_t(40), whole.size() / 2, whole.size() - 1}) {
    folder->write("cut.glb", whole.substr(0, size));
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"gait", "cut.glb"},
                                               {"view", "cut.glb", "--report", "cut.html"},
                                               {"export", "cut.glb", "--out", "cut.csv"},
                                               {"rerun", "cut.glb", "--out", "cut2.glb"},
                                               {"render", "cut.glb", "--png", "cut.png"}}) {
      const Outcome outcome = folder->legwork(words);
      EXPECT_EQ(outcome.code, 2) << words[0] << " at " << size << " bytes: " << outcome.err;
      EXPECT_EQ(outcome.err.rfind("legwork: ", 0), 0u) << outcome.err;
    }
  }
  for (const char* file : {"cut.html", "cut.csv", "cut2.glb", "cut.png"})
    EXPECT_FALSE(std::filesystem::exists(*folder / file)) << file;
}

TEST_F(MotionFiles, RenderMakesAPicture) {
  const Outcome outcome = folder->legwork({"render", "box.glb", "--png", "box.png", "--width", "64",
                                           "--height", "48", "--samples", "1", "--strip", "3", "strip.png"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(contents(*folder / "box.png").substr(1, 3), "PNG");
  EXPECT_EQ(contents(*folder / "strip.png").substr(1, 3), "PNG");
  EXPECT_EQ(folder->legwork({"render", "box.glb"}).err,
            "legwork: render: nothing to make; give --png FILE, --strip COUNT FILE or --mp4 FILE\n");
  EXPECT_EQ(folder->legwork({"render", "box.glb", "--png", "x.png", "--time", "9"}).code, 2);
  EXPECT_EQ(folder->legwork({"render", "box.glb", "--strip", "1", "x.png"}).err,
            "legwork: --strip: 1 is outside 2 .. 100\n");
}

}  // namespace
}  // namespace legwork::test
