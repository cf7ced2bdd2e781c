// Whole performances.

#include <gtest/gtest.h>

#include "direct/program.h"
#include "direct/track.h"
#include "formats/toml/program_toml.h"
#include "tests/direct/bodies.h"

namespace legwork {
namespace {

// The walk of 1989 stands on magnets, which pull; what the ground cannot supply is reported, and over the
// same footholds the body walks on ground that only pushes.
TEST(Track, AWalkOnMagnetsIsPerformedOnGroundThatOnlyPushes) {
  const World world = load_world("biped");
  Director magnets(world);
  const Program program = load_program("walk");
  install(program, magnets);
  Motion walk = magnets.run(4, 60);
  ASSERT_EQ(walk.status, Status::ok);
  Motion source_motion = map_motion(walk, world.body).motion;
  EXPECT_GT(add_lead(source_motion), 0.5);
  const TrackSource source(source_motion);
  DirectorOptions ground;
  ground.ground = Grade::unilateral;
  const Tracked t = track(world, source, ground, source.seconds());
  EXPECT_FALSE(t.shortfalls.empty());
  EXPECT_EQ(t.motion.status, Status::ok) << t.motion.status_text;
  EXPECT_GE(t.strides, 3);
  for (const Deviation& d : t.deviations) {
    EXPECT_LT(d.center, 0.2);
    EXPECT_LT(d.trunk, 0.15);
  }
  // no force pulls, none leaves its cone
  for (size_t i = 0; i < t.motion.contact_force.size(); i += 3) {
    const double *f = &t.motion.contact_force[i], level = std::hypot(f[0], f[1]);
    EXPECT_GE(f[2], -1e-6);
    EXPECT_LE(level, 0.8 * f[2] + 1e-3 * t.weight);
  }
}

}  // namespace
}  // namespace legwork
