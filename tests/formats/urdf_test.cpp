#include "formats/urdf/urdf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "creature/check.h"
#include "creature/complete.h"
#include "creature/shape.h"
#include "formats/mjcf/mjcf.h"
#include "tests/scenes/error_of.h"
#include "tests/scenes/scratch.h"

namespace legwork {
namespace {

const std::string arm = std::string(LEGWORK_SOURCE_DIR) + "/tests/data/urdf/arm.urdf";

std::string link(const std::string& name, double mass = 1) {
  return "<link name='" + name + "'><inertial><mass value='" + std::to_string(mass) +
         "'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>";
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& inside = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" +
         child + "'/>" + inside + "</joint>";
}
Creature robot(const std::string& inside, UrdfBase base = UrdfBase::automatic) {
  return parse_urdf("<robot name='r'>" + inside + "</robot>", "r.urdf", base);
}
std::string fault(Creature c) {
  return error_of([&] { complete(c), check(c); });
}
std::string error(const std::string& inside) {
  return error_of([&] { robot(inside); });
}

TEST(Urdf, LinksComeDepthFirstInTheOrderOfTheirJoints) {
  const Creature c = read_urdf(arm);
  std::vector<std::string> names;
  for (const Link& l : c.links) names.push_back(l.name);
  EXPECT_EQ(names, (std::vector<std::string>{"base", "column", "boom", "hand", "flag"}));
  EXPECT_EQ(c.name, "arm");
  EXPECT_EQ(c.nq(), 7 + 3);
  EXPECT_EQ(c.nv(), 6 + 3);
  EXPECT_EQ(c.links[4].parent, 1);
  EXPECT_EQ(c.links[4].joints.size(), 0u);
  EXPECT_DOUBLE_EQ(c.mass(), 7.6);
}

TEST(Urdf, JointsKeepAxesLimitsDampingAndEffort) {
  const Creature c = read_urdf(arm);
  const Joint& turn = c.links[1].joints[0];
  EXPECT_EQ(turn.type, JointType::hinge);
  EXPECT_EQ(turn.dofs[0].lower, -unlimited);
  EXPECT_EQ(turn.dofs[0].damper, 0.4);
  const Joint& reach = c.links[2].joints[0];
  EXPECT_EQ(reach.type, JointType::slide);
  EXPECT_EQ(reach.axes[0], (Vec3d{1, 0, 0}));
  EXPECT_EQ(reach.dofs[0].lower, -0.1);
  EXPECT_EQ(reach.dofs[0].upper, 0.3);
  EXPECT_EQ(c.links[3].joints[0].axes[0], (Vec3d{1, 0, 0}));  // the default
  ASSERT_EQ(c.actuators.size(), 2u);
  EXPECT_EQ(c.actuators[0].name, "reach");
  EXPECT_EQ(c.actuators[0].dof, c.dof("reach"));
  EXPECT_EQ(c.actuators[0].strength, 80);
  EXPECT_EQ(c.actuators[1].dof, c.dof("wrist"));
}

TEST(Urdf, RollPitchYawTurnAboutFixedAxes) {
  // roll a quarter, then yaw a quarter: y goes to z and stays; z goes to -y and then to x
  const Creature c =
      robot(link("a") + link("b") +
            joint("j", "fixed", "a", "b", "<origin rpy='1.5707963267948966 0 1.5707963267948966'/>"));
  const Mat3d R = matrix(c.links[1].rot);
  EXPECT_LT(norm(R.column(1) - Vec3d{0, 0, 1}), 1e-15);
  EXPECT_LT(norm(R.column(2) - Vec3d{1, 0, 0}), 1e-15);
}

TEST(Urdf, TheBaseIsFreeUnlessItIsTheWorldOrHasNoMass) {
  EXPECT_EQ(robot(link("a")).nv(), 6);
  EXPECT_EQ(robot(link("a"), UrdfBase::fixed).nv(), 0);
  EXPECT_EQ(robot("<link name='world'/>" + link("a") + joint("j", "continuous", "world", "a")).nv(), 1);
  EXPECT_EQ(robot("<link name='a'/>" + link("b") + joint("j", "continuous", "a", "b")).nv(), 1);
  // a bare root with its mass in a link fixed to it, as ROS likes it
  EXPECT_EQ(robot("<link name='a'/>" + link("b") + joint("j", "fixed", "a", "b")).nv(), 6);
  EXPECT_EQ(robot("<link name='a'/>" + link("b") + joint("j", "continuous", "a", "b"), UrdfBase::free).nv(),
            7);
}

TEST(Urdf, TheWorldNeedsNoInertia) {
  const Creature c = robot(link("world", 0) + link("a") + joint("j", "continuous", "world", "a"));
  EXPECT_EQ(fault(c), "");
  EXPECT_EQ(c.warnings,
            (std::vector<std::string>{"r.urdf: has no meaning here and was left out: inertia of a root "
                                      "that stands still"}));
}

TEST(Urdf, FloatingAndPlanarJoints) {
  const Creature floating = robot("<link name='world'/>" + link("a") + joint("j", "floating", "world", "a"));
  EXPECT_EQ(floating.nq(), 7);
  EXPECT_EQ(floating.links[1].parent, -1);
  const Creature planar =
      robot("<link name='world'/>" + link("a") + joint("j", "planar", "world", "a", "<axis xyz='0 0 1'/>"));
  EXPECT_EQ(planar.nv(), 3);
  const Joint& j = planar.links[1].joints[0];
  EXPECT_LT(norm(cross(j.axes[0], j.axes[1]) - Vec3d{0, 0, 1}), 1e-15);
  EXPECT_EQ(planar.dof("j.3"), 2);
}

TEST(Urdf, CollisionGeometryTouchesVisualGeometryIsDrawn) {
  const Creature c = read_urdf(arm);
  ASSERT_EQ(c.links[0].shapes.size(), 1u);
  EXPECT_TRUE(c.links[0].shapes[0].touches);
  EXPECT_EQ(c.links[0].shapes[0].size, (Vec3d{0.1, 0.1, 0}));
  ASSERT_EQ(c.links[1].shapes.size(), 1u);
  EXPECT_FALSE(c.links[1].shapes[0].touches);
  EXPECT_EQ(c.links[1].shapes[0].size, (Vec3d{0.06, 0.06, 0.4}));
  EXPECT_EQ(c.links[1].shapes[0].color, (std::array<double, 3>{0.6, 0.6, 0.7}));
  EXPECT_EQ(c.warnings,
            (std::vector<std::string>{arm + ": has no meaning here and was left out: gazebo, limit "
                                            "velocity (2), transmission, visual beside collision"}));
}

TEST(Urdf, MeshesAreFoundInTheirPackage) {
  namespace fs = std::filesystem;
  const Scratch scratch;
  fs::create_directories(scratch / "pet/urdf");
  fs::create_directories(scratch / "pet/meshes");
  fs::copy_file(std::string(LEGWORK_SOURCE_DIR) + "/tests/data/mjcf/meshes/wedge.obj",
                scratch / "pet/meshes/w.obj");
  std::ofstream(scratch / "pet/urdf/pet.urdf")
      << "<robot name='pet'><link name='a'>"
         "<collision><origin xyz='1 0 0' rpy='0 0 1.5707963267948966'/>"
         "<geometry><mesh filename='package://pet/meshes/w.obj' scale='2 2 "
         "-2'/></geometry></collision></link></robot>";
  const Creature c = read_urdf(scratch / "pet/urdf/pet.urdf");
  ASSERT_EQ(c.links[0].shapes.size(), 1u);
  const Shape& shape = c.links[0].shapes[0];
  ASSERT_EQ(shape.type, ShapeType::mesh);
  EXPECT_EQ(shape.mesh.file, "package://pet/meshes/w.obj");
  // the wedge of 0.5 x 0.25 x 0.25, doubled, upside down, turned a quarter and moved
  const Box box = bounding_box(shape);
  EXPECT_LT(norm(box.lower - Vec3d{0.5, 0, -0.5}), 1e-15);
  EXPECT_LT(norm(box.upper - Vec3d{1, 1, 0}), 1e-15);
  EXPECT_FALSE(mesh_fault(shape.mesh));  // still right side out
}

TEST(Urdf, AMeshThatIsOnlyDrawnMayBeMissing) {
  const Creature c =
      robot("<link name='a'><visual><geometry><mesh filename='no.dae'/></geometry></visual></link>");
  EXPECT_TRUE(c.links[0].shapes.empty());
  ASSERT_EQ(c.warnings.size(), 1u);
  EXPECT_EQ(c.warnings[0].rfind("r.urdf:1: mesh is only drawn and was left out: ", 0), 0u) << c.warnings[0];
}

TEST(Urdf, ManyMissingMeshesAreToldInOneLineEach) {
  std::string link =
      "<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";
  for (int i = 0; i < 3; ++i) link += "<collision><geometry><mesh filename='no.stl'/></geometry></collision>";
  link += "</link><link name='b'>";
  for (int i = 0; i < 5; ++i) link += "<visual><geometry><mesh filename='no.dae'/></geometry></visual>";
  link += "</link><joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>";
  const Creature c = robot(link);
  ASSERT_EQ(c.links[0].shapes.size(), 3u);
  for (const Shape& shape : c.links[0].shapes) EXPECT_EQ(shape.type, ShapeType::box);
  ASSERT_EQ(c.warnings.size(), 4u);
  EXPECT_EQ(c.warnings[0].rfind("r.urdf:1: mesh is only drawn and was left out: ", 0), 0u) << c.warnings[0];
  EXPECT_EQ(c.warnings[1].rfind("r.urdf:1: mesh of link 'a' touches as the box of the link's inertia: ", 0),
            0u)
      << c.warnings[1];
  EXPECT_EQ(c.warnings[2],
            "r.urdf: 5 meshes in all are only drawn and were left out; the first is named above");
  EXPECT_EQ(c.warnings[3], "r.urdf: 3 meshes in all touch as boxes; the first is named above");
}

TEST(Urdf, AFileNamedXmlMayBeUrdf) {
  const Scratch scratch;
  std::filesystem::copy_file(arm, scratch / "arm.xml");
  EXPECT_EQ(read_mjcf(scratch / "arm.xml").nv(), 9);
}

std::string mimic(const std::string& other) { return "<mimic joint='" + other + "'/>"; }

TEST(Urdf, AMimicMayFollowAMimicButNotInACircle) {
  const std::string links = link("a") + link("b") + link("c") + link("d");
  const Creature chain =
      robot(links + joint("j", "continuous", "a", "b") + joint("k", "continuous", "b", "c", mimic("j")) +
            joint("l", "continuous", "c", "d", mimic("k")));
  ASSERT_EQ(chain.couplings.size(), 2u);
  EXPECT_EQ(chain.couplings[1].drivers[0].dof, chain.dof("k"));
  EXPECT_EQ(fault(chain), "");
  EXPECT_EQ(fault(robot(links + joint("j", "continuous", "a", "b", mimic("l")) +
                        joint("k", "continuous", "b", "c", mimic("j")) +
                        joint("l", "continuous", "c", "d", mimic("k")))),
            "r.urdf:1: coupling 'j': joint 'j' drives itself in a circle; take one of the couplings out");
}

TEST(Urdf, JointsThatMoveNoWeightAreFixedAndToldInOneLine) {
  // a hand with two weightless fingers, one of which a third joint mimics
  const std::string finger =
      "<inertial><mass value='0'/><inertia ixx='0' iyy='0' izz='0' ixy='0' ixz='0' iyz='0'/></inertial>";
  const Creature c = robot(
      link("palm") + link("arm") + "<link name='f1'>" + finger + "</link><link name='f2'/>" +
      joint("wrist", "continuous", "palm", "arm", mimic("bend")) + joint("bend", "continuous", "palm", "f1") +
      joint("tip", "continuous", "f1", "f2", mimic("bend")));
  EXPECT_EQ(c.nv(), 7);  // the palm is free, the wrist turns
  EXPECT_TRUE(c.links[std::size_t(c.link("f1"))].joints.empty());
  ASSERT_EQ(c.couplings.size(), 1u);
  EXPECT_TRUE(c.couplings[0].drivers.empty());  // what it follows stands still
  ASSERT_EQ(c.warnings.size(), 1u);
  EXPECT_EQ(
      c.warnings[0],
      "r.urdf: joints that would move nothing of any weight (2) are fixed; give their links a mass to move "
      "them");
  EXPECT_EQ(fault(c), "");
}

TEST(Urdf, AnInertiaThatNoSolidHasIsTakenUnlessATurnWouldHaveNegativeEnergy) {
  const auto with = [](const std::string& inertia) {
    return robot(link("a") + "<link name='b'><inertial><origin xyz='0 0 0.1'/><mass value='1'/><inertia " +
                 inertia + "/></inertial></link>" + joint("j", "continuous", "a", "b"));
  };
  // all six the same: turns about one axis only
  const Creature c = with("ixx='1e-6' iyy='1e-6' izz='1e-6' ixy='1e-6' ixz='1e-6' iyz='1e-6'");
  EXPECT_TRUE(c.links[1].odd_inertia);
  EXPECT_EQ(fault(c), "");
  // a point, but for the rounding of the program that wrote it
  EXPECT_EQ(fault(with("ixx='-5e-20' iyy='-5e-20' izz='0' ixy='0' ixz='0' iyz='0'")), "");
  EXPECT_EQ(
      fault(with("ixx='-0.1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'")),
      "r.urdf:1: link 'b': inertia is not positive: its principal moments are [-0.1, 1, 1] kg m^2; check "
      "the signs");
}

TEST(Urdf, WhatBulletTakesAlthoughItIsWrongIsToldInOneLine) {
  const Creature c = robot(
      link("a") + link("b") + link("c") +
      joint("j", "prismatic", "a", "b", "<limit lower='1' upper='-1'/><origin rpy='0 0 0 1' xyz='1 2 3'/>") +
      joint("k", "revolute", "b", "c", "<limit lower='1.' upper='0.5.'/>"));
  for (const int b : {1, 2}) {
    const Dof& dof = c.links[std::size_t(b)].joints[0].dofs[0];
    EXPECT_EQ(dof.lower, -unlimited);
    EXPECT_EQ(dof.upper, unlimited);
  }
  EXPECT_EQ(c.links[1].rot.w, 1);
  EXPECT_EQ(c.links[1].pos, (Vec3d{1, 2, 3}));
  EXPECT_EQ(c.warnings, (std::vector<std::string>{
                            "r.urdf: read as Bullet does: limits upside down as none (2), numbers without a "
                            "second point at their end, vectors by their first three numbers"}));
}

TEST(Urdf, ErrorsSayWhereWhoWhatAndWhatToTry) {
  const struct {
    std::string text, error;
  } cases[] = {
      {"", "r.urdf:1: robot 'r': has no links"},
      {link("a") + link("a"), "r.urdf:1: link 'a': two links of this name; rename one"},
      {link("a") + link("b"),
       "r.urdf:1: link 'b': is a second root beside link 'a'; join them, by a fixed joint perhaps"},
      {link("a") + link("b") + joint("j", "fixed", "a", "b") + joint("k", "fixed", "b", "a"),
       "r.urdf:1: robot 'r': has no root link: the joints run in a circle"},
      {link("a") + link("b") + link("c") + joint("j", "fixed", "c", "b") + joint("k", "fixed", "b", "c"),
       "r.urdf:1: link 'b': is not joined to the root: the joints run in a circle"},
      {link("a") + link("b") + joint("j", "fixed", "a", "b") + joint("k", "fixed", "a", "b"),
       "r.urdf:1: joint 'k': link 'b' hangs on joint 'j' already; a tree has one parent each"},
      {link("arm") + joint("j", "fixed", "arn", "arm"),
       "r.urdf:1: joint 'j': unknown link 'arn'; did you mean 'arm'?"},
      {link("a") + link("b") + joint("j", "revolut", "a", "b"),
       "r.urdf:1: joint 'j': unknown type 'revolut'; did you mean 'revolute'?"},
      {link("a") + link("b") + joint("j", "revolute", "a", "b"),
       "r.urdf:1: joint 'j': has no <limit>; a revolute joint needs one (or make it continuous)"},
      {link("a") + link("b") + joint("j", "continuous", "a", "b", "<mimic joint='k'/>"),
       "r.urdf:1: joint 'j': mimics joint 'k', which does not exist; did you mean 'j'?"},
      {link("a") + link("b") + joint("j", "continuous", "a", "b", "<mimic joint='j'/>"),
       "r.urdf:1: joint 'j': mimics itself; name another joint"},
      {link("a") + link("b") + link("c") + joint("k", "planar", "a", "b") +
           joint("j", "continuous", "b", "c", "<mimic joint='k'/>"),
       "r.urdf:1: joint 'j': mimics joint 'k', which has no single position; name a hinge or a slide"},
      {link("a") + link("b") + joint("j", "continuous", "a", "b", "<dynamics friction='-0.1'/>"),
       "r.urdf:1: joint 'j': friction is negative"},
      {link("a") + link("b") + joint("j", "continuous", "a", "b", "<axis xyz='0 0 0'/>"),
       "r.urdf:1: joint 'j': axis [0, 0, 0] has no direction; try [1, 0, 0]"},
      {link("a") + link("b") + joint("j", "continuous", "a", "b", "<origin xyz='0 0 1.5.7'/>"),
       "r.urdf:1: origin: 'xyz' has '1.5.7' where a number should be"},
      {link("a") + link("b") + joint("j", "floating", "a", "b"),
       "r.urdf:1: joint 'j': a floating joint must hang on a root link named 'world'"},
      {link("a", -1), "r.urdf:1: link 'a': mass -1 is negative"},
      {"<link name='a'><collision><geometry><box size='1 1'/></geometry></collision></link>",
       "r.urdf:1: box: 'size' has 2 numbers; 3 are needed"},
      {"<link name='a'><collision><geometry><mesh "
       "filename='package://p/m.stl'/></geometry></collision></link>",
       "r.urdf:1: mesh: 'package://p/m.stl' is nowhere beside or above the file; put the package there"},
  };
  for (const auto& c : cases) EXPECT_EQ(error(c.text), c.error) << c.text;
  EXPECT_EQ(error_of([] { parse_urdf("<robo/>", "r.urdf"); }),
            "r.urdf:1: robo: a URDF file starts with <robot>, this one with <robo>");
}

}  // namespace
}  // namespace legwork
