// The shipped bodies: each loads, is what it says, and survives being written and read.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include <legwork/files.h>
#include "creature/place.h"
#include "formats/shipped.h"
#include "formats/toml/creature_toml.h"
#include "tests/scenes/error_of.h"

namespace legwork {
namespace {

// Every value of a creature that a simulation, a gait or a drawing can see, as text with exact doubles. Left
// out: places in files, warnings, and the marks com_given and sole_given, which tell only how the rest came
// about, and what a kind of joint, spring, sensor or actuator does not use.
class Fingerprint {
 public:
  explicit Fingerprint(const Creature& c) {
    add(c.name), add(c.about), add(c.integrator), add(c.dt), add(c.gravity);
    for (const Link& l : c.links) add(l);
    for (const Leg& l : c.legs) {
      add("leg"), add(l.name), add(int(l.side)), add(l.girdle), add(l.hip), add(l.knee), add(l.foot),
          add(l.sole);
    }
    for (const Label& l : c.labels) add("label"), add(l.name), add(l.link), add(l.pos);
    add("trunk");
    for (const int i : c.trunk) add(i);
    for (const ContactPoint& p : c.contacts)
      add("contact"), add(p.name), add(p.link), add(p.pos), add(p.radius), add(p.foot);
    for (const Pose& p : c.poses) {
      add("pose"), add(p.name);
      for (const double q : p.q) add(q);
    }
    for (const Sensor& s : c.sensors) {
      add("sensor"), add(s.name), add(int(s.type)), add(s.link), add(s.other), add(s.dof), add(s.lower);
      add(s.upper), add(s.ahead), add(s.type == SensorType::touch && s.whole);
      if (s.type == SensorType::touch ? !s.whole : s.type != SensorType::angle) add(s.pos);
      if (s.type == SensorType::length) add(s.other_pos);
    }
    for (const Actuator& a : c.actuators) {
      add("actuator"), add(a.name), add(int(a.type)), add(a.dof), add(a.link), add(a.other), add(a.ks),
          add(a.kd);
      add(a.lower), add(a.upper), add(a.strength), add(a.gear);
      if (a.type == ActuatorType::linear) add(a.pos), add(a.other_pos);
    }
    for (const Loop& l : c.loops) {
      add("loop"), add(l.name), add(l.link), add(l.other), add(l.pos), add(l.other_pos), add(l.rot);
      add(l.other_rot), add(l.frame);
    }
    for (const Attachment& a : c.attachments) {
      add("attachment"), add(a.name), add(a.link), add(a.other), add(a.pos), add(a.other_pos),
          add(a.stiffness);
      add(a.damping), add(a.rest), add(a.sharpness), add(a.break_length);
    }
  }
  std::string text;

 private:
  void add(const std::string& s) { text += s + "\n"; }
  void add(const char* s) { add(std::string(s)); }
  void add(int i) { add(std::to_string(i)); }
  void add(bool b) { add(int(b)); }
  void add(double x) { add(std::to_string(x) + " " + std::to_string(std::bit_cast<std::uint64_t>(x))); }
  void add(const Vec3d& v) { add(v.x), add(v.y), add(v.z); }
  void add(const Quatd& q) { add(q.w), add(q.x), add(q.y), add(q.z); }
  void add(const Link& l) {
    add("link"), add(l.name), add(l.parent), add(l.pos), add(l.rot), add(l.mass), add(l.com);
    add(l.inertia.xx), add(l.inertia.yy), add(l.inertia.zz), add(l.inertia.xy), add(l.inertia.xz),
        add(l.inertia.yz);
    for (const Joint& j : l.joints) add(j);
    for (const Shape& s : l.shapes) add(s);
  }
  void add(const Joint& j) {
    add("joint"), add(j.name), add(int(j.type)), add(j.anchor), add(j.q_zero);
    for (const Vec3d& axis : j.axes) add(axis);
    if (j.type == JointType::keyframed)
      for (const double x : j.neutral) add(x);
    for (const Keyframes& k : j.paths) {
      for (const double x : k.min) add(x);
      for (const double x : k.max) add(x);
    }
    for (const Dof& d : j.dofs) {
      add(d.name), add(d.lower), add(d.upper), add(d.limit_stiffness), add(d.limit_damping), add(d.damper);
      add(d.armature), add(int(d.spring.type));
      if (d.spring.type != SpringType::none)
        add(d.spring.stiffness), add(d.spring.sharpness), add(d.spring.rest);
    }
  }
  void add(const Shape& s) {
    add("shape"), add(int(s.type)), add(s.pos), add(s.rot), add(s.size), add(s.density);
    add(s.color[0]), add(s.color[1]), add(s.color[2]), add(s.massive), add(s.touches), add(s.mesh.file);
    for (const Vec3d& v : s.mesh.vertices) add(v);
    for (const auto& t : s.mesh.triangles) add(t[0]), add(t[1]), add(t[2]);
    for (const Plane& p : s.mesh.hull) add(p.normal), add(p.offset);
  }
};

void expect_survives(const Creature& c) {
  const std::string text = write_creature_toml(c);
  const Creature back = parse_creature_toml(text, c.name + ".toml");
  const std::string before = Fingerprint(c).text, after = Fingerprint(back).text;
  const auto differ = std::mismatch(before.begin(), before.end(), after.begin(), after.end()).first;
  EXPECT_TRUE(before == after) << "differs after "
                               << std::string(differ - std::min<long>(200, differ - before.begin()), differ);
  EXPECT_EQ(write_creature_toml(back), text);
}

// How low and how high the shapes reach in a pose.
Box extent(const Creature& c, const char* pose) { return bounding_box(c, c.pose(pose)); }

TEST(ShippedCreatures, AreListedByNameWithALineEach) {
  const auto all = shipped_creatures();
  for (const char* name : {"box", "tumbler", "pendulum", "ragdoll", "hexapod", "fourbar"})
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const auto& c) { return c.name == name; })) << name;
  for (const auto& c : all) EXPECT_FALSE(c.about.empty()) << c.name;
}

TEST(ShippedCreatures, LoadAndSurviveWritingAndReading) {
  for (const ShippedCreature& shipped : shipped_creatures()) {
    SCOPED_TRACE(shipped.name);
    const Creature c = load_creature(shipped.name);
    EXPECT_EQ(c.name, shipped.name);
    EXPECT_TRUE(c.warnings.empty());
    expect_survives(c);
  }
}

TEST(ShippedCreatures, WorldsLoadAndSurviveToo) {
  for (const ShippedCreature& shipped : shipped_worlds()) {
    SCOPED_TRACE(shipped.name);
    const World world = load_world(shipped.name);
    EXPECT_TRUE(world.body_contact);
    expect_survives(world.body);
  }
}

TEST(ShippedCreatures, TheHexapodHas38DegreesOfFreedomAndStandsOnSixFeet) {
  const Creature c = load_creature("hexapod");
  int joints = 0;
  for (const Link& link : c.links)
    for (const Joint& joint : link.joints) joints += joint.type == JointType::hinge;
  EXPECT_EQ(joints, 32);
  EXPECT_EQ(c.nv(), 38);
  ASSERT_EQ(c.legs.size(), 6u);
  const auto frames = place(c, c.pose("stand"));
  for (const Leg& leg : c.legs) {
    const Vec3d sole = frames[leg.foot].p + frames[leg.foot].R * leg.sole;
    EXPECT_NEAR(sole.z, 0, 0.003) << leg.name;
    EXPECT_EQ(leg.side == Side::left, sole.y > 0) << leg.name;
  }
  EXPECT_NEAR(extent(c, "stand").lower.z, 0, 0.001);
}

TEST(ShippedCreatures, TheRagdollHasWintersMassAndHeight) {
  const Creature c = load_creature("ragdoll");
  EXPECT_NEAR(c.mass(), 75, 0.01);
  const Box box = extent(c, "");  // upright
  EXPECT_NEAR(box.lower.z, 0, 0.001);
  EXPECT_NEAR(box.upper.z, 1.75, 0.001);
  EXPECT_NEAR(extent(c, "stand").lower.z, 0, 0.005);
  EXPECT_EQ(c.legs.size(), 2u);
  EXPECT_GT(c.nv(), 30);
}

TEST(ShippedCreatures, StandingOnesTouchTheGround) {
  for (const char* name : {"strider", "newt"}) {
    SCOPED_TRACE(name);
    const Creature c = load_creature(name);
    EXPECT_EQ(c.legs.size(), 4u);
    const Box box = extent(c, "stand");
    EXPECT_NEAR(box.lower.z, 0, 0.01 * (box.upper.x - box.lower.x));
  }
}

TEST(ShippedCreatures, TheFourBarIsClosed) {
  const Creature c = load_creature("fourbar");
  ASSERT_EQ(c.loops.size(), 1u);
  const Loop& loop = c.loops[0];
  const auto frames = place(c, c.pose(""));
  const Vec3d a = frames[loop.link].p + frames[loop.link].R * loop.pos;
  const Vec3d b = frames[loop.other].p + frames[loop.other].R * loop.other_pos;
  EXPECT_LT(norm(a - b), 1e-15);
  EXPECT_NEAR(loop.other_pos.x, 0.3, 1e-5);
  EXPECT_NEAR(loop.other_pos.z, 0, 1e-5);
}

TEST(ShippedCreatures, AnUnknownNameGetsASuggestion) {
  const auto error_of = [](const std::string& name) -> std::string {
    return legwork::error_of([&] { load_creature(name); });
  };
  EXPECT_EQ(error_of("hexpod"), "there is no creature 'hexpod'; did you mean 'hexapod'?");
  EXPECT_EQ(error_of("none/there.toml"), "none/there.toml: there is no such file; check the path");
  EXPECT_EQ(error_of(""), "no creature named; `legwork creatures` lists the shipped ones");
  const std::string puffs = std::string(LEGWORK_CREATURES_DIR) + "/worlds/puffs.toml";
  EXPECT_EQ(error_of("puffs"),
            puffs + ":6: a world of several bodies, where one creature is needed; name one of its bodies");
}

TEST(ShippedCreatures, AnotherFolderMayBeNamed) {
  setenv("LEGWORK_CREATURES", (std::string(LEGWORK_CREATURES_DIR) + "/worlds").c_str(), 1);
  const auto there = shipped_creatures();
  unsetenv("LEGWORK_CREATURES");
  EXPECT_TRUE(std::any_of(there.begin(), there.end(), [](const auto& c) { return c.name == "puffs"; }));
}

TEST(CreatureTomlWriting, TensOfThousandsOfContactPointsSurvive) {
  std::string text = "[[link]]\nname = \"ball\"\nshapes = [";
  for (int i = 0; i < 600; ++i)
    text += "{ ellipsoid = [0.1, 0.2, 0.3], pos = [" + std::to_string(i) + ", 0, 0] },";
  const Creature c = parse_creature_toml(text + "]", "many.toml");
  EXPECT_EQ(c.contacts.size(), 600u * 26);
  expect_survives(c);
}

// A mesh and everything else that the shipped bodies do not have.
TEST(CreatureTomlWriting, EveryFieldSurvives) {
  Creature c = load_creature("strider");
  Shape mesh;
  mesh.type = ShapeType::mesh;
  mesh.mesh.vertices = {{0, 0, 0}, {0.1, 0, 0}, {0, 1.0 / 3, 0}, {0, 0, 0.7}};
  mesh.mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  mesh.mesh.file = "tetra \"x\"\\.obj";
  mesh.pos = {-0.0, 1e300, 5e-324};
  mesh.rot = normalized(Quatd{0.3, -0.2, 0.9, 0.1});
  mesh.color = {0.1, 0.2, 0.3};
  mesh.massive = false;
  c.links[0].shapes.push_back(mesh);
  c.links[0].shapes.back().pos = {-0.0, 0.1, 1.0 / 3};
  c.about = "quotes \" backslash \\ tab \t umlaut ä";
  c.integrator = "rk4";
  c.dt = 0.1 + 0.2;
  c.gravity = {0.1, -0.0, -1.62};
  c.links[1].joints[0].anchor = {0.1, 0.2, 0.3};
  c.links[1].joints[0].q_zero = 1e-17;
  c.links[1].joints[0].dofs[0].limit_stiffness = 12345678901234567890.0;
  c.links[1].joints[0].dofs[0].armature = 1e22;
  c.sensors.push_back({"see", SensorType::eye, 0, -1, {1, 2, 3}, {}, -1, -0.7, 0.7});
  c.sensors.push_back({"far", SensorType::length, 0, 1, {1, 2, 3}, {4, 5, 6}, -1, -unlimited, 0.7});
  c.sensors.push_back({"step", SensorType::terrain, 0, -1, {1, 2, 3}, {}, -1, 0.02, unlimited, 0.3});
  Actuator pull{"pull", ActuatorType::linear, -1, 0, -1, {1, 2, 3}, {4, 5, 6}};
  c.actuators.push_back(pull);
  Loop loop{"loop", 1, -1, {1, 2, 3}, {4, 5, 6}, normalized(Quatd{1, 2, 3, 4}), normalized(Quatd{4, 3, 2, 1}),
            true};
  c.loops = {loop};
  Attachment rope{"rope", 1, 2, {1, 2, 3}, {4, 5, 6}, 1, 2, 3, 4, 5};
  c.attachments = {rope};
  // the hull comes with completion
  c = parse_creature_toml(write_creature_toml(c), "a.toml");
  ASSERT_FALSE(c.links[0].shapes.back().mesh.hull.empty());
  EXPECT_EQ(c.dt, 0.1 + 0.2);
  EXPECT_TRUE(std::signbit(c.links[0].shapes.back().pos.x));
  EXPECT_EQ(c.links[1].joints[0].dofs[0].limit_stiffness, 12345678901234567890.0);
  EXPECT_EQ(c.about, "quotes \" backslash \\ tab \t umlaut ä");
  expect_survives(c);
}

}  // namespace
}  // namespace legwork
