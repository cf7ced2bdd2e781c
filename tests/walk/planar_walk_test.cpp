// Bodies in a plane, on one leg, and with a leg lost; and what bodies that cannot walk are told.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include <legwork/files.h>
#include "formats/toml/creature_toml.h"
#include "walk/walk.h"

namespace legwork {
namespace {

World load(const std::string& name) { return load_world(LEGWORK_SOURCE_DIR "/creatures/" + name + ".toml"); }

// A box on one leg with a knee, 0.7 m high.
World hopper(const std::string& root, const std::string& hip) {
  World world;
  world.body = parse_creature_toml(
      "name = \"hopper\"\nangles = \"deg\"\n"
      "[[link]]\nname = \"trunk\"\ntouches = false\nat = [0, 0, 0.76]\njoint = { " +
          root +
          " }\nmass = 6\nshape = { box = [0.5, 0.4, 0.14] }\n"
          "[[link]]\nname = \"thigh\"\ntouches = false\nparent = \"trunk\"\n"
          "at = { pos = [0, 0, -0.02], rot = [0, 25, 0] }\njoint = { name = \"hip\", " +
          hip +
          " }\nmass = 0.3\nshape = { capsule = 0.03, to = [0, 0, -0.38] }\n"
          "[[link]]\nname = \"shank\"\ntouches = false\nparent = \"thigh\"\n"
          "at = { pos = [0, 0, -0.40], rot = [0, -50, 0] }\njoint = { name = \"knee\", hinge = \"y\" }\n"
          "mass = 0.2\nshape = { capsule = 0.02, to = [0, 0, -0.40] }\n"
          "[[leg]]\nname = \"leg\"\nhip = \"thigh\"\nknee = \"shank\"\nfoot = \"shank\"\n"
          "sole = [0, 0, -0.42]\n"
          "[[contact]]\nname = \"foot\"\nlink = \"shank\"\npos = [0, 0, -0.40]\nradius = 0.02\n",
      "hopper.toml");
  return world;
}

World hopper_in_plane() { return hopper("planar = \"xz\"", "hinge = \"y\""); }
World hopper_in_space() { return hopper("free = true", "universal = [[1, 0, 0], [0, 1, 0]]"); }

WalkOutcome walked(const World& world, double seconds, const WalkOptions& asked = {}) {
  WalkOptions options = asked;
  options.seconds = seconds;
  const WalkOutcome r = perform_walk(world, options);
  EXPECT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
  EXPECT_EQ(r.moved_by, MovedBy::balance);
  return r;
}

std::string refusal(const World& world, const WalkOptions& options = {}) {
  try {
    perform_walk(world, options);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

Push push_at(double time, const Vec3d& force) {
  Push push;
  push.force = force, push.start = time, push.duration = 0.1;
  return push;
}

TEST(PlanarWalk, TheBounderWalksUpAndDownInItsPlane) {
  for (const char* ground : {"plane", "slope:10deg", "slope:-10deg"}) {
    SCOPED_TRACE(ground);
    WorldOptions options;
    options.terrain = ground;
    const WalkOutcome r = walked(load_world(LEGWORK_SOURCE_DIR "/creatures/bounder.toml", options), 8);
    EXPECT_GT(r.distance, 2.5);
  }
}

TEST(PlanarWalk, ABodyInAPlaneIsToldThatItCannotTurn) {
  WalkOptions options;
  options.turn = 0.2;
  EXPECT_NE(refusal(load("bounder"), options)
                .find("link 'trunk': moves in a plane, so that the body cannot turn; ask for a walk straight "
                      "ahead, or give it joint = { free = true }"),
            std::string::npos);
}

TEST(PlanarWalk, LegsWithoutATrunkOverThemAreToldSo) {
  for (const char* name : {"walker", "luxo"})
    EXPECT_NE(refusal(load(name)).find("nothing hangs over it that balance could hold up"), std::string::npos)
        << refusal(load(name));
}

TEST(Hopper, HopsOnOneLegInAPlaneAndInSpace) {
  for (World world : {hopper_in_plane(), hopper_in_space()}) {
    SCOPED_TRACE(world.body.nv());
    world.pushes.push_back(push_at(4, {30, 0, 0}));
    const WalkOutcome r = walked(world, 10);
    EXPECT_GT(r.speed, 0.6);
    // it leaves the ground at every step
    const Channel* load = r.motion.channel("leg loads");
    int lifted = 0, frames = 0;
    for (size_t k = load->values.size() / 2; k < load->values.size(); ++k, ++frames)
      lifted += load->values[k] == 0;
    EXPECT_GT(double(lifted) / frames, 0.4);
    EXPECT_LT(double(lifted) / frames, 0.9);
  }
}

TEST(Hopper, CatchesItselfWhenPushedAside) {
  World world = hopper_in_space();
  world.pushes.push_back(push_at(4, {0, -30, 0}));
  EXPECT_GT(walked(world, 10).speed, 0.6);
}

TEST(LostLeg, TheDogAndTheQuadrupedGoOnWithoutAnyOfTheirLegs) {
  for (const char* name : {"dog", "quadruped"})
    for (const char* leg : {"lf@2", "rf@2", "lh@2", "rh@2"}) {
      SCOPED_TRACE(std::string(name) + " " + leg);
      WalkOptions options;
      options.lose = {leg};
      EXPECT_GT(walked(load(name), 10, options).distance, 2.5);
    }
}

void limit(Creature& c, const std::string& joint, double lower, double upper) {
  for (Link& link : c.links)
    for (Joint& j : link.joints)
      if (j.name == joint) j.dofs[0].lower = lower, j.dofs[0].upper = upper;
}

TEST(Refusal, NamesTheJointWhoseRangeKeepsAFootDown) {
  World world = hopper_in_plane();
  limit(world.body, "knee", -0.02, 0.02);
  EXPECT_EQ(refusal(world).substr(0, 47), "hopper.toml: leg 'leg': cannot lift its foot by");
  EXPECT_NE(refusal(world).find("; let 'knee' go "), std::string::npos) << refusal(world);
}

TEST(Refusal, NamesTheMotorThatIsTooWeakAndHowMuchItTakes) {
  World world = hopper_in_plane();
  Actuator motor;
  motor.name = "knee", motor.dof = 4, motor.strength = 10;
  world.body.actuators.push_back(motor);
  const std::string told = refusal(world);
  EXPECT_EQ(told.find("hopper.toml: 'knee': is too weak to hold the body up: it gives at most 10 N m, and "),
            0U)
      << told;
  // as strong as it was asked to be it is no longer told that
  const size_t at = told.find("give its actuator ");
  ASSERT_NE(at, std::string::npos);
  world.body.actuators[0].strength = 10.01 * std::stod(told.substr(at + 18));
  EXPECT_EQ(refusal(world).find("too weak"), std::string::npos) << refusal(world);
}

TEST(Refusal, NamesTheFrictionThatASlopeTakes) {
  WorldOptions options;
  options.terrain = "slope:20deg";
  options.friction = 0.3;
  const std::string told = refusal(load_world(LEGWORK_SOURCE_DIR "/creatures/quadruped.toml", options));
  EXPECT_NE(
      told.find("cannot walk on a slope with a friction of 0.3: it would slip; ask for --friction 0.46 or "
                "more, or a slope of at most 13 degrees"),
      std::string::npos)
      << told;
}

}  // namespace
}  // namespace legwork
