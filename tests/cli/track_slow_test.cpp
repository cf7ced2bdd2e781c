// The dog's gaits, performed by physics.

#include <gtest/gtest.h>

#include "tests/scenes/program.h"

namespace legwork::test {
namespace {

using Json = nlohmann::json;

TEST(TrackVerb, TheDogsGaitsOfReachAndModesStayUpForThreeStrides) {
  const Folder folder;
  const std::vector<std::vector<std::string>> sources = {
      {"reach", "dog", "--strides", "5", "--out", "gait.glb"},
      {"modes", "dog", "--action", "trot", "--seconds", "2.4", "--out", "gait.glb"}};
  for (const std::vector<std::string>& words : sources) {
    SCOPED_TRACE(words[0]);
    ASSERT_EQ(folder.legwork(words).code, 0);
    const Json json = folder.legwork({"direct", "dog", "--track", "gait.glb", "--json", "-"}).json();
    EXPECT_EQ(json["status"], "ok");
    EXPECT_GE(json["strides"], 3);
    EXPECT_LT(json["deviation"]["trunk"], 0.1);
  }
}

// Two legs, and for most of its time a motion that needs more than the ground can supply.
TEST(TrackVerb, TheTyrannosaurusGaitOfReachIsPerformedToItsEnd) {
  const Folder folder;
  ASSERT_EQ(folder.legwork({"reach", "tyrannosaurus", "--out", "gait.glb"}).code, 0);
  const Json json = folder.legwork({"direct", "tyrannosaurus", "--track", "gait.glb", "--json", "-"}).json();
  EXPECT_EQ(json["status"], "ok");
  EXPECT_EQ(json["moved_by"], "balance");
  EXPECT_GE(json["strides"], 2);
  EXPECT_LT(json["deviation"]["trunk"], 0.1);
}

// On ice no foot holds: the report says since when, under which feet, and how much was missing.
TEST(TrackVerb, SaysWhichForceWasMissingWhereItDoesNotStayUp) {
  const Folder folder;
  ASSERT_EQ(
      folder.legwork({"direct", "biped", "--algorithm", "walk", "--seconds", "3", "--out", "walk.glb"}).code,
      0);
  const Outcome outcome =
      folder.legwork({"direct", "biped", "--track", "walk.glb", "--friction", "0.02", "--json", "-"});
  EXPECT_EQ(outcome.code, 3);
  const Json json = outcome.json();
  ASSERT_TRUE(json.contains("lost"));
  EXPECT_LE(json["lost"]["from"], json["lost"]["worst_time"]);
  const Json force = json["lost"]["missing_force"];
  EXPECT_GT(std::hypot(force[0].get<double>(), force[1].get<double>()), 0.02 * 80 * 9.81);
}

}  // namespace
}  // namespace legwork::test
