// Modes in physics: simple creatures travel, and turn back when the phase does.

#include "legwork/modes/pump.h"

#include <gtest/gtest.h>

#include "legwork/io/load.h"
#include "legwork/modes/modes.h"

namespace legwork {
namespace {

ModalResult travel_of(const std::string& creature, const std::string& phase, double hz) {
  ModesOptions options;
  options.stiffness = "1", options.dynamic = true, options.hz = hz, options.seconds = 5;
  options.mode = {"6=1", "7=1," + phase};
  StepOptions step;
  return make_modes_motion(load_world(creature), options, {.rate = 60}, step);
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

TEST(Pump, SmallPushesSwingAtThePredictedFrequency) {
  for (const char* creature : {"linear_creature", "human"}) {
    SCOPED_TRACE(creature);
    ModesOptions options;
    options.stiffness = "10", options.check = 3;
    StepOptions step;
    const ModalResult r = make_modes_motion(load_world(creature), options, {.rate = 30, .threads = 1}, step);
    ASSERT_EQ(r.theory.size(), 3u);
    for (const TheoryRow& row : r.theory) {
      EXPECT_NEAR(row.simulated / row.predicted, 1, 1e-3) << row.mode;
      EXPECT_GT(row.amplitude, 0.05) << row.mode;
    }
  }
}

}  // namespace
}  // namespace legwork
