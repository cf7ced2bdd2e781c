#include "methods/direct_track.h"

#include <algorithm>

#include "formats/bvh/bvh_motion.h"
#include "formats/gltf/glb.h"
#include "methods/finish.h"

namespace legwork {

namespace {

Mapped read_source(const std::string& file, const Creature& body) {
  if (file.ends_with(".bvh")) return map_bvh(read_bvh(file), body, file);
  return map_motion(read_glb(file), body);
}

Grade ground_of(DirectOptions::Ground asked) {
  using Ground = DirectOptions::Ground;
  if (asked == Ground::held)
    throw Error({}, "direct: ground", "held feet could be given any force",
                "--track takes unilateral or penalty");
  return asked == Ground::penalty ? Grade::penalty : Grade::unilateral;
}

}  // namespace

Performance perform_track(const World& world, const DirectOptions& options, const Run& run) {
  DirectorOptions direct;
  direct.ground = ground_of(options.ground);
  direct.dt = world.dt;
  direct.restitution = options.restitution;
  check_direct(world.body);
  Mapped source = read_source(options.track, world.body);
  if (source.motion.frames() < 3)
    throw Error({}, "direct: track",
                "'" + options.track + "' has " + std::to_string(source.motion.frames()) + " frames",
                "accelerations need three");
  const double lead = add_lead(source.motion) / options.tempo;
  TrackSource followed(source.motion, options.tempo);
  source.motion = followed.motion();
  const double seconds = std::min(options.seconds + lead, followed.seconds());
  check_frames(world, seconds);
  const bool rigid = options.ground == DirectOptions::Ground::unilateral;
  Tracked tracked = track(world, followed, direct, seconds, run, !rigid);
  const Grade ground = tracked.balanced ? Grade::penalty : direct.ground;
  return {options.track, ground, std::move(source), lead, std::move(followed), std::move(tracked)};
}

}  // namespace legwork
