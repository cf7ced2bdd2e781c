#include <gtest/gtest.h>

#include <legwork/legwork.h>
#include "tests/scenes/program.h"

namespace legwork::test {
namespace {

TEST(ResultFile, SaveWritesTheFileOfTheCommandLineByteForByte) {
  const Folder folder;
  ASSERT_EQ(folder.legwork({"drop", "hexapod", "--seconds", "0.2", "--out", "a.glb"}).code, 0);
  save(drop(load_world("hexapod"), {.seconds = 0.2}), (folder / "b.glb").string());
  EXPECT_EQ(contents(folder / "a.glb"), contents(folder / "b.glb"));
}

TEST(ResultFile, AResultComesBackWithMotionGaitScenarioAndTheGivenBody) {
  const Folder folder;
  const std::string path = (folder / "a.glb").string();
  const Result result = walk(load_world("roach"), {.seconds = 0.05, .payload = 0.2});
  save(result, path);
  const Result back = read_result(path);
  EXPECT_EQ(back.motion.q, result.motion.q);
  EXPECT_EQ(back.motion.made.options, result.motion.made.options);
  EXPECT_EQ(read_motion(path).v, result.motion.v);
  ASSERT_TRUE(back.gait);
  EXPECT_EQ(back.gait->legs.size(), result.gait->legs.size());
  EXPECT_EQ(back.scenario.verb, "walk");
  EXPECT_EQ(back.scenario.seed, result.scenario.seed);
  EXPECT_EQ(back.given.mass(), result.given.mass());
  EXPECT_EQ(back.motion.creature.mass(), result.motion.creature.mass());
  EXPECT_EQ(sentences(back.account), sentences(result.account));
  EXPECT_TRUE(rerun(path).difference.empty());
}

TEST(ResultFile, AMotionMadeByHandIsSavedAndReadToo) {
  const Folder folder;
  Result result;
  result.motion.creature = load_creature("box");
  result.motion.time = {0, 0.5};
  const std::vector<double> q = result.motion.creature.pose("");
  for (int frame = 0; frame < 2; ++frame) result.motion.q.insert(result.motion.q.end(), q.begin(), q.end());
  save(result, (folder / "a.glb").string());
  const Result back = read_result((folder / "a.glb").string());
  EXPECT_EQ(back.motion.q, result.motion.q);
  EXPECT_FALSE(back.gait);
  EXPECT_TRUE(back.scenario.verb.empty());
}

}  // namespace
}  // namespace legwork::test
