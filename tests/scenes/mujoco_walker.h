#pragma once
// The walkers' benchmark before its second judge: the same controller drives the same body over the same
// ground in MuJoCo's physics (mujoco_stage.h). It is asked for the speed that walk() chose in ours; motors,
// their damping, and the springs of neck, tail and arms are handed over as control/driven_body.h does.

#include "tests/scenes/walkers.h"

namespace legwork {

// Lengths, cases and what counts as in run_walker. speed: m/s. Bodies that MJCF cannot describe are refused.
WalkerRun run_walker_in_mujoco(const World& home, int number, const std::string& name,
                               const WalkerTrial& trial, double speed);

}  // namespace legwork
