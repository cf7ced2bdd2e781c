#include "formats/toml/creature_toml.h"

#include <gtest/gtest.h>

#include <cmath>

#include <legwork/files.h>
#include "math/real.h"
#include "math/vec.h"
#include "tests/scenes/error_of.h"
#include "tests/scenes/scratch.h"

namespace legwork {
namespace {

Creature read(const std::string& text) { return parse_creature_toml(text, "x.toml"); }

std::string error_of(const std::string& text) {
  return legwork::error_of([&] { read(text); });
}

const std::string body = R"(
[[link]]
name = "body"
shape = { box = [0.3, 0.2, 0.1] }
)";

// A child "arm" with these lines, its shape and its joint given unless the lines do.
std::string with_arm(const std::string& lines, const std::string& joint = "joint = { hinge = [0, 1, 0] }") {
  return body + "[[link]]\nname = \"arm\"\nparent = \"body\"\nshape = { sphere = 0.05 }\n" + joint + "\n" +
         lines;
}

// The joint of an arm.
Joint joint(const std::string& text) {
  return read(with_arm("", "joint = " + text)).links.at(1).joints.at(0);
}
std::string joint_error(const std::string& text) { return error_of(with_arm("", "joint = " + text)); }

Shape shape(const std::string& text) {
  return read("[[link]]\nname = \"body\"\nshape = " + text).links.at(0).shapes.at(0);
}
std::string shape_error(const std::string& text) {
  return error_of("[[link]]\nname = \"body\"\nshape = " + text);
}

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance = 1e-15) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

// ------------------------------------------------------------------ links

TEST(CreatureToml, ALinkWithoutParentMovesFreely) {
  const Creature c = read(body);
  ASSERT_EQ(c.links[0].joints.size(), 1u);
  EXPECT_EQ(c.links[0].joints[0].type, JointType::free);
  EXPECT_EQ(c.nv(), 6);
  EXPECT_NEAR(c.mass(), 6, 1e-12);
}

TEST(CreatureToml, ARootMayBeFixedOrHungFromTheWorld) {
  EXPECT_EQ(read(body + "joint = { fixed = true }").nv(), 0);
  EXPECT_EQ(read(body + "joint = { hinge = \"y\" }").nv(), 1);
  EXPECT_EQ(read(body + "joints = []").nv(), 0);
}

TEST(CreatureToml, AChildWithoutJointIsFixedToItsParent) {
  const Creature c = read(with_arm("", ""));
  EXPECT_EQ(c.nv(), 6);
  EXPECT_TRUE(c.links[1].joints.empty());
}

TEST(CreatureToml, ChildrenMayStandBeforeTheirParents) {
  const Creature c =
      read("[[link]]\nname = \"hand\"\nparent = \"arm\"\nshape = { sphere = 0.1 }\n" + with_arm(""));
  EXPECT_EQ(c.links[c.link("hand")].parent, c.link("arm"));
  EXPECT_LT(c.link("arm"), c.link("hand"));
}

TEST(CreatureToml, PlacesAreAnglesAboutFixedAxesOrAQuaternion) {
  // x first, then y, then z, all fixed: takes x to y, y to z, z to x
  const Creature c = read("angles = \"deg\"\n" + with_arm("at = { pos = [1, 2, 3], rot = [90, 0, 90] }"));
  expect_near(c.links[1].pos, {1, 2, 3});
  const Mat3d R = matrix(c.links[1].rot);
  expect_near(R * Vec3d{1, 0, 0}, {0, 1, 0}, 1e-15);
  expect_near(R * Vec3d{0, 1, 0}, {0, 0, 1}, 1e-15);
  const Creature d = read(with_arm("at = { rot = [0.5, 0.5, 0.5, 0.5] }"));
  const Creature e = read(with_arm("at = { quat = [1, 1, 1, 1] }"));
  for (const Creature* same : {&d, &e}) {
    EXPECT_NEAR(same->links[1].rot.w, c.links[1].rot.w, 1e-15);
    EXPECT_NEAR(same->links[1].rot.x, c.links[1].rot.x, 1e-15);
    EXPECT_NEAR(same->links[1].rot.y, c.links[1].rot.y, 1e-15);
    EXPECT_NEAR(same->links[1].rot.z, c.links[1].rot.z, 1e-15);
  }
  expect_near(read(with_arm("at = [1, 2, 3]")).links[1].pos, {1, 2, 3});
}

TEST(CreatureToml, AnglesAreRadiansUnlessTheFileSaysDegrees) {
  const std::string text =
      with_arm("",
               "joint = { hinge = \"y\", range = [-1, 2], spring = { stiffness = 3, rest = "
               "0.5 } }");
  EXPECT_EQ(read(text).links[1].joints[0].dofs[0].upper, 2);
  const Dof d = read("angles = \"deg\"" + text).links[1].joints[0].dofs[0];
  EXPECT_EQ(d.lower, -pi / 180);
  EXPECT_EQ(d.upper, 2 * (pi / 180));
  EXPECT_EQ(d.spring.rest, 0.5 * (pi / 180));
  EXPECT_EQ(d.spring.stiffness, 3);
  EXPECT_EQ(error_of("angles = \"degrees\"\n" + body),
            "x.toml:1: unknown angles 'degrees'; one of: rad, deg");
}

TEST(CreatureToml, MassMayBeGivenOutright) {
  const Creature c = read(with_arm("mass = 2\ncom = [0, 0, 0.1]\ninertia = [0.1, 0.2, 0.15]"));
  EXPECT_EQ(c.links[1].mass, 2);
  expect_near(c.links[1].com, {0, 0, 0.1});
  EXPECT_EQ(c.links[1].inertia.yy, 0.2);
  const Creature d =
      read(with_arm("mass = 2\ncom = [0, 0, 0.1]\ninertia = [0.1, 0.2, 0.15, 0.01, 0.02, 0.03]"));
  EXPECT_EQ(d.links[1].inertia.xy, 0.01);
  EXPECT_EQ(d.links[1].inertia.yz, 0.03);
  // without an inertia: that of the shapes, scaled
  const Creature e = read(with_arm("mass = 2"));
  EXPECT_NEAR(e.links[1].inertia.xx, 0.4 * 2 * 0.05 * 0.05, 1e-15);
}

TEST(CreatureToml, DensityColorAndTouchOfALinkHoldForItsShapes) {
  const Creature c = read(R"(
[[link]]
name = "body"
density = 500
color = "#ff8000"
touches = false
shapes = [{ box = [1, 1, 1] }, { sphere = 0.1, density = 10, color = [0, 0, 1], touches = true }]
)");
  const auto& s = c.links[0].shapes;
  EXPECT_EQ(s[0].density, 500);
  EXPECT_EQ(s[0].color, (std::array<double, 3>{1, 128 / 255.0, 0}));
  EXPECT_FALSE(s[0].touches);
  EXPECT_EQ(s[1].density, 10);
  EXPECT_EQ(s[1].color, (std::array<double, 3>{0, 0, 1}));
  EXPECT_TRUE(s[1].touches);
}

// ------------------------------------------------------------------ shapes

TEST(CreatureToml, ShapesOfEveryKind) {
  expect_near(shape("{ box = [1, 2, 3] }").size, {1, 2, 3});
  EXPECT_EQ(shape("{ sphere = 0.5 }").size.x, 0.5);
  expect_near(shape("{ capsule = [0.1, 0.5] }").size, {0.1, 0.5, 0});
  EXPECT_EQ(shape("{ cylinder = [0.1, 0.5] }").type, ShapeType::cylinder);
  expect_near(shape("{ ellipsoid = [0.1, 0.2, 0.3], pos = [1, 0, 0] }").pos, {1, 0, 0});
}

TEST(CreatureToml, LongShapesLieAlongAnAxisOrBetweenTwoEnds) {
  expect_near(matrix(shape("{ capsule = [0.1, 0.5], along = \"x\" }").rot) * Vec3d{0, 0, 1}, {1, 0, 0});
  expect_near(matrix(shape("{ capsule = [0.1, 0.5], along = \"y\" }").rot) * Vec3d{0, 0, 1}, {0, 1, 0});
  const Shape s = shape("{ capsule = 0.1, from = [1, 0, 0], to = [1, 3, 4] }");
  expect_near(s.size, {0.1, 5, 0});
  expect_near(s.pos, {1, 1.5, 2});
  expect_near(matrix(s.rot) * Vec3d{0, 0, 1}, {0, 0.6, 0.8});
  expect_near(matrix(shape("{ cylinder = 0.1, to = [0, 0, -2] }").rot) * Vec3d{0, 0, 1}, {0, 0, -1});
  expect_near(shape("{ ellipsoid = [0.1, 0.2], to = [2, 0, 0] }").size, {0.1, 0.2, 1});
  expect_near(shape("{ box = [0.1, 0.2], to = [2, 0, 0] }").size, {0.1, 0.2, 2});
}

TEST(CreatureToml, BadLoftsAreNamed) {
  const std::string at = "x.toml:3: link 'body': ";
  EXPECT_EQ(shape_error("{ loft = [[0, 0, 0, 1]] }"),
            at + "'loft' must be a list of 2 to 100 sections [x, y, z, radius] or [x, y, z, across, along]");
  EXPECT_EQ(
      shape_error("{ loft = [[0, 0, 0, 1], [0, 0, 1]] }"),
      at + "section 2 of 'loft' must be [x, y, z, radius] or [x, y, z, across, along], not an array of 3 "
           "values");
  EXPECT_EQ(shape_error("{ loft = [[0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 2, 1]] }"),
            at + "section 2 of 'loft' must have half axes above 0; only the ends may be points");
  EXPECT_EQ(shape_error("{ loft = [[0, 0, 0, 1], [0, 0, 0, 2]] }"),
            at + "section 2 of 'loft' has the same centre as the one before");
}

TEST(CreatureToml, BadShapesAreNamed) {
  EXPECT_EQ(shape_error("{ bix = [1, 1, 1] }"),
            "x.toml:3: link 'body': unknown key 'bix'; did you mean 'box'?");
  EXPECT_EQ(shape_error("{ pos = [0, 0, 0] }"),
            "x.toml:3: link 'body': the shape has no kind; one of: box, sphere, capsule, cylinder, "
            "ellipsoid, mesh, loft");
  EXPECT_EQ(shape_error("{ box = [1, 1, 1], sphere = 2 }"),
            "x.toml:3: link 'body': both 'box' and 'sphere'; keep one of them");
  EXPECT_EQ(shape_error("{ box = [1, 1, 1], radius = 2 }"),
            "x.toml:3: link 'body': unknown key 'radius'; one of: box, sphere, capsule, cylinder, ellipsoid, "
            "mesh, loft, pos, rot, quat, along, from, ...");
  EXPECT_EQ(shape_error("{ sphere = 1, along = \"x\", scale = 2 }"),
            "x.toml:3: link 'body': 'scale' means nothing here; leave it out");
  EXPECT_EQ(shape_error("{ box = [1, 1] }"),
            "x.toml:3: link 'body': 'box' must be [x, y, z], not an array of 2 values");
  EXPECT_EQ(shape_error("{ sphere = -1 }"),
            "x.toml:3: link 'body': every size of 'sphere' must be above 0, not -1");
  EXPECT_EQ(
      shape_error("{ capsule = [0.1, 2], to = [0, 0, 1] }"),
      "x.toml:3: link 'body': 'capsule' between two ends must be a radius; its length comes from the ends");
  EXPECT_EQ(shape_error("{ capsule = 0.1, to = [0, 0, 0] }"),
            "x.toml:3: link 'body': 'from' and 'to' are the same point");
  EXPECT_EQ(shape_error("{ capsule = 0.1, to = [0, 0, 1], along = \"x\" }"),
            "x.toml:3: link 'body': both 'to' and 'along'; the two ends say it all");
  EXPECT_EQ(
      shape_error("{ sphere = 1, color = \"red\" }"),
      "x.toml:3: link 'body': 'color' must be [r, g, b] from 0 to 1 or \"#rrggbb\", not the text \"red\"");
  EXPECT_EQ(shape_error("{ sphere = 1, color = [1, 2, 3] }"),
            "x.toml:3: link 'body': 'color' must be [r, g, b] from 0 to 1");
}

// ------------------------------------------------------------------ joints

TEST(CreatureToml, JointsOfEveryKind) {
  EXPECT_EQ(joint("{ hinge = [0, 2, 0] }").axes[0], (Vec3d{0, 1, 0}));
  EXPECT_EQ(joint("{ slide = \"-x\" }").axes[0], (Vec3d{-1, 0, 0}));
  EXPECT_EQ(nv(joint("{ ball = true }")), 3);
  EXPECT_EQ(joint("{ universal = [[0, 1, 0], [1, 0, 0]] }").axes[1], (Vec3d{1, 0, 0}));
  EXPECT_EQ(joint("{ fixed = true }").type, JointType::fixed);
  EXPECT_EQ(nv(read(body).links[0].joints[0]), 6);
}

TEST(CreatureToml, APlanarJointIsAPlaneANormalOrTwoDirections) {
  for (const char* text : {"\"zx\"", "[0, 1, 0]", "[[0, 0, 1], [1, 0, 0]]"}) {
    const Joint j = joint("{ planar = " + std::string(text) + " }");
    EXPECT_EQ(j.axes[0], (Vec3d{0, 0, 1})) << text;
    EXPECT_EQ(j.axes[1], (Vec3d{1, 0, 0})) << text;
    EXPECT_EQ(nv(j), 3);
  }
  const Joint j = joint("{ planar = [1, 1, 1] }");
  expect_near(cross(j.axes[0], j.axes[1]), normalized(Vec3d{1, 1, 1}), 1e-15);
}

TEST(CreatureToml, AKeyframedJointHasAPathForEachDegreeOfFreedom) {
  const Joint j = read("angles = \"deg\"" + with_arm("", R"([link.joint]
name = "hip"
neutral = { rot = [0, 0, 10], pos = [0, 0, 1] }
keyframed = [
  { name = "flex", min = { rot = [0, -90, 0] }, max = { rot = [0, 45, 0], pos = [0.1, 0, 0] } },
  { min = { rot = [-10, 0, 0] }, max = { rot = [20, 0, 0] } }]
)"))
                      .links[1]
                      .joints[0];
  ASSERT_EQ(j.type, JointType::keyframed);
  ASSERT_EQ(j.paths.size(), 2u);
  EXPECT_EQ(j.paths[0].min[1], -90 * (pi / 180));
  EXPECT_EQ(j.paths[0].max[3], 0.1);
  EXPECT_EQ(j.neutral[2], 10 * (pi / 180));
  EXPECT_EQ(j.neutral[5], 1);
  EXPECT_EQ(j.dofs[0].name, "hip.flex");
  EXPECT_EQ(j.dofs[1].name, "hip.k2");
  EXPECT_EQ(j.dofs[0].lower, -1);
  EXPECT_EQ(j.dofs[1].upper, 1);
}

TEST(CreatureToml, OneValueHoldsForAllDegreesOfFreedomOrAListForEach) {
  const Joint j = joint(
      "{ universal = [\"y\", \"x\"], range = [-1, 1], damper = [0.1, 0.2], armature = 3, spring = "
      "[{ stiffness = 5 }, { exponential = [2, 4], rest = 0.5 }], limit = { stiffness = 7, damping "
      "= 8 } }");
  EXPECT_EQ(j.dofs[0].lower, -1);
  EXPECT_EQ(j.dofs[1].upper, 1);
  EXPECT_EQ(j.dofs[0].damper, 0.1);
  EXPECT_EQ(j.dofs[1].damper, 0.2);
  EXPECT_EQ(j.dofs[1].armature, 3);
  EXPECT_EQ(j.dofs[0].spring.type, SpringType::linear);
  EXPECT_EQ(j.dofs[0].spring.stiffness, 5);
  EXPECT_EQ(j.dofs[1].spring.type, SpringType::exponential);
  EXPECT_EQ(j.dofs[1].spring.sharpness, 4);
  EXPECT_EQ(j.dofs[1].spring.rest, 0.5);
  EXPECT_EQ(j.dofs[0].limit_stiffness, 7);
  EXPECT_EQ(j.dofs[1].limit_damping, 8);
  const Joint k = joint("{ universal = [\"y\", \"x\"], range = [[-1, 1], [-inf, 2]] }");
  EXPECT_EQ(k.dofs[1].lower, -unlimited);
  EXPECT_EQ(k.dofs[1].upper, 2);
}

TEST(CreatureToml, ALinkMayHaveSeveralJointsInOrder) {
  const Creature c = read(with_arm("", "joints = [{ hinge = \"z\", name = \"yaw\" }, { hinge = \"y\" }]"));
  ASSERT_EQ(c.links[1].joints.size(), 2u);
  EXPECT_EQ(c.dof("yaw"), 6);
  EXPECT_EQ(c.dof("arm.2"), 7);
}

TEST(CreatureToml, JointsAndDegreesOfFreedomAreNamedAfterTheirLink) {
  EXPECT_EQ(joint("{ hinge = \"y\" }").name, "arm");
  EXPECT_EQ(joint("{ hinge = \"y\" }").dofs[0].name, "arm");
  EXPECT_EQ(joint("{ ball = true }").dofs[2].name, "arm.z");
  EXPECT_EQ(joint("{ universal = [\"y\", \"x\"], name = \"hip\" }").dofs[1].name, "hip.2");
}

TEST(CreatureToml, BadJointsAreNamed) {
  EXPECT_EQ(joint_error("{ hing = [0, 1, 0] }"),
            "x.toml:9: joint 'arm': unknown key 'hing'; did you mean 'hinge'?");
  EXPECT_EQ(
      joint_error("{ range = [0, 1] }"),
      "x.toml:9: joint 'arm': the joint has no kind; one of: hinge, slide, ball, universal, planar, free, "
      "fixed, keyframed");
  EXPECT_EQ(joint_error("{ hinge = [0, 0, 0], name = \"elbow\" }"),
            "x.toml:9: joint 'elbow': axis [0, 0, 0] has no direction; did you mean [0, 1, 0]?");
  EXPECT_EQ(joint_error("{ hinge = \"up\" }"),
            "x.toml:9: joint 'arm': axis must be [x, y, z] or a letter such as \"y\" or \"-y\", not \"up\"");
  EXPECT_EQ(joint_error("{ hinge = \"y\", range = [1, -1] }"),
            "x.toml:9: joint 'arm': range [1, -1] is upside down; try [-1, 1]");
  EXPECT_EQ(joint_error("{ hinge = \"y\", range = [nan, 1] }"),
            "x.toml:9: joint 'arm': the lower end of 'range' is nan; a number is needed");
  EXPECT_EQ(joint_error("{ hinge = \"y\", dampper = 1 }"),
            "x.toml:9: joint 'arm': unknown key 'dampper'; did you mean 'damper'?");
  EXPECT_EQ(joint_error("{ ball = true, damper = [1, 2] }"),
            "x.toml:9: joint 'arm': 'damper' must be one value or a list of 3, not an array of 2 values");
  EXPECT_EQ(joint_error("{ ball = false }"),
            "x.toml:9: joint 'arm': 'ball' must be true; leave it out otherwise");
  EXPECT_EQ(joint_error("{ fixed = true, damper = 1 }"),
            "x.toml:9: joint 'arm': a fixed joint has no 'damper'");
  EXPECT_EQ(joint_error("{ hinge = \"y\", spring = 5 }"),
            "x.toml:9: joint 'arm': 'spring' must be a table such as { stiffness = 2, rest = 0 }, not the "
            "number 5");
  EXPECT_EQ(joint_error("{ hinge = \"y\", spring = { rest = 5 } }"),
            "x.toml:9: joint 'arm': the spring has no 'stiffness' and is not 'exponential'");
  EXPECT_EQ(joint_error("{ planar = \"xx\" }"),
            "x.toml:9: joint 'arm': 'planar' must be two letters such as \"xz\", not \"xx\"");
  EXPECT_EQ(joint_error("{ keyframed = [] }"),
            "x.toml:9: joint 'arm': 'keyframed' holds no path; try [{ min = { rot = [0, 0, -40] }, max = { "
            "rot = [0, "
            "0, 40] } }]");
  EXPECT_EQ(joint_error("[1, 2]"), "x.toml:9: joint 'arm': must be a table, not an array of 2 values");
}

// ------------------------------------------------------------------ unsound creatures

TEST(CreatureToml, UnknownKeysAreErrorsWithASuggestion) {
  EXPECT_EQ(error_of("abuot = \"x\"\n" + body), "x.toml:1: unknown key 'abuot'; did you mean 'about'?");
  EXPECT_EQ(error_of(body + "densty = 5"),
            "x.toml:5: link 'body': unknown key 'densty'; did you mean 'density'?");
}

TEST(CreatureToml, DegreesInAFileOfRadiansAreAWarning) {
  const auto warnings = [](const std::string& head) {
    return parse_creature_toml(head + with_arm("", "joint = { hinge = \"y\", range = [-40, 40] }"), "x.toml")
        .warnings;
  };
  ASSERT_EQ(warnings("").size(), 1u);
  EXPECT_NE(
      warnings("")[0].find("joint 'arm': its range is 80 rad wide; if degrees are meant, add angles = "),
      std::string::npos);
  EXPECT_TRUE(warnings("angles = \"deg\"\n").empty());
}

TEST(CreatureToml, AScenarioIsNotACreature) {
  EXPECT_EQ(
      error_of("verb = \"drop\"\ncreature = \"box\""),
      "x.toml:1: a scenario or a study, where a creature is needed; legwork run or legwork study runs it");
}

TEST(CreatureToml, TwoLinksOfOneNameAreAnError) {
  EXPECT_EQ(error_of(body + body),
            "x.toml:6: link 'body': there are two links of this name, the first in line 2; rename one");
}

TEST(CreatureToml, ParentsMustExist) {
  EXPECT_EQ(error_of(body + "[[link]]\nname = \"arm\"\nparent = \"bdoy\"\n"),
            "x.toml:7: link 'arm': there is no link 'bdoy' to be its parent; did you mean 'body'?");
}

TEST(CreatureToml, ACircleOfParentsIsShown) {
  EXPECT_EQ(
      error_of(body + R"([[link]]
name = "tail"
parent = "a"
[[link]]
name = "a"
parent = "c"
[[link]]
name = "b"
parent = "a"
[[link]]
name = "c"
parent = "b"
)"),
      "x.toml:8: link 'a': its parents go in a circle: a -> c -> b -> a; one of them must have no parent");
  EXPECT_EQ(error_of("[[link]]\nname = \"a\"\nparent = \"a\"\n"),
            "x.toml:1: link 'a': its parents go in a circle: a -> a; one of them must have no parent");
}

TEST(CreatureToml, ANegativeMassIsAnError) {
  EXPECT_EQ(error_of(body + "mass = -2"),
            "x.toml:5: link 'body': mass -2 is negative; a mass is 0 kg or more");
}

TEST(CreatureToml, NotANumberIsAnError) {
  EXPECT_EQ(error_of(body + "mass = nan"), "x.toml:5: link 'body': 'mass' is nan; a number is needed");
  EXPECT_EQ(shape_error("{ box = [1, nan, 1] }"),
            "x.toml:3: link 'body': an entry of 'box' is nan; a number is needed");
  EXPECT_EQ(error_of(body + "at = { pos = [0, inf, 0] }"),
            "x.toml:5: link 'body': an entry of 'pos' is infinite; a finite number is needed");
}

TEST(CreatureToml, NoLinksNoCreature) {
  EXPECT_EQ(error_of("name = \"x\""), "x.toml: holds no links; a creature needs at least one [[link]]");
  EXPECT_EQ(error_of(""), "x.toml: holds no links; a creature needs at least one [[link]]");
}

// What check() finds carries the line of the link.
TEST(CreatureToml, UnsoundBodiesAreNamedWithTheirLine) {
  const auto starts = [](const std::string& text, const std::string& beginning) {
    EXPECT_EQ(text.substr(0, beginning.size()), beginning) << text;
  };
  starts(error_of(body + "[[link]]\nname = \"arm\"\nparent = \"body\"\njoint = { hinge = \"y\" }\n"),
         "x.toml:5: link 'arm': ");
  starts(error_of(body + "mass = 1\ncom = [0, 0, 0]\ninertia = [1, 1, 3]"), "x.toml:2: link 'body': ");
}

// ------------------------------------------------------------------ roles

TEST(CreatureToml, LegsSayTheirSideAndGirdleByTheirNames) {
  const auto leg = [](const std::string& lines) {
    return read(with_arm("[[leg]]\n" + lines + "\nhip = \"arm\"\nfoot = \"arm\"\n")).legs.at(0);
  };
  EXPECT_EQ(leg("name = \"lf\"").side, Side::left);
  EXPECT_EQ(leg("name = \"lf\"").girdle, "fore");
  EXPECT_EQ(leg("name = \"rm\"").side, Side::right);
  EXPECT_EQ(leg("name = \"rm\"").girdle, "mid");
  EXPECT_EQ(leg("name = \"lh\"").girdle, "hind");
  EXPECT_EQ(leg("name = \"left_hind\"").girdle, "hind");
  EXPECT_EQ(leg("name = \"r\"").side, Side::right);
  EXPECT_EQ(leg("name = \"r\"").girdle, "");
  EXPECT_EQ(leg("name = \"lever\"").side, Side::none);
  EXPECT_EQ(leg("name = \"rf\"\nside = \"left\"\ngirdle = \"third\"").side, Side::left);
  EXPECT_EQ(leg("name = \"rf\"\nside = \"left\"\ngirdle = \"third\"").girdle, "third");
  expect_near(leg("name = \"rf\"\nsole = [0, 0, -0.1]").sole, {0, 0, -0.1});
}

TEST(CreatureToml, RolesNameLinksThatExist) {
  EXPECT_EQ(error_of(with_arm("[[leg]]\nname = \"rf\"\nhip = \"amr\"\nfoot = \"arm\"\n")),
            "x.toml:12: leg 'rf': there is no link 'amr'; did you mean 'arm'?");
  EXPECT_EQ(error_of(with_arm("[[leg]]\nname = \"rf\"\nhip = \"arm\"\n")),
            "x.toml:10: leg 'rf': has no 'foot'; add foot = \"a link's name\"");
  EXPECT_EQ(error_of(with_arm("[[leg]]\nname = \"rf\"\nhip = \"arm\"\nfoot = \"body\"\n")),
            "x.toml:13: leg 'rf': foot 'body' does not hang below hip 'arm'; are they swapped?");
  EXPECT_EQ(error_of(with_arm("[[leg]]\nhip = \"arm\"\n")),
            "x.toml:10: leg: has no 'name'; add name = \"...\"");
  EXPECT_EQ(
      error_of(with_arm("[[label]]\nname = \"a\"\nlink = \"arm\"\n[[label]]\nname = \"a\"\nlink = \"body\"")),
      "x.toml:13: label 'a': there are two of this name, the first in line 10");
  EXPECT_EQ(error_of(with_arm("[[sensor]]\nangle = \"amr\"")),
            "x.toml:11: sensor 'amr_angle': there is no degree of freedom 'amr'; did you mean 'arm'?");
}

TEST(CreatureToml, SensorsAndActuatorsOfEveryKind) {
  const Creature c = read("angles = \"deg\"" + with_arm(R"(
[[sensor]]
touch = "arm"
pos = [0, 0, 1]
[[sensor]]
name = "bent"
angle = "arm"
below = -90
[[sensor]]
name = "apart"
length = ["arm", "body"]
other_pos = [0, 1, 0]
above = 0.5
[[sensor]]
eye = "body"
cone = 45
[[actuator]]
angular = "arm"
ks = 2
kd = 0.1
range = [-90, 90]
strength = 5
[[actuator]]
name = "pull"
linear = ["arm", "world"]
pos = [0, 0, 1]
[[actuator]]
motor = "arm"
gear = 3
)"));
  ASSERT_EQ(c.sensors.size(), 4u);
  EXPECT_EQ(c.sensors[0].name, "arm_touch");
  EXPECT_EQ(c.sensors[0].link, 1);
  EXPECT_EQ(c.sensors[1].dof, 6);
  EXPECT_NEAR(c.sensors[1].upper, -pi / 2, 1e-15);
  EXPECT_EQ(c.sensors[1].lower, -unlimited);
  EXPECT_EQ(c.sensors[2].other, 0);
  EXPECT_EQ(c.sensors[2].lower, 0.5);
  EXPECT_EQ(c.sensors[2].upper, unlimited);
  EXPECT_NEAR(c.sensors[3].lower, -pi / 4, 1e-15);
  EXPECT_NEAR(c.sensors[3].upper, pi / 4, 1e-15);
  ASSERT_EQ(c.actuators.size(), 3u);
  EXPECT_NEAR(c.actuators[0].upper, pi / 2, 1e-15);
  EXPECT_EQ(c.actuators[0].strength, 5);
  EXPECT_EQ(c.actuators[1].type, ActuatorType::linear);
  EXPECT_EQ(c.actuators[1].other, -1);
  EXPECT_EQ(c.actuators[2].type, ActuatorType::motor);
  EXPECT_EQ(c.actuators[2].gear, 3);
  EXPECT_EQ(
      error_of(with_arm("[[sensor]]\nname = \"s\"\nlink = \"arm\"")),
      "x.toml:12: sensor 's': unknown key 'link'; one of: touch, angle, length, eye, terrain, name, pos, "
      "other_pos, range, above, below, cone, ...");
  EXPECT_EQ(error_of(with_arm("[[sensor]]\nname = \"s\"\ntouch = \"arm\"\nabove = 1")),
            "x.toml:13: sensor 's': 'above' means nothing here; leave it out");
  EXPECT_EQ(error_of(with_arm("[[actuator]]\nname = \"a\"\nks = 1")),
            "x.toml:10: actuator 'a': the actuator has no kind; one of: angular, linear, motor");
}

TEST(CreatureToml, ABodySaysWhereItLivesAndWhatASearchShouldKnow) {
  const std::string text = R"(
[world]
water = "viscous:50"
contact = "linear:friction=0.2,friction_back=0.9"
[discover]
hidden = 7
cycle = 0.4
seconds = 30
metric = "pursuit"
)";
  const Creature c = read(text + body);
  EXPECT_EQ(c.habitat.water, "viscous:50");
  EXPECT_EQ(c.habitat.contact, "linear:friction=0.2,friction_back=0.9");
  EXPECT_EQ(c.discovery.hidden, 7);
  EXPECT_EQ(c.discovery.cycle, 0.4);
  EXPECT_EQ(c.discovery.seconds, 30);
  EXPECT_EQ(c.discovery.metric, "pursuit");
  const Creature again = read(write_creature_toml(c));
  EXPECT_EQ(again.habitat.water, c.habitat.water);
  EXPECT_EQ(again.habitat.contact, c.habitat.contact);
  EXPECT_EQ(again.discovery.hidden, 7);
  EXPECT_EQ(again.discovery.seconds, 30);
  EXPECT_NE(error_of("[world]\nwater = \"molasses\"\n" + body).find("x.toml:2: world: medium 'molasses'"),
            std::string::npos);
  EXPECT_NE(error_of("[discover]\nhidden = 2.5\n" + body).find("x.toml:2: discover: 'hidden' must be"),
            std::string::npos);
  EXPECT_NE(error_of("[discover]\ncycle = -1\n" + body).find("cycle -1 is negative"), std::string::npos);
}

TEST(CreatureToml, TheTrunkIsAListOrAChain) {
  const std::string three =
      with_arm("[[link]]\nname = \"hand\"\nparent = \"arm\"\nshape = { sphere = 0.1 }\n");
  EXPECT_EQ(read("trunk = [\"arm\", \"body\"]" + three).trunk, (std::vector<int>{1, 0}));
  EXPECT_EQ(read("trunk = { from = \"hand\", to = \"body\" }" + three).trunk, (std::vector<int>{2, 1, 0}));
  EXPECT_EQ(read("trunk = { from = \"body\", to = \"hand\" }" + three).trunk, (std::vector<int>{0, 1, 2}));
}

TEST(CreatureToml, ALoopWithoutItsOtherPointMeetsInTheReferencePose) {
  const Creature c = read("angles = \"deg\"" + with_arm(R"(
at = { pos = [1, 0, 0], rot = [0, 0, 90] }
[[loop]]
link = "arm"
pos = [1, 0, 0]
other = "body"
frame = true
[[loop]]
name = "pin"
link = "arm"
[[attachment]]
link = "arm"
other = "body"
other_pos = [0, 0, 5]
stiffness = 3
break_length = 2
)"));
  expect_near(c.loops[0].other_pos, {1, 1, 0});
  EXPECT_NEAR(c.loops[0].other_rot.z, std::sqrt(0.5), 1e-15);
  EXPECT_EQ(c.loops[0].name, "loop_1");
  EXPECT_EQ(c.loops[1].other, -1);
  expect_near(c.loops[1].other_pos, {1, 0, 0});
  EXPECT_EQ(c.attachments[0].break_length, 2);
  expect_near(c.attachments[0].other_pos, {0, 0, 5});
}

TEST(CreatureToml, PosesNameJointsOrDegreesOfFreedom) {
  const Creature c = read("angles = \"deg\"" + body + R"(
[[link]]
name = "a"
parent = "body"
joint = { universal = ["y", "x"] }
shape = { sphere = 0.1 }
[[link]]
name = "b"
parent = "a"
joint = { ball = true }
shape = { sphere = 0.1 }
[[pose]]
name = "stand"
root = { pos = [0, 0, 2], rot = [0, 0, 180] }
joints = { a = [90, 180], b = [0, 90, 0] }
[[pose]]
name = "bent"
joints = { a.2 = 90 }
)");
  const auto q = c.pose("stand");
  ASSERT_EQ(q.size(), 13u);
  EXPECT_EQ(q[2], 2);
  EXPECT_NEAR(q[6], 1, 1e-15);
  EXPECT_NEAR(q[7], pi / 2, 1e-15);
  EXPECT_NEAR(q[8], pi, 1e-15);
  EXPECT_NEAR(q[9], std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(q[11], std::sqrt(0.5), 1e-15);
  EXPECT_EQ(c.pose("bent")[7], 0);
  EXPECT_NEAR(c.pose("bent")[8], pi / 2, 1e-15);
  EXPECT_EQ(error_of(with_arm("[[pose]]\nname = \"p\"\njoints = { amr = 1 }")),
            "x.toml:12: pose 'p': there is no joint or degree of freedom 'amr'; did you mean 'arm'?");
  EXPECT_EQ(error_of(with_arm("[[pose]]\nname = \"p\"\njoints = { arm = [1, 2] }")),
            "x.toml:12: pose 'p': 'arm' must be a number, not an array of 2 values");
}

// ------------------------------------------------------------------ mirror and scale

TEST(CreatureToml, MirrorMakesTheLeftSideFromTheRight) {
  const Creature c = read(R"(
angles = "deg"
mirror = true
[[link]]
name = "body"
shape = { box = [0.3, 0.2, 0.1] }
[[link]]
name = "rf_leg"
parent = "body"
at = { pos = [0.1, -0.2, 0], rot = [0, 0, -90] }
joint = { hinge = [0, 0, 1], range = [-10, 50] }
shape = { capsule = 0.01, to = [0.2, 0, 0] }
[[leg]]
name = "rf"
hip = "rf_leg"
foot = "rf_leg"
[[pose]]
name = "stand"
joints = { rf_leg = 30 }
[[pose]]
name = "lopsided"
joints = { rf_leg = 30, lf_leg = 0 }
)");
  ASSERT_GE(c.link("lf_leg"), 0);
  const Link& left = c.links[c.link("lf_leg")];
  expect_near(left.pos, {0.1, 0.2, 0});
  expect_near(matrix(left.rot) * Vec3d{1, 0, 0}, {0, 1, 0});
  ASSERT_EQ(c.legs.size(), 2u);
  const Leg& leg = c.legs[0].name == "lf" ? c.legs[0] : c.legs[1];
  EXPECT_EQ(leg.name, "lf");
  EXPECT_EQ(leg.side, Side::left);
  EXPECT_EQ(leg.girdle, "fore");
  // coordinates of the two sides are mirror images when they are equal
  const auto at = [&](const char* pose, const char* dof) { return c.pose(pose)[c.dof(dof) + 1]; };
  EXPECT_EQ(at("stand", "rf_leg"), at("stand", "lf_leg"));
  EXPECT_NEAR(at("stand", "lf_leg"), pi / 6, 1e-15);
  EXPECT_EQ(at("lopsided", "lf_leg"), 0);
}

TEST(CreatureToml, ScaleGrowsMassWithTheCubeAndTurnsSingleLinksAlone) {
  const double m = read(with_arm("")).mass();
  EXPECT_NEAR(read("scale = 2" + with_arm("")).mass(), 8 * m, 1e-9);
  const Creature c = read(with_arm("at = [1, 0, 0]\n[scale]\narm = 2"));
  EXPECT_NEAR(c.links[1].mass, 8 * read(with_arm("")).links[1].mass, 1e-9);
  EXPECT_EQ(error_of("scale = 0" + with_arm("")), "x.toml:1: 'scale' must be above 0, not 0");
  EXPECT_EQ(error_of(with_arm("[scale]\namr = 2")),
            "x.toml:11: scale: there is no link 'amr'; did you mean 'arm'?");
}

// ------------------------------------------------------------------ bases

class CreatureFiles : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return scratch_ / name; }
  std::string write(const std::string& name, const std::string& text) const {
    return scratch_.write(name, text);
  }
  static std::string error_of(const std::string& path) {
    return legwork::error_of([&] { read_creature_toml(path); });
  }

 private:
  const Scratch scratch_;
};

TEST_F(CreatureFiles, AFileMayBuildOnAnother) {
  write("base.toml", "angles = \"deg\"\nname = \"base\"\n" +
                         with_arm(R"(
[[pose]]
name = "stand"
joints = { arm = 45 }
[[sensor]]
name = "s"
angle = "arm"
above = 10
[[label]]
name = "tip"
link = "arm"
)",
                                  "joint = { hinge = \"y\", range = [-90, 90], damper = 1 }"));
  const Creature c = read_creature_toml(write("top.toml", R"(
base = "base.toml"
name = "top"
[[link]]
name = "arm"
joint = { damper = 2, spring = { stiffness = 3, rest = 0.5 } }
color = [1, 0, 0]
[[link]]
name = "hand"
parent = "arm"
at = [0, 0, 0.1]
joint = { slide = "z" }
shape = { sphere = 0.02 }
[[link]]
name = "body"
density = 2000
[[label]]
name = "tip"
link = "hand"
[[pose]]
name = "reach"
joints = { hand = 0.2 }
)"));
  EXPECT_EQ(c.name, "top");
  ASSERT_EQ(c.links.size(), 3u);
  const Dof& d = c.links[1].joints[0].dofs[0];
  EXPECT_EQ(d.damper, 2);
  EXPECT_NEAR(d.upper, pi / 2, 1e-15);  // the base's own, in its degrees
  EXPECT_EQ(d.spring.rest, 0.5);        // this file's, in radians
  EXPECT_EQ(c.links[1].shapes[0].color[0], 1);
  EXPECT_NEAR(c.links[0].mass, 12, 1e-9);
  EXPECT_EQ(c.labels.size(), 1u);
  EXPECT_EQ(c.labels[0].link, 2);
  EXPECT_EQ(c.poses.size(), 2u);
  EXPECT_NEAR(c.pose("stand")[7], pi / 4, 1e-15);
  EXPECT_EQ(c.pose("stand")[8], 0);
  EXPECT_EQ(c.pose("reach")[8], 0.2);
}

TEST_F(CreatureFiles, WhatTheBaseNamesFollowsWhenItsJointsChange) {
  write("base.toml", body + R"(
[[link]]
name = "a"
parent = "body"
joint = { hinge = "y" }
shape = { sphere = 0.1 }
[[link]]
name = "b"
parent = "a"
joint = { hinge = "y" }
shape = { sphere = 0.1 }
[[sensor]]
name = "s"
angle = "b"
[[pose]]
name = "p"
joints = { b = 0.5 }
)");
  const Creature c = read_creature_toml(
      write("top.toml", "base = \"base.toml\"\n[[link]]\nname = \"a\"\njoint = { ball = true }\n"));
  EXPECT_EQ(c.nv(), 10);
  EXPECT_EQ(c.sensors[0].dof, 9);
  EXPECT_EQ(c.pose("p").back(), 0.5);
  EXPECT_EQ(
      error_of(write("gone.toml", "base = \"base.toml\"\n[[link]]\nname = \"b\"\njoint = { ball = true }\n")),
      path("gone.toml") + ": sensor 's': needs degree of freedom 'b', which this file changed");
}

TEST_F(CreatureFiles, AnMjcfBodyGetsItsLegsFromAShortFile) {
  write("ant.xml", R"(<mujoco model="ant">
 <worldbody>
  <body name="torso" pos="0 0 0.5">
   <freejoint/>
   <geom type="sphere" size="0.2"/>
   <body name="hip" pos="0.2 0.2 0">
    <joint name="hip" type="hinge" axis="0 0 1" range="-30 30"/>
    <geom type="capsule" fromto="0 0 0 0.2 0.2 0" size="0.05"/>
    <body name="shin" pos="0.2 0.2 0">
     <joint name="ankle" type="hinge" axis="-1 1 0" range="30 100"/>
     <geom type="capsule" fromto="0 0 0 0.3 0.3 0" size="0.05"/>
    </body>
   </body>
  </body>
 </worldbody>
</mujoco>)");
  const Creature ant = load_creature(path("ant.xml"));
  const Creature c = read_creature_toml(
      write("walker.toml", "base = \"ant.xml\"\n[[leg]]\nname = \"lf\"\nhip = \"hip\"\nfoot = \"shin\"\n"));
  ASSERT_EQ(c.legs.size(), 1u);
  EXPECT_EQ(c.links[c.legs[0].foot].name, "shin");
  EXPECT_EQ(c.legs[0].side, Side::left);
  EXPECT_EQ(c.nv(), 8);
  EXPECT_EQ(c.mass(), ant.mass());
}

TEST_F(CreatureFiles, AShippedNameIsABaseToo) {
  const Creature c = read_creature_toml(write("top.toml", "base = \"box\"\nscale = 2\n"));
  EXPECT_NEAR(c.mass(), 8 * load_creature("box").mass(), 1e-9);
}

TEST_F(CreatureFiles, BadBasesAreNamed) {
  EXPECT_EQ(error_of(write("a.toml", "name = \"a\"\nbase = \"none.toml\"\n")),
            path("a.toml") + ":2: base 'none.toml': " + path("none.toml") +
                ": there is no such file; check the path");
  EXPECT_NE(error_of(write("a.toml", "base = \"hexapd\"\n"))
                .find("there is no creature 'hexapd'; did you mean 'hexapod'?"),
            std::string::npos);
  write("a.toml", "base = \"b.toml\"\n");
  write("b.toml", "base = \"a.toml\"\n");
  EXPECT_EQ(
      error_of(path("a.toml")),
      path("a.toml") + ":1: base 'b.toml': " + path("b.toml") +
          ":1: base 'a.toml': bases go in a circle: it is built on this file itself; one of them must have "
          "another base");
}

TEST_F(CreatureFiles, AMeshIsSoughtBesideItsFile) {
  write("tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const Creature c = read_creature_toml(write(
      "a.toml", "[[link]]\nname = \"body\"\nshape = { mesh = \"tetra.obj\", scale = 2 }\ndensity = 600\n"));
  EXPECT_NEAR(c.mass(), 600 * 8.0 / 6, 1e-9);
  EXPECT_EQ(c.links[0].shapes[0].mesh.file, "tetra.obj");
  EXPECT_NE(error_of(write("b.toml", "[[link]]\nname = \"body\"\nshape = { mesh = \"none.obj\" }\n"))
                .find(path("b.toml") + ":3: link 'body': " + path("none.obj")),
            std::string::npos);
}

TEST(CreatureToml, SensorsOfOneKindOnOneLinkNeedNoNames) {
  const Creature c = parse_creature_toml(R"(name = "x"
[[link]]
name = "head"
shape = { sphere = 0.1 }
[[sensor]]
eye = "head"
range = [-1, 0]
[[sensor]]
eye = "head"
range = [0, 1]
[[sensor]]
eye = "head"
)",
                                         "x.toml");
  ASSERT_EQ(c.sensors.size(), 3u);
  EXPECT_EQ(c.sensors[0].name, "head_eye");
  EXPECT_EQ(c.sensors[1].name, "head_eye_2");
  EXPECT_EQ(c.sensors[2].name, "head_eye_3");
}

}  // namespace
}  // namespace legwork
