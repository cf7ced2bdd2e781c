#pragma once
// direct with a motion to track: reads it, fits it to the body and performs it by physics.

#include <string>

#include <legwork/methods.h>
#include "direct/track.h"

namespace legwork {

struct Performance {
  std::string file;
  Grade ground = Grade::unilateral;
  Mapped source;         // on the world's body, with time to stand before it
  double lead = 0;       // s of standing before it
  TrackSource followed;  // the same, with its derivatives and stances
  Tracked tracked;
};

// options.track (.glb, or .bvh by joint names) on the world's body, performed for at most options.seconds.
// Throws Error, and Stopped where the run says so.
Performance perform_track(const World& world, const DirectOptions& options, const Run& run);

}  // namespace legwork
