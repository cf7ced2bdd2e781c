#pragma once
// A modal gait by physics: what keeps the body upright while the modes move it.
//
// Kry et al. (2008) found their open loop too weak for dogs and humans: "if associated with a good balance
// controller, vibration modes could be used to generate controllers". This is a small one.
//   equilibrium   the springs of the analysis pull every joint to the planted modal gait (planted.h),
//                 taken over one cycle in which its feet are level while they stand;
//   support       floating-base inverse dynamics: the torques that carry the gait and turn the root upright,
//                 with ground forces spread over the contact points of the standing feet so that none pulls
//                 or slips (projected Gauss-Seidel);
//   feet          a swinging foot goes where its gait puts it, level with the ground whatever the root does,
//                 plus an offset in proportion to the error of the centre of mass's velocity: the capture
//                 point of Pratt et al. (2006), Raibert's foot placement. It then stands until its stance
//                 ends.
// The last two move the equilibrium along the modes (modal_leg.h), so that the feedback is a modal one too.

#include "modes/planted.h"
#include "modes/stiffness.h"
#include "motion/record.h"

namespace legwork {

struct BalanceOptions {
  double seconds = 10;
  double hz = 1;          // frequency of the gait
  double stiffness = 1;   // stiffness of the springs, times that of the analysis
  double damping = 0.04;  // s: dampers over stiffness
  int modes = 30;         // elastic modes that feedback may use
  double capture = 1;     // foot placement: times the capture point's sqrt(height / gravity)
  double upright = 120;   // 1/s^2, on the root's turn
  double height = 100;    // 1/s^2, on the root's height
  double forward = 4;     // 1/s, on its forward velocity
  double sideways = 20;   // 1/s^2, on its sideways distance
  Watch watch = {};
};

// Walks on level ground, on implicit steps where the world says nothing else, until `seconds` are over or it
// has fallen (the root below 0.6 of its height or tipped by 60 degrees: Status::fell). Throws Error for a
// body or ground that this cannot balance.
Motion balance(const World& world, const Modes& modes, const Limbs& limbs, PlantedGait& gait,
               const BalanceOptions& options, StepOptions& step);

}  // namespace legwork
