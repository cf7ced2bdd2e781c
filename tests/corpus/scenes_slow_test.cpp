// The scenes of the thesis's section 5.4: what must be seen in them.

#include <gtest/gtest.h>

#include <algorithm>

#include "corpus/corpus.h"
#include "corpus/script.h"

namespace legwork {
namespace {

CorpusRun scene(const std::string& name) {
  const std::string path = LEGWORK_CREATURES_DIR "/../examples/" + name + ".corpus";
  return run_corpus(gather_corpus(path), path);
}

// Height of the abdomen's centre, and the z component of its own z axis.
struct Posture {
  double height, up;
};
Posture posture(const Motion& m, int frame) {
  const double* q = &m.q[std::size_t(frame) * std::size_t(m.creature.nq())];
  return {q[2], 1 - 2 * (q[4] * q[4] + q[5] * q[5])};
}
void expect_standing(const Motion& m) {
  const Posture end = posture(m, m.frames() - 1);
  EXPECT_GT(end.up, 0.95);
  EXPECT_NEAR(end.height, 0.0115, 0.001);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(m.v[m.v.size() - std::size_t(m.creature.nv()) + std::size_t(i)], 0, 0.005);
}

TEST(CorpusScene, TheRoachDropsAndStands) {
  const CorpusRun r = scene("roach_drops");
  ASSERT_EQ(r.motion.status, Status::ok);
  EXPECT_GT(posture(r.motion, 0).height, 0.045);
  expect_standing(r.motion);
}

TEST(CorpusScene, TheRoachJumpsItsOwnLengthAndLandsOnItsFeet) {
  const CorpusRun r = scene("roach_jumps");
  ASSERT_EQ(r.motion.status, Status::ok);
  double top = 0;
  for (int f = r.motion.frames() / 4; f < r.motion.frames(); ++f)
    top = std::max(top, posture(r.motion, f).height);
  EXPECT_GT(top, 0.035);
  expect_standing(r.motion);
}

TEST(CorpusScene, TheRoachBreaksBothWiresAndWalksOn) {
  const CorpusRun r = scene("roach_wires");
  ASSERT_EQ(r.motion.status, Status::ok);
  EXPECT_EQ(r.attachments, 2);
  EXPECT_EQ(r.breaks, 2);
  const std::size_t last = std::size_t(r.motion.frames() - 1) * std::size_t(r.motion.creature.nq());
  EXPECT_GT(r.motion.q[last], 0.05);  // the wires hang at 4.2 cm
}

TEST(CorpusScene, TheSprayedRoachLiesOnItsBackAndRightsItself) {
  const CorpusRun r = scene("roach_spray");
  ASSERT_EQ(r.motion.status, Status::ok);
  double lowest = 1;
  for (int f = 0; f < r.motion.frames(); ++f) lowest = std::min(lowest, posture(r.motion, f).up);
  EXPECT_LT(lowest, -0.99);
  expect_standing(r.motion);
}

TEST(CorpusScene, TheRoachWalksOnStickyFeetAtTheThesissSpeed) {
  CorpusOptions options;
  options.most_frames = 2000;
  const std::string path = LEGWORK_CREATURES_DIR "/../examples/roach_sticky.corpus";
  options.then = {"groundea 0.175", "h 0.00005", "move abdomen 0 0 0.018",
                  "setrootpos",     "go 360",    "speed 1",
                  "prestance",      "go 240",    "gaitgo",
                  "go 1200"};
  const CorpusRun r = run_corpus(gather_corpus(path), path, options);
  ASSERT_EQ(r.motion.status, Status::ok);
  const auto at = [&](double time) {
    int f = 0;
    while (f + 1 < r.motion.frames() && r.motion.time[std::size_t(f)] < time) ++f;
    return r.motion.q[std::size_t(f) * std::size_t(r.motion.creature.nq())];
  };
  const double speed = (at(0.74) - at(0.44)) / 0.3;
  EXPECT_GT(speed, 0.07);  // the thesis: 8.0 cm/s on sticky feet
  EXPECT_LT(speed, 0.09);
}

// Figure 16: open loop, over bumps of 4 mm; on ground a hundred times softer for the sake of time.
TEST(CorpusScene, TheRoachWalksOverBumpsWithoutAnyFeedback) {
  CorpusOptions options;
  options.most_frames = 11000;
  const std::string path = LEGWORK_CREATURES_DIR "/../examples/roach_uneven.corpus";
  std::string text = gather_corpus(path);
  const std::string start = "addrigrd bumps";
  text.insert(text.find(start), "groundea 0.175\nh 0.0001\n");
  const CorpusRun r = run_corpus(text, path, options);
  ASSERT_EQ(r.motion.status, Status::ok);
  double lowest = 1;
  for (int f = 0; f < r.motion.frames(); ++f) lowest = std::min(lowest, posture(r.motion, f).up);
  EXPECT_GT(lowest, 0.5);  // never on its side
  const std::size_t last = std::size_t(r.motion.frames() - 1) * std::size_t(r.motion.creature.nq());
  EXPECT_GT(r.motion.q[last], 0.015);  // half its own length and going on
}

TEST(CorpusScene, TheRoachLiesInItsPodAndTwitches) {
  const CorpusRun r = scene("roach_pod");
  ASSERT_EQ(r.motion.status, Status::ok);
  // inside the egg all the time, and at rest before the first twitch (frame 960 of 1/2400 s)
  double fastest = 0;
  for (int f = 0; f < r.motion.frames(); ++f) {
    const double* q = &r.motion.q[std::size_t(f) * std::size_t(r.motion.creature.nq())];
    EXPECT_LT(std::abs(q[0]), 0.03);
    EXPECT_LT(std::abs(q[1]), 0.03);
    EXPECT_GT(q[2], 0.005);
    const double speed = std::abs(r.motion.v[std::size_t(f) * std::size_t(r.motion.creature.nv()) + 2]);
    if (r.motion.time[std::size_t(f)] > 0.3 && r.motion.time[std::size_t(f)] < 0.4)
      EXPECT_LT(speed, 0.02);
    else if (r.motion.time[std::size_t(f)] > 0.4)
      fastest = std::max(fastest, speed);
  }
  EXPECT_GT(fastest, 0.05);
}

TEST(CorpusScene, ThePuffsComeToRestAndThenBounceEverHigher) {
  const CorpusRun r = scene("puffs");
  ASSERT_EQ(r.motion.status, Status::ok);
  const auto kinetic = [&](double from, double to) {  // mean square of the upward speeds
    double sum = 0;
    int count = 0;
    for (int f = 0; f < r.motion.frames(); ++f)
      if (r.motion.time[std::size_t(f)] >= from && r.motion.time[std::size_t(f)] < to)
        for (int i = 0; i < 40; ++i, ++count) {
          const double v =
              r.motion.v[std::size_t(f) * std::size_t(r.motion.creature.nv()) + std::size_t(6 * i + 2)];
          sum += v * v;
        }
    return sum / count;
  };
  EXPECT_LT(kinetic(0.9, 1.0), 0.001);
  EXPECT_GT(kinetic(2.2, 2.5), 1.1 * kinetic(1.0, 1.3));
}

}  // namespace
}  // namespace legwork
