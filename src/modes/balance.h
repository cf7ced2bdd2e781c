#pragma once
// A modal gait by physics: the controller of control/ keeps the body over its feet, and the gait is its
// style.
//
// Kry et al. (2008) found their open loop too weak for dogs and humans: "if associated with a good balance
// controller, vibration modes could be used to generate controllers". Footfalls, speed, swings, trunk and all
// joints that balance leaves free are the planted gait's (planted.h); the springs are those of the analysis.

#include "modes/planted.h"
#include "modes/stiffness.h"
#include "motion/record.h"

namespace legwork {

struct BalanceOptions {
  double seconds = 10;
  double hz = 1;          // frequency of the gait
  double turn = 0;        // rad/s, to the left +
  double damping = 0.04;  // s: dampers over stiffness
  Watch watch = {};
};

// From standing, on implicit steps where the world says nothing else, until `seconds` are over or it has
// fallen (Status::fell). gait: straight ahead on level ground. Throws Error for a body or ground that this
// cannot balance.
Motion balance(const World& world, const Modes& modes, const Limbs& limbs, PlantedGait& gait,
               const BalanceOptions& options, StepOptions& step);

}  // namespace legwork
