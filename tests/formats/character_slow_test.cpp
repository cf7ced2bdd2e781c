// Rigged characters made by script walk in one call, feet stay where they stand, and Blender opens what comes
// out.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include <legwork/legwork.h>
#include "formats/character/anatomy.h"
#include "tests/scenes/blender.h"
#include "tests/scenes/rigged_dozen.h"
#include "tests/scenes/scratch.h"
#include "tests/scenes/validator.h"

namespace legwork {
namespace {

TEST(CharacterWalks, ADozenCharactersWalkAndTheirFeetHardlySlide) {
  const Scratch scratch;
  std::vector<std::string> made;
  for (const RiggedCase& one : rigged_dozen()) {
    SCOPED_TRACE(one.about);
    const std::string number = std::to_string(made.size());
    const std::string in = scratch / "in" + number + ".glb";
    made.push_back(scratch / "out" + number + ".glb");
    write_rigged(one.spec, in);
    const Result result = walk(load_world(in), {.seconds = 3});
    EXPECT_EQ(result.motion.status, Status::ok) << result.motion.status_text;
    ASSERT_TRUE(result.gait);
    const double height = find_figure(CharacterFile(in)).height;
    EXPECT_GT(result.gait->speed, 0.1 * height);
    double sum = 0;
    int stances = 0;
    for (const LegGait& leg : result.gait->legs)
      for (const Stance& stance : leg.stances) sum += stance.slip, ++stances;
    EXPECT_LT(sum / stances, 0.01 * height) << "of " << height << " m";
    EXPECT_LT(result.gait->slip, 0.04 * height) << "the worst stance, of " << height << " m";
    save(result, made.back());
  }
  const std::vector<Verdict> verdicts = validate_gltf(made, LEGWORK_SOURCE_DIR);
  for (std::size_t i = 0; i < made.size(); ++i)
    EXPECT_EQ(verdicts[i].errors, 0) << rigged_dozen()[i].about << ": " << verdicts[i].messages;
  if (!blender_is_here()) GTEST_SKIP() << "Blender is not installed";
  const nlohmann::json all =
      in_blender("places.py", {scratch / "found.json", "60"}, made, scratch / "found.json");
  for (const std::string& file : made) {
    EXPECT_EQ(all[file]["armatures"].size(), 1u);
    ASSERT_EQ(all[file]["actions"].size(), 2u);
    EXPECT_TRUE(all[file]["actions"][0]["name"].get<std::string>().starts_with("Idle"));
    EXPECT_TRUE(all[file]["actions"][1]["name"].get<std::string>().starts_with("walk"));
  }
}

TEST(CharacterWalks, TheAddOnForBlenderMakesAnActionOfTheArmature) {
  if (!blender_is_here()) GTEST_SKIP() << "Blender is not installed";
  const Scratch scratch;
  write_rigged({.build = Build::quadruped}, scratch / "in.glb");
  const nlohmann::json found = in_blender(
      "addon.py", {scratch / "found.json", LEGWORK_PROGRAM, LEGWORK_SOURCE_DIR "/blender/legwork_gaits.py"},
      {scratch / "in.glb"}, scratch / "found.json");
  ASSERT_TRUE(found.is_object());
  EXPECT_EQ(found["result"], nlohmann::json::array({"FINISHED"}));
  EXPECT_FALSE(found["runs_without_armature"]);
  EXPECT_EQ(found["old"].size(), 1u);
  EXPECT_TRUE(found["action"].get<std::string>().starts_with("walk"));
  ASSERT_GE(found["keys"].size(), 80u);
  for (const auto& key : found["keys"]) EXPECT_EQ(key.get<double>(), std::round(key.get<double>()));
  // it goes on (Blender's -Y), and its lowest vertex stays near the ground
  const auto& hips = found["heads"]["Hips"];
  EXPECT_LT(hips.back()[1].get<double>(), hips.front()[1].get<double>() - 0.3);
  for (const auto& low : found["lowest"]) {
    EXPECT_GT(low.get<double>(), -0.02);
    EXPECT_LT(low.get<double>(), 0.03);
  }
}

}  // namespace
}  // namespace legwork
