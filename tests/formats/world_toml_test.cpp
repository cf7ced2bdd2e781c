#include "load/world_toml.h"

#include <gtest/gtest.h>

#include <cmath>

#include <legwork/files.h>
#include "creature/place.h"
#include "math/real.h"
#include "tests/scenes/scratch.h"

namespace legwork {
namespace {

class WorldFiles : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return scratch_ / name; }
  std::string write(const std::string& name, const std::string& text) const {
    return scratch_.write(name, text);
  }
  World world(const std::string& text) const { return load_world(write("w.toml", text)); }
  // Without the file's name.
  std::string error_of(const std::string& text) const {
    try {
      world(text);
    } catch (const Error& error) {
      const std::string what = error.what(), file = path("w.toml");
      return what.starts_with(file) ? what.substr(file.size()) : what;
    }
    return "no error";
  }

 private:
  const Scratch scratch_;
};

const std::string two_boxes = R"(
[[body]]
creature = "box"
[[body]]
creature = "box"
prefix = "upper_"
at = [0, 0, 0.1]
turn = 1.5707963267948966
)";

TEST_F(WorldFiles, BodiesStandSideBySideUnderTheirPrefixes) {
  const World w = world(two_boxes);
  ASSERT_EQ(w.body.links.size(), 2u);
  EXPECT_EQ(w.body.links[0].name, "box_box");
  EXPECT_EQ(w.body.links[1].name, "upper_box");
  EXPECT_EQ(w.body.nv(), 12);
  const auto frames = place(w.body, w.body.pose("stand"));
  EXPECT_NEAR(frames[1].p.z, 0.15, 1e-12);
  EXPECT_NEAR((frames[1].R * Vec3d{1, 0, 0}).y, 1, 1e-12);
  EXPECT_TRUE(w.body_contact);
  EXPECT_EQ(w.body.name, "w");
}

TEST_F(WorldFiles, AFixedBodyDoesNotMove) {
  const World w = world("[[body]]\ncreature = \"table\"\nfixed = true\n");
  EXPECT_EQ(w.body.nv(), 0);
  EXPECT_FALSE(w.body_contact);
}

TEST_F(WorldFiles, AListOfPlacesMakesCopies) {
  const World w =
      world("[[body]]\ncreature = \"puff\"\nprefix = \"p_\"\nat = [[0, 0, 1], [1, 0, 1], [2, 0, 1]]\n");
  ASSERT_EQ(w.body.links.size(), 3u);
  EXPECT_EQ(w.body.links[2].name, "p_3_puff");
  EXPECT_NEAR(place(w.body, w.body.pose("stand"))[2].p.x, 2, 1e-12);
}

TEST_F(WorldFiles, BodiesMayBeFilesBesideTheWorld) {
  write("rod.toml", "[[link]]\nname = \"rod\"\nshape = { capsule = [0.1, 1] }\n");
  EXPECT_EQ(world("[[body]]\ncreature = \"rod.toml\"\nprefix = \"\"\n").body.links[0].name, "rod");
}

TEST_F(WorldFiles, LoopsAndAttachmentsJoinBodies) {
  const World w = world(two_boxes + R"(
[[loop]]
link = "box_box"
pos = [0, 0, 0.05]
other = "upper_box"
[[attachment]]
link = "upper_box"
stiffness = 5
break_length = 1
)");
  ASSERT_EQ(w.body.loops.size(), 1u);
  EXPECT_NEAR(w.body.loops[0].other_pos.z, -0.05, 1e-12);
  ASSERT_EQ(w.body.attachments.size(), 1u);
  EXPECT_EQ(w.body.attachments[0].other, -1);
  EXPECT_NEAR(w.body.attachments[0].other_pos.z, 0.15, 1e-12);
}

TEST_F(WorldFiles, SurroundingsAreReadAsOnTheCommandLineOrAsTables) {
  const World w = world(two_boxes + R"(
[contact]
stiffness = 5000
type = "exponential"
[friction]
forward = 0.2
back = 0.9
axis = "link"
[water]
density = 1000
buoyancy = true
surface = 0.5
)");
  EXPECT_EQ(w.contact.stiffness, 5000);
  EXPECT_EQ(w.contact.type, ContactType::exponential);
  EXPECT_EQ(w.contact.friction, 0.2);
  EXPECT_EQ(w.contact.friction_back, 0.9);
  EXPECT_EQ(w.contact.friction_axis, FrictionAxis::link);
  EXPECT_EQ(w.water.density, 1000);
  EXPECT_TRUE(w.water.buoyancy);
  EXPECT_EQ(w.water.surface, 0.5);
  const World v = world(
      "gravity = 1.62\nfriction = 0.3\ncontact = \"sticky\"\nterrain = \"slope:10deg\"\nbody_contact = "
      "false\nwind = { density = 1.2, vx = 5 }\n" +
      two_boxes);
  EXPECT_EQ(v.gravity, (Vec3d{0, 0, -1.62}));
  EXPECT_EQ(v.contact.friction, 0.3);
  EXPECT_EQ(v.contact.type, ContactType::sticky);
  EXPECT_EQ(v.terrain.type, TerrainType::slope);
  EXPECT_EQ(v.wind.velocity.x, 5);
  EXPECT_FALSE(v.body_contact);
}

TEST_F(WorldFiles, ACreatureIsAWorldOfOne) {
  const World w = load_world("pendulum");
  EXPECT_EQ(w.body.name, "pendulum");
  EXPECT_FALSE(w.body_contact);
}

TEST_F(WorldFiles, MistakesAreNamed) {
  EXPECT_EQ(error_of("[[body]]\nat = [0, 0, 0]\n"), ":1: body: has no 'creature'; add creature = \"...\"");
  EXPECT_EQ(error_of("[[body]]\ncreature = \"bxo\"\n"),
            ":2: body 'bxo': there is no creature 'bxo'; did you mean 'box'?");
  EXPECT_EQ(
      error_of("[[body]]\ncreature = \"box\"\n[[body]]\ncreature = \"box\"\n"),
      ":3: body 'box': another body has the prefix 'box_'; give one of them its own with prefix = \"...\"");
  EXPECT_EQ(error_of("[[body]]\ncreature = \"box\"\nfixd = true\n"),
            ":3: body 'box': unknown key 'fixd'; did you mean 'fixed'?");
  EXPECT_EQ(error_of("gravty = 1\n" + two_boxes), ":1: unknown key 'gravty'; did you mean 'gravity'?");
  EXPECT_EQ(error_of(two_boxes + "[contact]\nstifness = 1\n"),
            ":10: contact: unknown key 'stifness'; did you mean 'stiffness'?");
  EXPECT_EQ(error_of("friction = -1\n" + two_boxes), ":1: friction must be 0 or more, not -1");
  EXPECT_EQ(error_of(two_boxes + "[[loop]]\nlink = \"box_bxo\"\n"),
            ":10: loop 'loop_1': there is no link 'box_bxo'; did you mean 'box_box'?");
  EXPECT_EQ(error_of("terrain = \"moon\"\n" + two_boxes).substr(0, 4), ":1: ");
}

}  // namespace
}  // namespace legwork
