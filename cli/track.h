#pragma once
// legwork direct --track: a motion performed by physics, and what that takes.

#include <memory>
#include <string>

#include "cli/legacy.h"
#include "direct/track.h"

namespace legwork::cli {

struct TrackRun {
  Mapped source;
  double lead = 0;                        // s of standing before it
  std::shared_ptr<TrackSource> followed;  // the same, with its derivatives and stances
  Tracked tracked;
  std::string ground;
};

// The motion of a file (.glb, or .bvh by joint names) on the task's body, performed for at most so long.
TrackRun run_track(const std::string& file, double tempo, double seconds, const Task& task,
                   DirectorOptions direct);

Story tell_track(const TrackRun& run, const std::string& file);

}  // namespace legwork::cli
