// The same bits for walks, control and physics together: this file is also built at -O0 without the machine's
// own instructions. After a wanted change of the control the failure shows the new hashes.

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include <legwork/files.h>
#include "walk/walk.h"

namespace legwork {
namespace {

std::uint64_t walk_hash(const std::string& name, double seconds) {
  WalkOptions options;
  options.seconds = seconds;
  WorldOptions ground;
  ground.contact = "linear";
  const WalkOutcome r =
      perform_walk(load_world(LEGWORK_SOURCE_DIR "/creatures/" + name + ".toml", ground), options);
  EXPECT_EQ(r.motion.status, Status::ok);
  std::uint64_t hash = 14695981039346656037ull;
  for (const double x : r.motion.q) hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 1099511628211ull;
  for (const double x : r.motion.v) hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 1099511628211ull;
  return hash;
}

TEST(WalkBits, OfRoachAndDogAreThoseOfEveryLevelOfOptimisation) {
  EXPECT_EQ(walk_hash("roach", 0.25), 16954085765619015443u);  // by McKenna's motor programs
  EXPECT_EQ(walk_hash("dog", 1.2), 18316462541123938961u);     // by balance, a few steps
  EXPECT_EQ(walk_hash("biped", 1.6), 1798742737497930587u);
}

}  // namespace
}  // namespace legwork
