// The same bits for walks, control and physics together: this file is also built at -O0 without the machine's
// own instructions. After a wanted change of the control the failure shows the new hashes.

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include <legwork/files.h>
#include "base/parallel.h"
#include "walk/walk.h"

namespace legwork {
namespace {

struct Case {
  const char* name;
  double seconds;
  const char* terrain;
  std::uint64_t hash;
};

std::uint64_t walk_hash(const Case& c) {
  WalkOptions options;
  options.seconds = c.seconds;
  WorldOptions ground;
  ground.contact = "linear";
  ground.terrain = c.terrain;
  const WalkOutcome r = perform_walk(
      load_world(LEGWORK_SOURCE_DIR "/creatures/" + std::string(c.name) + ".toml", ground), options);
  EXPECT_EQ(r.motion.status, Status::ok);
  std::uint64_t hash = 14695981039346656037ull;
  for (const double x : r.motion.q) hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 1099511628211ull;
  for (const double x : r.motion.v) hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 1099511628211ull;
  return hash;
}

TEST(WalkBits, AreThoseOfEveryLevelOfOptimisationAndNumberOfThreads) {
  const std::vector<Case> cases = {
      {"roach", 0.25, "plane", 16954085765619015443u},  // by McKenna's motor programs
      {"dog", 1.2, "plane", 4648290196697452593u},      // by balance, a few steps
      {"biped", 1.6, "plane", 18333526165024599886u},
      {"quadruped", 2, "slope:10deg", 6193508444784407520u},
      {"hexapod", 2, "steps:0.02,0.15", 14964246978594184245u},
  };
  for (const int threads : {1, 2}) {
    std::vector<std::uint64_t> hashes(cases.size());
    parallel_for(int(cases.size()), threads,
                 [&](int k, int) { hashes[size_t(k)] = walk_hash(cases[size_t(k)]); });
    for (size_t k = 0; k < cases.size(); ++k)
      EXPECT_EQ(hashes[k], cases[k].hash)
          << cases[k].name << " on " << cases[k].terrain << ", " << threads << " threads";
  }
}

}  // namespace
}  // namespace legwork
