// Long walks are recorded no finer than they are asked for, and are the same walks.

#include <gtest/gtest.h>

#include <algorithm>

#include <legwork/files.h>
#include "walk/walk.h"

namespace legwork {
namespace {

WalkOutcome walk_for(const char* name, double seconds, double rate, long steps) {
  WalkOptions options;
  options.seconds = seconds;
  Run run;
  run.keep_partial = true;
  long asked = 0;
  run.stop = [&] { return ++asked > steps; };
  return perform_walk(load_world(name, {.rate = rate}), options, run);
}

std::vector<double> row(const std::vector<double>& values, int frame, int frames) {
  const size_t width = values.size() / size_t(frames);
  return {values.begin() + long(width) * frame, values.begin() + long(width) * (frame + 1)};
}

TEST(LongWalk, KeepsFewFramesOfTheSameWalk) {
  for (const char* name : {"quadruped", "roach"}) {  // by balance, by motor programs
    SCOPED_TRACE(name);
    const Motion shorter = walk_for(name, 1, 10, 1'000'000).motion;
    const Motion longer = walk_for(name, 5000, 10, 6000).motion;  // the start of it
    ASSERT_EQ(longer.status, Status::stopped);
    ASSERT_GT(longer.frames(), 4);
    const double finer = shorter.frames() / shorter.duration();
    EXPECT_GT(finer, 20);
    const int kept = int(finer / 10);
    for (int f = 0; f < longer.frames() && kept * f < shorter.frames(); ++f) {
      EXPECT_EQ(longer.time[size_t(f)], shorter.time[size_t(kept * f)]) << f;
      EXPECT_EQ(row(longer.q, f, longer.frames()), row(shorter.q, kept * f, shorter.frames())) << f;
      EXPECT_EQ(row(longer.contact_force, f, longer.frames()),
                row(shorter.contact_force, kept * f, shorter.frames()))
          << f;
    }
  }
}

TEST(LongWalk, IsAsFineAsItsStepsNeedUntilItHasManyFrames) {
  EXPECT_EQ(kept_frame(20'000, 95, 10), 1);
  EXPECT_EQ(kept_frame(20'001, 95, 10), 9);
  EXPECT_EQ(kept_frame(20'001, 95, 60), 1);
  EXPECT_EQ(kept_frame(20'001, 60, 60), 1);
}

}  // namespace
}  // namespace legwork
