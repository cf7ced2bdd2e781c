#include <gtest/gtest.h>

#include "tests/scenes/program.h"

namespace legwork::test {
namespace {

using Json = nlohmann::json;

TEST(TrackVerb, TellsWhatAMotionTakesAndWritesItsPage) {
  const Folder folder;
  ASSERT_EQ(
      folder.legwork({"direct", "biped", "--algorithm", "walk", "--seconds", "0.6", "--out", "walk.glb"})
          .code,
      0);
  const Outcome outcome = folder.legwork({"direct", "biped", "--track", "walk.glb", "--seconds", "0.1",
                                          "--report", "page.html", "--out", "done.glb", "--json", "-"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = outcome.json();
  EXPECT_EQ(json["joints_found"], 9);
  EXPECT_FALSE(json["ground_could_give_it"]);
  EXPECT_GT(json["shortfalls"].size(), 0u);
  EXPECT_GT(json["torques"]["r_knee"]["needed_over_weight"], 0.01);
  EXPECT_NEAR(json["body_weight"], 80 * 9.81, 1e-6);
  EXPECT_EQ(folder.legwork({"rerun", "done.glb"}).code, 0);
}

TEST(TrackVerb, HeldFeetAreRefused) {
  const Folder folder;
  const Outcome outcome = folder.legwork({"direct", "biped", "--track", "x.glb", "--ground", "held"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(
      outcome.err,
      "legwork: direct: ground: held feet could be given any force; --track takes unilateral or penalty\n");
}

}  // namespace
}  // namespace legwork::test
