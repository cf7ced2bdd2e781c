// The shipped bodies: each loads, is what it says, and survives being written and read.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "legwork/creature/place.h"
#include "legwork/io/creature_toml.h"
#include "legwork/io/load.h"

namespace legwork {
namespace {

// Every value of a creature that a simulation, a gait or a drawing can see, as text with exact doubles. Left
// out: places in files, warnings, and the marks com_given and sole_given, which tell only how the rest came
// about.
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
      add("sensor"), add(s.name), add(int(s.type)), add(s.link), add(s.other), add(s.pos), add(s.other_pos);
      add(s.dof), add(s.threshold), add(s.above);
    }
    for (const Actuator& a : c.actuators) {
      add("actuator"), add(a.name), add(int(a.type)), add(a.dof), add(a.link), add(a.other), add(a.pos);
      add(a.other_pos), add(a.ks), add(a.kd), add(a.lower), add(a.upper), add(a.strength), add(a.gear);
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
    for (const double x : j.neutral) add(x);
    for (const Keyframes& k : j.paths) {
      for (const double x : k.min) add(x);
      for (const double x : k.max) add(x);
    }
    for (const Dof& d : j.dofs) {
      add(d.name), add(d.lower), add(d.upper), add(d.limit_stiffness), add(d.limit_damping), add(d.damper);
      add(d.armature), add(int(d.spring.type)), add(d.spring.stiffness), add(d.spring.sharpness),
          add(d.spring.rest);
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
  EXPECT_TRUE(Fingerprint(back).text == Fingerprint(c).text) << text;
  EXPECT_EQ(write_creature_toml(back), text);
}

TEST(ShippedCreatures, AreListedByNameWithALineEach) {
  const auto all = shipped_creatures();
  for (const char* name : {"box", "tumbler", "pendulum", "fourbar"})
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
    try {
      load_creature(name);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_of("fuorbar"), "there is no creature 'fuorbar'; did you mean 'fourbar'?");
  EXPECT_EQ(error_of("none/there.toml"), "none/there.toml: no such file");
  EXPECT_EQ(error_of(""), "no creature named; `legwork creatures` lists the shipped ones");
}

}  // namespace
}  // namespace legwork
