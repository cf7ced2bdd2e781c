#include "modes/balance.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <legwork/files.h>
#include "modes/modes.h"

namespace legwork {
namespace {

ModalResult walk(const std::string& creature, const std::string& action, double seconds) {
  ModesOptions options;
  options.action = action, options.balance = true, options.seconds = seconds;
  return make_modes_motion(load_world(creature), options);
}

TEST(Balance, TheDogWalksByPhysicsOnItsModes) {
  const ModalResult r = walk("dog", "walk", 4);
  EXPECT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
  EXPECT_GT(r.travel.forward, 0.3);
}

TEST(Balance, TheDogTrotsByPhysicsOnItsModes) {
  const ModalResult r = walk("dog", "trot", 10);
  EXPECT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
  EXPECT_NEAR(r.motion.duration(), 10, 1e-9);
  EXPECT_GT(r.travel.forward, 0.3);
  // the ground carries it, and never pulls
  const size_t contacts = r.motion.creature.contacts.size(), frames = size_t(r.motion.frames());
  double mean = 0;
  for (size_t f = frames / 2; f < frames; ++f)
    for (size_t p = 0; p < contacts; ++p) {
      const double force = r.motion.contact_force[(f * contacts + p) * 3 + 2];
      EXPECT_GE(force, 0);
      mean += force / double(frames - frames / 2);
    }
  const double weight = 9.81 * r.motion.creature.mass();
  EXPECT_NEAR(mean, weight, 0.1 * weight);
}

TEST(Balance, TheHumanWalksForTwentySeconds) {
  const ModalResult r = walk("human", "walk", 20);
  EXPECT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
  EXPECT_NEAR(r.motion.duration(), 20, 1e-9);
  EXPECT_GT(r.travel.forward, 0.6);
}

// With times in which no foot touches, as a run has.
TEST(Balance, TheHumanRunsForTwentySeconds) {
  const ModalResult r = walk("human", "run", 20);
  EXPECT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
  EXPECT_NEAR(r.motion.duration(), 20, 1e-9);
  EXPECT_GT(r.travel.forward, 0.6);
  const size_t values = 3 * r.motion.creature.contacts.size(), frames = size_t(r.motion.frames());
  int in_flight = 0;
  for (size_t f = frames / 2; f < frames; ++f) {
    const auto begin = r.motion.contact_force.begin() + long(f * values);
    in_flight += std::all_of(begin, begin + long(values), [](double force) { return force == 0; });
  }
  EXPECT_GT(in_flight, int(frames / 2) / 10);
}

TEST(Balance, TheDogWalksUpASlope) {
  World world = load_world("dog");
  world.terrain.type = TerrainType::slope, world.terrain.angle = 0.1;
  ModesOptions options;
  options.action = "walk", options.balance = true, options.seconds = 4;
  const ModalResult r = make_modes_motion(world, options);
  EXPECT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
  EXPECT_GT(r.travel.forward, 0.3);
}

TEST(Balance, NoGroundIsRefused) {
  World world = load_world("dog");
  world.terrain.type = TerrainType::none;
  ModesOptions options;
  options.action = "trot", options.balance = true, options.seconds = 0.1;
  try {
    make_modes_motion(world, options);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("has no ground to balance on; leave --terrain none out"),
              std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace legwork
