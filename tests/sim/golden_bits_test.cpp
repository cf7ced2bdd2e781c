// The same bits for every shipped creature's drop: scalar and batch, any number of threads, and, because this
// file is also built at -O0 without the machine's own instructions, at every level of optimisation.
//
// After a wanted change of the physics or of a creature:
//   LEGWORK_GOLDEN=write build/tests/test_sim --gtest_filter='Golden.*'

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include <legwork/files.h>
#include "base/parallel.h"
#include "formats/shipped.h"
#include "motion/record.h"

namespace legwork {
namespace {

const std::string table_path = LEGWORK_SOURCE_DIR "/tests/sim/golden_drops.txt";
constexpr int frames = 30, rate = 60;

std::vector<ShippedCreature> everything() {
  std::vector<ShippedCreature> all = shipped_creatures();
  for (const ShippedCreature& w : shipped_worlds()) all.push_back(w);
  return all;
}

SimOptions drop_options() {
  SimOptions o;
  o.height = 0.05;
  o.throw_velocity = {0.3, -0.2, 0.1};
  o.spin = {0.5, -1, 2};
  return o;
}

// Hash of one lane's positions and velocities in every frame of a drop.
template <class T>
std::uint64_t drop_hash(Simulation<T>& sim, const Start& start, int lane_index) {
  const long steps = std::max(1L, long(std::ceil(1.0 / rate / sim.options.dt - 1e-9)));
  sim.options.dt = 1.0 / rate / double(steps);
  sim.reset(start.q, start.v);
  std::uint64_t hash = 14695981039346656037ull;
  const auto add = [&](double x) { hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 1099511628211ull; };
  for (int f = 0; f < frames; ++f) {
    for (long n = 0; n < steps; ++n) sim.step();
    for (const T& x : sim.state.q) add(lane(x, lane_index));
    for (const T& x : sim.state.v) add(lane(x, lane_index));
  }
  return hash;
}

std::uint64_t scalar_hash(const World& world) {
  const System<double> system = make_system(world);
  Simulation<double> sim(system, choose_step(system));
  const std::uint64_t hash = drop_hash(sim, start_of(system, drop_options()), 0);
  EXPECT_EQ(sim.status(), Status::ok) << world.body.name << ": " << sim.explain();
  return hash;
}

std::uint64_t batch_hash(const World& world, int lane_index) {
  const System<double> scalar = make_system(world);
  const System<Batch> system = make_batch_system(world, {&world.body});
  Simulation<Batch> sim(system, choose_step(scalar));
  return drop_hash(sim, start_of(scalar, drop_options()), lane_index);
}

std::vector<std::uint64_t> all_hashes(const std::vector<ShippedCreature>& list, int threads) {
  std::vector<std::uint64_t> hashes(list.size());
  parallel_for(int(list.size()), threads,
               [&](int i, int) { hashes[i] = scalar_hash(load_world(list[i].path)); });
  return hashes;
}

TEST(Golden, DropsOfAllShippedCreaturesHaveTheBitsOfTheTable) {
  const std::vector<ShippedCreature> list = everything();
  ASSERT_GE(list.size(), 6u);
  const std::vector<std::uint64_t> hashes = all_hashes(list, 1);
  const char* wish = std::getenv("LEGWORK_GOLDEN");
  if (wish && std::string(wish) == "write") {
    std::ofstream table(table_path);
    for (std::size_t i = 0; i < list.size(); ++i)
      table << list[i].name << " " << std::hex << hashes[i] << "\n";
    return;
  }
  std::map<std::string, std::string> expected;
  std::ifstream table(table_path);
  ASSERT_TRUE(table) << table_path;
  for (std::string name, hash; table >> name >> hash;) expected[name] = hash;
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::ostringstream hash;
    hash << std::hex << hashes[i];
    EXPECT_EQ(expected[list[i].name], hash.str())
        << "drop of " << list[i].name << ": if the change is wanted, LEGWORK_GOLDEN=write";
  }
}

TEST(Golden, DropsAreTheSameOnOneAndTwoThreads) {
  EXPECT_EQ(all_hashes(everything(), 1), all_hashes(everything(), 2));
}

TEST(Golden, DropsAreTheSameInABatch) {
  for (const ShippedCreature& s : shipped_creatures()) {
    const World world = load_world(s.path);
    if (world.body_contact) continue;
    EXPECT_EQ(batch_hash(world, 5), scalar_hash(world)) << s.name;
  }
}

}  // namespace
}  // namespace legwork
