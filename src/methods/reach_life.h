#pragma once
// Life in a gait of reach: its footfalls, strides and joints, with a trunk that the forces of its feet move.

#include "reach/reach.h"

namespace legwork {

struct LivelyMotion {
  Motion motion;
  double speed = 0;  // m/s
  double pace = 1;   // share of the strides that the joints let the feet have
};

// In place of reaching::motion_of, for a walk that was found to its end.
LivelyMotion lively_motion_of(const reaching::Findings& found, const ReachOptions& options,
                              const World& world);

}  // namespace legwork
