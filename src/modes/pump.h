#pragma once
// Modes in physics (Kry et al. 2008, section 4.1): equation 4 as the equilibrium point of springs and dampers
// with the very stiffness of the analysis, on implicit steps (appendix A).

#include <vector>

#include <legwork/run.h>
#include "modes/select.h"
#include "modes/stiffness.h"
#include "motion/record.h"

namespace legwork {

struct PumpOptions {
  double seconds = 6;
  double damping_ratio = 0.1;  // ratio of the first elastic mode; Rayleigh damping, proportional to stiffness
  double ease = 1;             // s: amplitudes rise from 0
  Watch watch = {};
};

// Rayleigh damping that gives the first elastic mode this ratio.
Rayleigh damping_of(const Modes& modes, double ratio);

// The world's body on its own ground, driven by the uses from its rest pose, on implicit steps where the
// world says nothing else. step: receives the steps that were used. work: of all joints, J, each counted
// positive.
Motion pump(const World& world, const Modes& modes, const std::vector<ModeUse>& uses,
            const PumpOptions& options, StepOptions& step, double* work = nullptr);

// How it travelled once the amplitudes were up: mean velocity of the centre of mass in the ground's plane.
struct Travel {
  Vec3d velocity;      // m/s
  double speed = 0;    // m/s, its size
  double forward = 0;  // m/s along +x
};
Travel travel(const Motion& motion, double from);

// The linear prediction beside the simulator: the body floating without weight, released from a mode's shape.
struct TheoryRow {
  int mode = 0;
  double predicted = 0;  // Hz, damped
  double simulated = 0;  // Hz, at a small amplitude (1e-3)
  double amplitude = 0;  // the mode's, where frequency or shape is 10 % off; unlimited: none up to `most`
  double most = 0;       // the largest tried: where the first joint would turn by 1 rad
};
std::vector<TheoryRow> check_theory(const Creature& creature, const Modes& modes, int count,
                                    const Run& run = {});

}  // namespace legwork
