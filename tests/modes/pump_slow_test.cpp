// Modes in physics: simple creatures travel, and turn back when the phase does.

#include "modes/pump.h"

#include <gtest/gtest.h>

#include <legwork/files.h>
#include "modes/modes.h"

namespace legwork {
namespace {

ModalResult travel_of(const std::string& creature, const std::string& phase, double hz) {
  ModesOptions options;
  options.stiffness = "1", options.dynamic = true, options.hz = hz, options.seconds = 5;
  options.mode = {"6=1", "7=1," + phase};
  return make_modes_motion(load_world(creature), options);
}

TEST(Pump, LoopAndLinearCreaturesTravelAndReverseWithThePhase) {
  for (const auto& [creature, hz] : {std::pair{"loop_creature", 5.26}, {"linear_creature", 5.0}}) {
    SCOPED_TRACE(creature);
    const ModalResult there = travel_of(creature, "90", hz), back = travel_of(creature, "-90", hz);
    EXPECT_EQ(there.motion.status, Status::ok);
    EXPECT_EQ(back.motion.status, Status::ok);
    EXPECT_GT(there.travel.speed, 0.02);
    EXPECT_LT(there.travel.forward * back.travel.forward, 0);
  }
}

// At half the paper's amplitude the linear creature crawls; from the second second on it goes the same way in
// every stretch of time, and the other way with the phase reversed. At the amplitude of 1 it hops about, and
// which way it has gone depends on how long one watches.
TEST(Pump, TheLinearCreatureGoesTheSameWayHoweverLongOneWatches) {
  const World world = load_world("linear_creature");
  for (const auto& [phase, sign] : {std::pair{"90", 1.0}, {"270", -1.0}}) {
    ModesOptions options;
    options.stiffness = "1", options.dynamic = true, options.hz = 6.5, options.seconds = 12;
    options.mode = {"6=0.5", std::string("7=0.5,") + phase};
    const Motion motion = make_modes_motion(world, options).motion;
    ASSERT_EQ(motion.status, Status::ok);
    const std::vector<double>& com = motion.channel("center of mass")->values;
    const auto x = [&](double time) { return com[3 * size_t(time * 60 + 0.5)]; };
    for (double t = 2; t < 12; t += 2) EXPECT_GT(sign * (x(t + 2) - x(t)), 0.2) << t << " s, phase " << phase;
  }
}

// Pressed only lightly to the ground: faster at the first mode's frequency than near it.
TEST(Pump, SpeedPeaksNearTheModalFrequency) {
  World world = load_world("linear_creature");
  world.gravity = {0, 0, -2};
  const auto speed = [&](double hz) {
    ModesOptions options;
    options.stiffness = "1", options.dynamic = true, options.hz = hz, options.seconds = 6;
    options.mode = {"6=0.2", "7=0.2,90"};
    return make_modes_motion(world, options).travel.speed;
  };
  const double peak = speed(4);
  EXPECT_GT(peak, 2 * speed(3)) << "the mode lies at 3.95 Hz";
  EXPECT_GT(peak, 2 * speed(5));
}

TEST(Pump, ASearchOverTwoModesIsFasterThanOverAllJoints) {
  const World world = load_world("linear_creature");
  const Modes modes = analyse(world.body, rest_pose(world.body, "stand"), uniform_stiffness(world.body, 1));
  PumpSearch search;
  search.evaluations = 40, search.seconds = 3;
  const PumpFound in_modes = search_pump(world, modes, PumpSpace::modes, search, {});
  const PumpFound in_joints = search_pump(world, modes, PumpSpace::joints, search, {});
  EXPECT_EQ(in_modes.variables, 4);
  EXPECT_EQ(in_joints.variables, 30);
  EXPECT_EQ(in_modes.best_by_count.size(), 40u);
  EXPECT_GT(in_modes.evaluations_to(in_joints.score), 0);
  EXPECT_LT(in_modes.evaluations_to(in_joints.score), 40);
}

TEST(Pump, SmallPushesSwingAtThePredictedFrequency) {
  for (const char* creature : {"linear_creature", "human"}) {
    SCOPED_TRACE(creature);
    ModesOptions options;
    options.stiffness = "10", options.check = 3;
    const ModalResult r = make_modes_motion(load_world(creature), options);
    ASSERT_EQ(r.theory.size(), 3u);
    for (const TheoryRow& row : r.theory) {
      EXPECT_NEAR(row.simulated / row.predicted, 1, 1e-3) << row.mode;
      EXPECT_GT(row.amplitude, 0.05) << row.mode;
    }
  }
}

}  // namespace
}  // namespace legwork
