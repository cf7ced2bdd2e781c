#include "walk/walk.h"

#include <gtest/gtest.h>

#include <cmath>

#include <legwork/files.h>
#include <legwork/gait.h>
#include "formats/toml/creature_toml.h"

namespace legwork {
namespace {

World load(const std::string& name) { return load_world(LEGWORK_SOURCE_DIR "/creatures/" + name + ".toml"); }

World roach_on(double friction) {
  World world = load("roach");
  world.contact.friction = friction;
  return world;
}

double degrees(double rad) { return rad * 57.29577951; }

TEST(Walk, TheRoachHasTheThesissMassAndLength) {
  WalkOptions options;
  options.seconds = 0.05;
  options.open_loop = true;
  const WalkOutcome r = perform_walk(roach_on(0.7), options);
  EXPECT_NEAR(r.mass, 2.1755e-3, 1e-6);
  EXPECT_NEAR(r.length, 2.98e-2, 2e-4);
}

TEST(Walk, InOpenLoopTheRoachsTripodOnFrictionIsAsFastAsInTheThesis) {
  WalkOptions options;
  options.seconds = 2;
  options.open_loop = true;
  const WalkOutcome r = perform_walk(roach_on(0.7), options);
  EXPECT_EQ(r.motion.status, Status::ok);
  EXPECT_GT(r.speed, 0.050);
  EXPECT_LT(r.speed, 0.065);
  EXPECT_GT(degrees(r.yaw_wobble), 1);
}

TEST(Walk, StickyFeetAreFaster) {
  WalkOptions options;
  options.seconds = 1.5;
  options.open_loop = true;
  options.feet = Feet::stick;
  const WalkOutcome r = perform_walk(load("roach"), options);
  EXPECT_EQ(r.motion.status, Status::ok);
  EXPECT_GT(r.speed, 0.070);
  EXPECT_LT(r.speed, 0.090);
}

// Over a few cycles: contact is not smooth, and the two walks part in the last bits.
TEST(Walk, StartingOnTheOtherFootMirrorsTheWalk) {
  double side[2], ahead[2];
  for (const int k : {0, 1}) {
    WalkOptions options;
    options.seconds = 0.3;
    options.open_loop = true;
    options.first = k == 0 ? FirstFoot::left : FirstFoot::right;
    const WalkOutcome r = perform_walk(roach_on(0.7), options);
    const Channel* com = r.motion.channel("center of mass");
    const size_t last = size_t(r.motion.frames() - 1);
    ahead[k] = com->values[3 * last] - com->values[0];
    side[k] = com->values[3 * last + 1] - com->values[1];
  }
  EXPECT_NEAR(ahead[0], ahead[1], 1e-6);
  EXPECT_NEAR(side[0], -side[1], 1e-6);
}

TEST(Walk, WithFeedbackTheRoachWalksStraight) {
  WalkOptions options;
  options.seconds = 2;
  options.slowness = 2;
  const WalkOutcome r = perform_walk(roach_on(0.8), options);
  EXPECT_EQ(r.motion.status, Status::ok);
  EXPECT_LT(degrees(r.heading_error), 5);
  EXPECT_GT(r.speed, 0.02);
}

TEST(Walk, TuningImprovesOnTheProgramsItStartsFrom) {
  WalkOptions options;
  options.seconds = 0.3;
  options.tune = TuneGoal::speed;
  options.evaluations = 9;
  const WalkOutcome r = perform_walk(roach_on(0.8), options);
  EXPECT_FALSE(r.tuned.empty());
  EXPECT_GE(r.tuned_to, r.tuned_from);
}

TEST(Walk, WhatOnlyMcKennaKnowsContradictsBalance) {
  WalkOptions options;
  options.control = WalkOptions::Control::balance;
  options.tune = TuneGoal::speed;
  try {
    perform_walk(load("quadruped"), options);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(
        e.what(),
        "walk: tune: belongs to McKenna's control, and balance was asked for; leave it out, or ask for "
        "control = mckenna");
  }
}

TEST(Walk, BothControlsWalkABodyByTheirNames) {
  for (const auto control : {WalkOptions::Control::balance, WalkOptions::Control::mckenna}) {
    WalkOptions options;
    options.seconds = 3;
    options.control = control;
    const WalkOutcome r = perform_walk(load("hexapod"), options);
    EXPECT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
    EXPECT_EQ(r.moved_by == MovedBy::balance, control == WalkOptions::Control::balance);
    EXPECT_GT(r.distance, 0.2);
  }
}

TEST(Walk, ItWalksToAPlaceAndStandsThere) {
  WalkOptions options;
  options.seconds = 9;
  const Vec2 place{1.5, 0.8};
  const WalkOutcome r = perform_walk(load("quadruped"), options, {}, {place});
  EXPECT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
  const Channel* com = r.motion.channel("center of mass");
  const size_t last = com->values.size() - 3;
  EXPECT_NEAR(com->values[last], place.x, 0.25);
  EXPECT_NEAR(com->values[last + 1], place.y, 0.25);
  EXPECT_LT(std::fabs(r.motion.v[r.motion.v.size() - r.motion.v.size() / r.motion.time.size()]), 0.05);
}

TEST(Walk, BodiesWithoutMotorProgramsWalk) {
  for (const char* name : {"quadruped", "octopod", "pentapod", "hexapod"}) {
    SCOPED_TRACE(name);
    WalkOptions options;
    options.seconds = 3;
    const WalkOutcome r = perform_walk(load(name), options);
    EXPECT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
    EXPECT_FALSE(has_fallen(r.motion));
    // once under way, most of the way that its feet go back
    EXPECT_GT(r.speed, 0.5 * r.geometry.stride / r.pace.cycle());
    if (std::string(name) != "pentapod") EXPECT_NE(measure_gait(r.motion).name, "unnamed");
  }
}

TEST(Walk, AnMjcfAntWalksOnceItsLegsAreNamed) {
  WalkOptions options;
  options.seconds = 3;
  const WalkOutcome r = perform_walk(load_world(LEGWORK_SOURCE_DIR "/tests/data/ant.toml"), options);
  EXPECT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
  EXPECT_GT(r.distance, 0.2);
}

TEST(Walk, TurnsOnCommand) {
  World world = load_world(LEGWORK_SOURCE_DIR "/creatures/hexapod.toml");
  for (const double turn : {0.3, -0.3}) {
    WalkOptions options;
    options.seconds = 3;
    options.turn = turn;
    const WalkOutcome r = perform_walk(world, options);
    const Channel* heading = r.motion.channel("heading");
    const double yaw = heading->values[heading->values.size() - 2];
    EXPECT_EQ(r.motion.status, Status::ok);
    EXPECT_NEAR(yaw, turn * options.seconds, 0.3);
  }
}

std::string error_of(const World& world, const WalkOptions& options = {}) {
  try {
    perform_walk(world, options);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(Walk, BodiesThatCannotWalkSayWhy) {
  const Creature slug =
      parse_creature_toml("[[link]]\nname = \"body\"\nshape = { sphere = 0.1 }\n", "slug.toml");
  World world;
  world.body = slug;
  EXPECT_EQ(error_of(world),
            "slug.toml: 'slug': has no legs; add [[leg]] entries: name = \"lf\", hip = \"a link\", foot = "
            "\"a link\"");
  const std::string stiff =
      "[[link]]\nname = \"body\"\nat = [0, 0, 0.5]\nshape = { box = [1, 1, 0.1] }\n"
      "[[link]]\nname = \"a\"\nparent = \"body\"\nat = [0.5, 0, 0]\njoint = { hinge = \"y\" }\nshape = { "
      "capsule = 0.05, to = [0, 0, -0.4] }\n"
      "[[link]]\nname = \"b\"\nparent = \"body\"\nat = [-0.5, 0.5, 0]\njoint = { hinge = \"y\" }\nshape = { "
      "capsule = 0.05, to = [0, 0, -0.4] }\n"
      "[[link]]\nname = \"c\"\nparent = \"body\"\nat = [-0.5, -0.5, 0]\njoint = { hinge = \"y\" }\nshape = { "
      "capsule = 0.05, to = [0, 0, -0.4] }\n"
      "[[leg]]\nname = \"a\"\nhip = \"a\"\nfoot = \"a\"\n[[leg]]\nname = \"b\"\nhip = \"b\"\nfoot = \"b\"\n"
      "[[leg]]\nname = \"c\"\nhip = \"c\"\nfoot = \"c\"\n";
  world.body = parse_creature_toml(stiff, "stool.toml");
  EXPECT_NE(error_of(world).find("leg 'a': has 1 degrees of freedom from hip to foot"), std::string::npos)
      << error_of(world);
}

// Control drives joints away from their end, which is no matter of holding the body up.
TEST(Walk, AFeelerAtTheEndOfItsRangeMayBeWeak) {
  World world = load("quadruped");
  Creature& c = world.body;
  Link feeler;
  feeler.name = "feeler", feeler.parent = 0;
  feeler.mass = 1e-4, feeler.com = {0.01, 0, 0}, feeler.inertia = Sym3d::diagonal(1e-8, 1e-8, 1e-8);
  Joint joint;
  joint.name = "feeler", joint.type = JointType::hinge, joint.axes = {{0, 1, 0}};
  joint.dofs.resize(1);
  joint.dofs[0].name = "feeler", joint.dofs[0].lower = 0, joint.dofs[0].upper = 1,
  joint.dofs[0].armature = 1e-4;
  feeler.joints.push_back(joint);
  Actuator motor;
  motor.name = "feeler", motor.dof = c.nv(), motor.strength = 1e-3;
  c.links.push_back(feeler), c.actuators.push_back(motor);
  for (Pose& pose : c.poses) pose.q.push_back(0);
  WalkOptions options;
  options.seconds = 0.2;
  EXPECT_EQ(perform_walk(world, options).motion.status, Status::ok);
  c.actuators.back().strength = 1e-6;
  EXPECT_NE(error_of(world).find("'feeler': is too weak to hold the body up"), std::string::npos)
      << error_of(world);
}

TEST(Walk, AStepTooLongForASpringIsNamedBeforeTheRun) {
  World world = roach_on(0.7);
  world.integrator = "rk4";
  world.dt = 1e-3;
  const std::string text = error_of(world);
  EXPECT_NE(text.find("is too long for"), std::string::npos) << text;
  EXPECT_NE(text.find("try --integrator implicit"), std::string::npos) << text;
}

TEST(Walk, ACommandMayComeLittleByLittle) {
  WalkOptions options;
  options.slowness = 3;
  options.at = {"1+2:slowness=1", "4:turn=0.5"};
  const std::vector<TimedCommand> commands = parse_commands(options, 1);
  EXPECT_EQ(command_at(commands, 0.5).slowness, 3);
  EXPECT_NEAR(command_at(commands, 1.5).slowness, 2.5, 1e-12);
  EXPECT_NEAR(command_at(commands, 2.5).slowness, 1.5, 1e-12);
  EXPECT_EQ(command_at(commands, 3).slowness, 1);
  EXPECT_EQ(command_at(commands, 3.9).turn, 0);
  EXPECT_EQ(command_at(commands, 4).turn, 0.5);
  options.at = {"1+2:slowness=1", "2:turn=0.5"};
  EXPECT_NE(error_of(roach_on(0.7), options).find("before the one given earlier is through"),
            std::string::npos);
}

TEST(Walk, FeetHeldByEquationsWalkFasterThanStickyOnesWhichStretch) {
  WalkOptions options;
  options.seconds = 1;
  options.slowness = 2;
  options.feet = Feet::stick;
  const WalkOutcome stick = perform_walk(roach_on(0.8), options);
  options.feet = Feet::hold;
  const WalkOutcome hold = perform_walk(roach_on(0.8), options);
  EXPECT_EQ(hold.motion.status, Status::ok) << hold.motion.status_text;
  EXPECT_GT(hold.speed, stick.speed);
  EXPECT_LT(hold.speed, 1.5 * stick.speed);
}

TEST(Walk, CommandsAndLossesAreChecked) {
  WalkOptions options;
  options.at = {"1:slownes=2"};
  EXPECT_EQ(error_of(roach_on(0.7), options),
            "walk: at: '1:slownes=2': no command 'slownes'; did you mean 'slowness'?");
  options.at = {};
  options.lose = {"xx"};
  EXPECT_NE(error_of(roach_on(0.7), options).find("walk: lose: no leg 'xx'"), std::string::npos);
}

}  // namespace
}  // namespace legwork
