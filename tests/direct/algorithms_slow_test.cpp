// The shipped algorithms, and the example, stay up and do what they promise.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>

#include <legwork/files.h>
#include <legwork/gait.h>
#include "direct/director.h"
#include "direct/program.h"
#include "formats/toml/program_toml.h"

namespace legwork {
namespace {

struct Directed {
  Program program;
  std::unique_ptr<Director> director;
  Motion motion;
};

Directed direct(const std::string& creature, const std::string& algorithm, double seconds,
                const std::string& terrain = "plane", const std::vector<std::string>& set = {},
                const std::vector<Push>& pushes = {}) {
  Directed r;
  r.program = load_program(algorithm);
  for (const std::string& assignment : set) set_constant(r.program, assignment);
  World world = load_world(creature);
  world.terrain = parse_terrain(terrain);
  world.contact.friction = 0.8;
  DirectorOptions options;
  options.ground = r.program.ground == "held" ? Grade::held : Grade::unilateral;
  r.director = std::make_unique<Director>(world, options);
  install(r.program, *r.director);
  r.director->pushes = pushes;
  r.motion = r.director->run(seconds, 60);
  return r;
}

TEST(GroundWalk, WalksOnLevelGroundWithoutSlidingOrSinking) {
  const Directed r = direct("biped", "ground_walk", 8);
  ASSERT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
  const Gait gait = measure_gait(r.motion);
  EXPECT_NEAR(gait.step_length, 0.5, 0.05);
  EXPECT_LT(gait.slip, 1e-3);
  EXPECT_LT(gait.penetration, 1e-4);
  EXPECT_LT(std::abs(r.director->unexplained()), 3);
}

TEST(GroundWalk, WalksOverAnUnevennessOfThreeCentimetres) {
  const Directed r = direct("biped", "ground_walk", 5, "rough:0.015,2", {"stride=0.4"});
  EXPECT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
  EXPECT_GT(r.director->value(r.director->center_of_mass()).x, 2.2);
}

TEST(Stand, RecoversAfterAPushOfFortyNewtonSeconds) {
  const World world = load_world("biped");
  const Directed r = direct("biped", "stand", 4, "plane", {}, {{0, {200, 0, 0}, 1, 0.2}});
  ASSERT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
  EXPECT_LT(norm(r.director->rate(r.director->center_of_mass())), 0.05);
}

TEST(Stand, AnyCreatureWithLegsStandsAlsoOnUnevenGround) {
  for (const char* creature : {"quadruped", "hexapod", "ragdoll"})
    for (const char* terrain : {"plane", "rough:0.015,0.5"}) {
      SCOPED_TRACE(std::string(creature) + " on " + terrain);
      const Directed r = direct(creature, "stand", 1.5, terrain);
      EXPECT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
      EXPECT_LT(norm(r.director->rate(r.director->center_of_mass())), 0.1);
    }
}

// Two grams on many points, eighteen tonnes on legs of five degrees of freedom, chains of keyframed joints:
// the same constants, in the body's own units.
TEST(Stand, FromARoachToASauropod) {
  for (const char* creature : {"roach", "apatosaurus", "wills_dog"}) {
    SCOPED_TRACE(creature);
    const Directed r = direct(creature, "stand", 1);
    ASSERT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
    const double hips = hip_height(r.motion.creature);
    EXPECT_LT(norm(r.director->rate(r.director->center_of_mass())), 0.1 * std::sqrt(9.81 * hips));
    // the ground carries the weight
    double force = 0;
    const size_t sites = r.motion.creature.contacts.size();
    const double* last = r.motion.contact_force.data() + r.motion.contact_force.size() - 3 * sites;
    for (size_t i = 0; i < sites; ++i) force += last[3 * i + 2];
    EXPECT_NEAR(force / (9.81 * r.motion.creature.mass()), 1, 0.1);
  }
}

TEST(Squat, GoesDownAndUp) {
  const Directed r = direct("biped", "squat", 2.5);
  ASSERT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
  const Channel* com = r.motion.channel("center of mass");
  double lowest = 10;
  for (size_t f = 0; f < size_t(r.motion.frames()); ++f) lowest = std::min(lowest, com->values[3 * f + 2]);
  EXPECT_NEAR(lowest, (1 - 0.03 - 0.24) * com->values[2], 0.05);
  EXPECT_GT(com->values.back(), 0.9 * com->values[2]);
}

TEST(Turn, WalksAlongACurve) {
  const Directed r = direct("biped", "turn", 4);
  ASSERT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
  EXPECT_NEAR(r.director->value(r.director->orientation("torso")).z, 1.0472, 0.1);
}

TEST(Stairs, ClimbsAStepForEachFoot) {
  const Directed r = direct("biped", "stairs", 6, "steps:0.12,0.36");
  ASSERT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
  EXPECT_GT(r.director->get_position("l_heel").z, 0.5);
}

TEST(LiftLeg, ShiftsItsWeightAndLiftsAFoot) {
  const Directed r = direct("hexapod", "lift_leg", 4);
  ASSERT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
  EXPECT_EQ(r.director->phase(), "rest");
}

TEST(ReachPoint, TheTipFollowsTheEight) {
  const Directed r = direct(std::string(LEGWORK_SOURCE_DIR) + "/examples/chain.toml", "reach_point", 4);
  ASSERT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
  EXPECT_LT(r.director->distance_to_target("tip"), 0.12);
}

TEST(Carry, WalksWithABoxInBothHands) {
  const Directed r = direct("biped_armed", "carry", 4);
  ASSERT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
  const Director& d = *r.director;
  EXPECT_LT(norm(d.value(d.point("box", {0, 0.4, 0})) - d.get_position("l_hand")), 1e-6);
  EXPECT_LT(norm(d.value(d.orientation("box"))), 0.05);
  EXPECT_GT(d.value(d.position("box")).x, 2);
}

TEST(Climb, GoesUpStairsStepByStepOnGroundThatOnlyPushes) {
  const Directed r = direct("biped", "climb", 14, "steps:0.12,0.36");
  ASSERT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
  EXPECT_GT(r.director->get_position("l_heel").z, 0.35);
  EXPECT_LT(measure_gait(r.motion).slip, 0.01);  // toes drag by 8.5 mm as they leave
}

// Pick up, turn, walk, climb, put down.
TEST(Errand, BringsAParcelUpTheStairs) {
  Program program = load_program("errand");
  const World world = load_world(std::string(LEGWORK_SOURCE_DIR) + "/examples/errand.toml");
  DirectorOptions options;
  options.ground = Grade::unilateral;
  Director director(world, options);
  install(program, director);
  const Motion motion = director.run(56, 30);
  ASSERT_EQ(motion.status, Status::ok) << motion.status_text;
  EXPECT_EQ(director.phase(), "rest");
  // the parcel rests on the second plinth, which stands 0.36 m above where the first does, and nothing holds
  // it
  const Vec3d parcel = director.value(director.position("parcel_box"));
  EXPECT_NEAR(parcel.z, 0.36 + 0.8 + 0.1, 1e-3);
  EXPECT_NEAR(parcel.y, 3.82, 0.05);
  EXPECT_LT(norm(director.rate(director.position("parcel_box"))), 1e-3);
  EXPECT_LT(norm(director.rate(director.center_of_mass())), 1e-3);
  EXPECT_GT(director.get_position("l_heel").z, 0.35);
  EXPECT_LT(std::abs(director.unexplained()), 3);
  // from nothing but the ground: no force on what no motor drives
  for (const int dof : {0, 1, 2, 3, 4, 5}) EXPECT_EQ(director.tau()[size_t(dof)], 0);
}

TEST(Example, ThereAndBackTurnsRoundAndWalksHome) {
  const Directed r = direct("biped", std::string(LEGWORK_SOURCE_DIR) + "/examples/there_and_back.toml", 40);
  ASSERT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
  const Channel* com = r.motion.channel("center of mass");
  double farthest = 0;
  for (size_t f = 0; f < size_t(r.motion.frames()); ++f) farthest = std::max(farthest, com->values[3 * f]);
  EXPECT_GT(farthest, 1.8);
  EXPECT_LT(r.director->value(r.director->center_of_mass()).x, 1);
  EXPECT_GT(std::abs(r.director->value(r.director->orientation("torso")).z), 3);
}

TEST(Example, NewtonWalkIsAtMost120Lines) {
  std::ifstream file(std::string(LEGWORK_SOURCE_DIR) + "/examples/newton_walk.cpp");
  int lines = 0;
  for (std::string line; std::getline(file, line);) ++lines;
  EXPECT_GT(lines, 50);
  EXPECT_LE(lines, 120);
}

}  // namespace
}  // namespace legwork
