// What the walk survives, in short runs: bumps, slopes, a payload, bodies that are not shipped.
#include <gtest/gtest.h>

#include <legwork/files.h>
#include <legwork/gait.h>
#include "formats/toml/creature_toml.h"
#include "walk/walk.h"

namespace legwork {
namespace {

WalkOutcome walk_roach(const std::string& terrain, const WalkOptions& options, double friction) {
  World world = load_world(LEGWORK_SOURCE_DIR "/creatures/roach.toml");
  world.contact.friction = friction;
  if (!terrain.empty()) world.terrain = parse_terrain(terrain);
  return perform_walk(world, options);
}

TEST(WalkSlow, OnStickyFeetTheRoachWalksOverBumpsOfTwoThirdsOfItsHeight) {
  for (const double slowness : {3.0, 4.0})
    for (const char* bumps : {"bumps:0.004,0.03", "bumps:0.008,0.03"}) {
      SCOPED_TRACE(std::string(bumps) + " at slowness " + std::to_string(slowness));
      WalkOptions options;
      options.feet = Feet::stick;
      options.slowness = slowness;
      options.seconds = 5;
      const WalkOutcome r = walk_roach(bumps, options, 0.2);
      EXPECT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
      EXPECT_GT(r.speed, 0.011);  // what an independent prototype reached over 8 mm
    }
}

TEST(WalkSlow, ItWalksUpAndDownTenDegreesAndWithItsOwnWeightOnTheBack) {
  for (const char* terrain : {"slope:10deg", "slope:-10deg", "steps:0.002,0.03"}) {
    SCOPED_TRACE(terrain);
    WalkOptions options;
    options.slowness = 2;
    options.seconds = 4;
    const WalkOutcome r = walk_roach(terrain, options, 0.7);
    EXPECT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
    EXPECT_GT(r.speed, 0.02);
  }
  WalkOptions options;
  options.slowness = 2;
  options.seconds = 4;
  options.payload = 1;
  const WalkOutcome r = walk_roach("", options, 0.7);
  EXPECT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
  EXPECT_GT(r.speed, 0.03);
}

TEST(WalkSlow, LevelGroundIsWalkedStraightAtEverySpeedOnEitherFeet) {
  for (const Feet feet : {Feet::slide, Feet::stick})
    for (const double slowness : {1.0, 1.25, 1.5, 2.0, 3.0, 4.0}) {
      SCOPED_TRACE(slowness);
      WalkOptions options;
      options.feet = feet;
      options.slowness = slowness;
      options.seconds = 3;
      const WalkOutcome r = walk_roach("", options, feet == Feet::slide ? 0.8 : 0.2);
      EXPECT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
      EXPECT_LT(r.heading_error * 57.29578, 5);
    }
}

TEST(WalkSlow, TallQuadrupedsWalkOnFeetThatDoNotSlide) {
  struct {
    const char* file;
    double friction, speed;  // m/s, at least
  } cases[] = {{"dog", 0.7, 0.5}, {"dog", 0.9, 0.5}, {"strider", 0.8, 0.4}};
  for (const auto& [file, friction, speed] : cases) {
    SCOPED_TRACE(std::string(file) + " on friction " + std::to_string(friction));
    World world = load_world(std::string(LEGWORK_SOURCE_DIR "/creatures/") + file + ".toml");
    world.contact.friction = friction;
    WalkOptions options;
    options.seconds = 8;
    const WalkOutcome r = perform_walk(world, options);
    EXPECT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
    EXPECT_GT(r.distance, 0.8 * speed * options.seconds);
    EXPECT_LT(r.heading_error * 57.29578, 2);
    const Gait gait = measure_gait(r.motion);
    EXPECT_NE(gait.name, "unnamed");
    EXPECT_LT(gait.slip, 0.012);
  }
}

// A plate on n legs of three joints, hips at (along, side).
std::string plate(const std::vector<Vec3d>& hips, double size) {
  const auto number = [&](double x) { return std::to_string(size * x); };
  std::string text = "name = \"plate\"\n[[link]]\nname = \"body\"\nat = [0, 0, " + number(0.3) +
                     "]\nshape = { box = [" + number(0.7) + ", " + number(0.3) + ", " + number(0.08) +
                     "] }\ndensity = 600\n";
  std::string legs;
  for (size_t i = 0; i < hips.size(); ++i) {
    const std::string k = std::to_string(i), out = number(hips[i].y > 0 ? 0.12 : -0.12);
    text += "[[link]]\nname = \"hip" + k + "\"\nparent = \"body\"\nat = [" + number(hips[i].x) + ", " +
            number(hips[i].y) +
            ", 0]\njoint = { hinge = \"z\", range = [-0.9, 0.9] }\nshape = { sphere = " + number(0.02) +
            ", touches = false }\n[[link]]\nname = \"thigh" + k + "\"\nparent = \"hip" + k +
            "\"\njoint = { hinge = \"x\", range = [-1, 1] }\nshape = { capsule = " + number(0.015) +
            ", to = [0, " + out + ", 0], touches = false }\ndensity = 600\n[[link]]\nname = \"shin" + k +
            "\"\nparent = \"thigh" + k + "\"\nat = [0, " + out +
            ", 0]\njoint = { hinge = \"x\", range = [-1, 1] }\nshape = { capsule = " + number(0.012) +
            ", to = [0, 0, " + number(-0.28) + "] }\ndensity = 600\n";
    legs += "[[leg]]\nname = \"leg" + k + "\"\nhip = \"hip" + k + "\"\nfoot = \"shin" + k + "\"\n";
  }
  return text + legs;
}

TEST(WalkSlow, BodiesOfSixSevenAndEightLegsWalkSmallAndLarge) {
  const std::vector<Vec3d> six{{0.3, 0.15, 0}, {0.3, -0.15, 0}, {0, 0.15, 0},
                               {0, -0.15, 0},  {-0.3, 0.15, 0}, {-0.3, -0.15, 0}};
  std::vector<Vec3d> seven = six, eight = six;
  seven.push_back({0.15, 0.15, 0});
  eight.push_back({0.15, 0.15, 0}), eight.push_back({0.15, -0.15, 0});
  for (const auto& [hips, size] :
       {std::pair{six, 1.0}, {six, 0.02}, {six, 20.0}, {seven, 1.0}, {eight, 1.0}}) {
    SCOPED_TRACE(std::to_string(hips.size()) + " legs, size " + std::to_string(size));
    World world;
    world.body = parse_creature_toml(plate(hips, size), "plate.toml");
    WalkOptions options;
    options.seconds = 3 * std::sqrt(size);
    const WalkOutcome r = perform_walk(world, options);
    EXPECT_EQ(r.motion.status, Status::ok) << r.motion.status_text;
    EXPECT_GT(r.speed, 0.4 * r.geometry.stride / r.pace.cycle());
  }
}

}  // namespace
}  // namespace legwork
