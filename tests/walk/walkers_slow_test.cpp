// Ten bodies of the walkers' benchmark on four of its grounds; `make study METHOD=walkers` runs all of it.

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "tests/scenes/generated_body.h"
#include "tests/scenes/walkers.h"

namespace legwork {
namespace {

constexpr int seed = 1, first = 10, bodies = 10;  // three bipeds, two tripods, one with eleven legs

struct Least {
  const char* name;
  int walk;  // of the ten; raise it with the controller
};
constexpr Least least[] = {{"flat", 10}, {"up10", 9}, {"rough10", 9}, {"push25", 7}};

TEST(Walkers, BodiesThatNobodyTunedWalkOnSlopesAndHillsAndWhenPushed) {
  constexpr int cases = int(std::size(least));
  std::vector<WalkerRun> runs(std::size_t(bodies * cases));
  parallel_for(bodies * cases, 0, [&](int k, int) {
    const int number = first + k % bodies;
    runs[std::size_t(k)] = run_walker(generated_body(seed, number), number, least[k / bodies].name);
  });
  std::string failures;
  for (const WalkerRun& run : runs)
    if (!run.verdict.walked)
      failures += run.name + ", body " + std::to_string(run.number) + ": " + run.verdict.reason + "\n";
  for (int c = 0; c < cases; ++c) {
    int walked = 0;
    for (int k = 0; k < bodies; ++k) walked += runs[std::size_t(c * bodies + k)].verdict.walked;
    EXPECT_GE(walked, least[c].walk) << least[c].name;
  }
  if (HasFailure()) std::printf("%s%s", failures.c_str(), walker_table(runs).c_str());
}

TEST(Walkers, ARunDoesNotDependOnWhatRanBefore) {
  const Creature body = generated_body(seed, 14);
  const WalkerRun one = run_walker(body, 14, "flat"), again = run_walker(body, 14, "flat");
  EXPECT_EQ(one.verdict.distance, again.verdict.distance);
  EXPECT_EQ(one.verdict.heading, again.verdict.heading);
}

TEST(Walkers, ARefusalIsAFailureWithItsReason) {
  Creature body = generated_body(seed, 14);
  body.legs.resize(1);
  const WalkerRun run = run_walker(body, 14, "flat");
  EXPECT_FALSE(run.verdict.walked);
  EXPECT_FALSE(run.verdict.reason.empty());
}

}  // namespace
}  // namespace legwork
