// What can be done with the file of a motion: gait, view, export, render; and what is said of bad files.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "tests/scenes/program.h"

namespace legwork::test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

// A folder with the fall of a legged body.
class FallFile : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(folder_
                  .legwork({"drop", "strider", "--seconds", "0.6", "--height", "0.05", "--throw", "0.5,0,0",
                            "--out", "fall.glb"})
                  .code,
              0);
  }
  const Folder folder_;
};

void expect_vocabulary(const Json& json) {
  for (const char* key : {"status", "fell", "gait"}) EXPECT_TRUE(json.contains(key)) << key;
  for (const char* key : {"name", "speed", "stride_length", "step_length", "stride_time", "froude",
                          "cost_of_transport", "slip", "penetration", "heading_drift", "stability_margin"})
    EXPECT_TRUE(json["gait"].contains(key)) << key;
  for (const char* leg : {"lf", "rf", "lh", "rh"})
    for (const char* key : {"duty_factor", "phase"})
      EXPECT_TRUE(json["gait"]["legs"][leg].contains(key)) << leg << " " << key;
}

TEST_F(FallFile, EveryVerbsJsonHoldsTheGaitInOneVocabulary) {
  for (const Words& words : std::vector<Words>{
           {"drop", "strider", "--seconds", "0.2"},
           {"rerun", "fall.glb"},
           {"gait", "fall.glb"},
           {"view", "fall.glb"},
           {"export", "fall.glb", "--out", "fall.csv"},
           {"render", "fall.glb", "--png", "a.png", "--width", "32", "--height", "18", "--samples", "1"}}) {
    SCOPED_TRACE(words[0]);
    Words asked = words;
    asked.insert(asked.end(), {"--json", "-"});
    const Outcome outcome = folder_.legwork(asked);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    expect_vocabulary(outcome.json());
  }
}

TEST_F(FallFile, AGalleryListsItsMotions) {
  ASSERT_EQ(folder_.legwork({"drop", "box", "--seconds", "0.2", "--out", "box.glb"}).code, 0);
  const Outcome outcome =
      folder_.legwork({"view", "fall.glb", "box.glb", "--report", "both.html", "--json", "-"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json motions = outcome.json()["motions"];
  ASSERT_EQ(motions.size(), 2u);
  expect_vocabulary(motions[0]);
  EXPECT_EQ(motions[1]["file"], "box.glb");
  EXPECT_EQ(motions[1]["creature"], "box");
}

TEST_F(FallFile, IsExportedInEveryForm) {
  for (const char* name : {"a.bvh", "a.csv", "a.sto", "a.glb", "a.xml", "a.toml"}) {
    const Outcome outcome = folder_.legwork({"export", "fall.glb", "--out", name});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(std::filesystem::exists(folder_ / name)) << name;
  }
  EXPECT_EQ(contents(folder_ / "a.bvh").rfind("HIERARCHY\nROOT ", 0), 0u);
  EXPECT_EQ(contents(folder_ / "a.csv").rfind("time [s],", 0), 0u);
  EXPECT_NE(contents(folder_ / "a.sto").find("inDegrees=no"), std::string::npos);
  EXPECT_EQ(folder_.legwork({"check", "a.xml"}).code, 0);
  EXPECT_EQ(folder_.legwork({"check", "a.toml"}).code, 0);
  const Outcome again = folder_.legwork({"rerun", "a.glb", "--json", "-"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(again.json()["equal"]);
}

TEST_F(FallFile, ACycleInPlaceEndsWhereItBegan) {
  const Outcome outcome = folder_.legwork({"export", "fall.glb", "--cycle", "--in-place", "--fps", "30",
                                           "--start", "0.1", "--period", "0.4", "--out", "loop.csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string text = contents(folder_ / "loop.csv");
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  ASSERT_EQ(lines.size(), 1u + 13u);  // 0.4 s at 30 Hz, both ends
  // the root's x, y, z and quaternion follow the time
  const auto numbers = [](const std::string& line) {
    std::vector<double> values;
    for (const char* at = line.c_str(); values.size() < 8; ++at) {
      char* end = nullptr;
      values.push_back(std::strtod(at, &end));
      at = end;
    }
    return values;
  };
  const std::vector<double> first = numbers(lines[1]), last = numbers(lines.back());
  for (size_t i = 1; i < first.size(); ++i) EXPECT_NEAR(first[i], last[i], 1e-9) << i;
}

TEST_F(FallFile, IsRenderedAsPictureStripAndFilm) {
  const Words small = {"--width", "64", "--height", "36", "--samples", "1"};
  const auto render = [&](Words words) {
    words.insert(words.begin(), {"render", "fall.glb"});
    words.insert(words.end(), small.begin(), small.end());
    return folder_.legwork(words);
  };
  EXPECT_EQ(render({"--png", "a.png", "--time", "0.3"}).code, 0);
  EXPECT_EQ(render({"--strip", "4", "strip.png"}).code, 0);
  for (const char* name : {"a.png", "strip.png"})
    EXPECT_EQ(contents(folder_ / name).substr(0, 4), "\x89PNG") << name;
  const Outcome film = render({"--mp4", "film.mp4", "--fps", "10"});
  ASSERT_EQ(film.code, 0) << film.err;
  EXPECT_EQ(contents(folder_ / "film.mp4").substr(4, 4), "ftyp");
  const Outcome standing = render({"--strip", "4", "stride.png", "--stride"});
  EXPECT_EQ(standing.code, 2);
  EXPECT_NE(standing.err.find("has no whole stride; show the whole motion, or make a longer one"),
            std::string::npos)
      << standing.err;
  const Outcome stray = render({"--png", "a.png", "--stride"});
  EXPECT_EQ(stray.code, 2);
  EXPECT_NE(stray.err.find("--stride: is for strips; add --strip COUNT FILE"), std::string::npos)
      << stray.err;
  const Outcome late = render({"--png", "late.png", "--time", "7"});
  EXPECT_EQ(late.code, 2);
  EXPECT_NE(late.err.find("after the end of the motion"), std::string::npos) << late.err;
}

TEST_F(FallFile, ABadOneIsBadInputAndNothingIsWritten) {
  const std::string whole = contents(folder_ / "fall.glb");
  folder_.write("cut.glb", whole.substr(0, whole.size() / 2));
  // a glTF file of someone else
  std::string json = R"({"asset":{"version":"2.0"}})";
  json.resize((json.size() + 3) / 4 * 4, ' ');
  const auto word = [](size_t n) {
    return std::string{char(n & 255), char(n >> 8 & 255), char(n >> 16 & 255), char(n >> 24 & 255)};
  };
  folder_.write("foreign.glb", "glTF" + word(2) + word(20 + json.size()) + word(json.size()) + "JSON" + json);
  // no frames: the count is the only thing that is wrong
  std::string none = whole;
  const std::string frames = "\"frames\":37";
  const size_t at = none.find(frames);
  ASSERT_NE(at, none.npos);
  none.replace(at, frames.size(), "\"frames\":0 ");
  folder_.write("none.glb", none);
  const std::vector<std::string> before = folder_.names();
  for (const std::string file : {"cut.glb", "foreign.glb", "none.glb", "missing.glb"})
    for (const Words& words : std::vector<Words>{{"gait", file},
                                                 {"view", file, "--report", "page.html"},
                                                 {"rerun", file, "--out", "again.glb"},
                                                 {"export", file, "--out", "a.bvh"},
                                                 {"export", file, "--out", "a.csv"},
                                                 {"export", file, "--out", "a.sto"},
                                                 {"export", file, "--out", "a.glb"},
                                                 {"render", file, "--png", "a.png"},
                                                 {"render", file, "--mp4", "a.mp4"}}) {
      const Outcome outcome = folder_.legwork(words);
      if (words[0] == "rerun" && file == "none.glb") continue;  // its scenario is whole
      EXPECT_EQ(outcome.code, 2) << words[0] << " " << file << ": " << outcome.out << outcome.err;
      EXPECT_EQ(outcome.err.rfind("legwork: ", 0), 0u) << outcome.err;
      EXPECT_NE(outcome.err.find(file), std::string::npos) << outcome.err;
    }
  std::filesystem::remove(folder_ / "again.glb");
  EXPECT_EQ(folder_.names(), before);
}

TEST(FallFileWithoutFeet, HasNoGaitButAPage) {
  const Folder folder;
  ASSERT_EQ(folder.legwork({"drop", "box", "--seconds", "0.2", "--out", "box.glb"}).code, 0);
  const Outcome gait = folder.legwork({"gait", "box.glb", "--json", "gait.json"});
  EXPECT_EQ(gait.code, 2);
  EXPECT_NE(gait.err.find("leg"), std::string::npos) << gait.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "gait.json"));
  const Outcome cycle = folder.legwork({"export", "box.glb", "--cycle", "--out", "loop.glb"});
  EXPECT_EQ(cycle.code, 2) << cycle.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "loop.glb"));
  EXPECT_EQ(folder.legwork({"view", "box.glb"}).code, 0);
}

TEST(Examples, Run) {
  const Folder folder;
  const std::string examples = std::string(LEGWORK_CREATURES_DIR) + "/../examples/";
  const Outcome study =
      folder.legwork({"study", examples + "friction.toml", "--results", "runs.jsonl", "--json", "-"});
  ASSERT_EQ(study.code, 0) << study.err;
  const Json rows = study.json()["rows"];
  ASSERT_EQ(rows.size(), 4u);
  const auto slip = [&](size_t i) { return double(rows[i]["measures"]["gait.slip"]["mean"]); };
  EXPECT_GT(slip(0), 2 * slip(3));
  const Outcome shove = folder.legwork({"run", examples + "shove.toml", "--json", "-"});
  ASSERT_EQ(shove.code, 0) << shove.err;
  EXPECT_FALSE(shove.json()["fell"]);
}

}  // namespace
}  // namespace legwork::test
