#include "creature/complete.h"

#include <gtest/gtest.h>

#include "creature/assess.h"
#include "creature/check.h"
#include "creature/mirror.h"
#include "creature/shape.h"
#include "tests/creature/example_creatures.h"

namespace legwork {
namespace {

TEST(Complete, MassComesFromShapesUnlessGiven) {
  Creature c = half_strider();
  c.links[1].mass = 0.5;
  complete(c);
  EXPECT_NEAR(c.links[0].mass, 600 * 0.3 * 0.2 * 0.08, 1e-12);
  const MassProperties bone = mass_properties(c.links[1].shapes[0]);
  EXPECT_EQ(c.links[1].mass, 0.5);
  EXPECT_LT(norm(c.links[1].com - Vec3d(0, 0, -0.075)), 1e-15);
  EXPECT_NEAR(c.links[1].inertia.xx, bone.inertia.xx * 0.5 / bone.mass, 1e-15);
}

TEST(Complete, AGivenCentreOfMassAndInertiaStay) {
  Creature c = half_strider();
  c.links[1].mass = 0.5;
  c.links[1].com_given = true;
  c.links[2].mass = 0.25;
  c.links[2].com = {0.01, 0, 0};
  c.links[2].inertia = Sym3d::diagonal(1e-3, 1e-3, 1e-3);
  complete(c);
  EXPECT_EQ(c.links[1].com, Vec3d());
  EXPECT_EQ(c.links[2].com, Vec3d(0.01, 0, 0));
  EXPECT_EQ(c.links[2].inertia.xx, 1e-3);
}

TEST(Complete, ShapesWithoutMassDoNotWeigh) {
  Creature c = half_strider();
  c.links[0].shapes.push_back(c.links[0].shapes[0]);
  c.links[0].shapes[1].massive = false;
  complete(c);
  EXPECT_NEAR(c.links[0].mass, 600 * 0.3 * 0.2 * 0.08, 1e-12);
}

TEST(Complete, EveryDegreeOfFreedomGetsAName) {
  Creature c = half_strider();
  c.links[2].joints = {example_joint(JointType::universal, {{1, 0, 0}, {0, 1, 0}})};
  c.links[3].joints = {example_joint(JointType::ball)};
  c.links[4].joints = {example_joint(JointType::hinge, {{1, 0, 0}}),
                       example_joint(JointType::hinge, {{0, 1, 0}})};
  complete(c);
  std::vector<std::string> names;
  for (const Dof* d : c.dofs()) names.push_back(d->name);
  EXPECT_EQ(names, (std::vector<std::string>{"body.tx", "body.ty", "body.tz", "body.rx", "body.ry", "body.rz",
                                             "rf_thigh", "rf_shank.1", "rf_shank.2", "rh_thigh.x",
                                             "rh_thigh.y", "rh_thigh.z", "rh_shank.1", "rh_shank.2"}));
}

TEST(Complete, KeyframedPathsRangeFromKeyframeToKeyframe) {
  Creature c = half_strider();
  Joint& joint = c.links[1].joints[0];
  joint = example_joint(JointType::keyframed);
  joint.paths.resize(2);
  complete(c);
  EXPECT_EQ(c.links[1].joints[0].dofs[1].name, "rf_thigh.k2");
  EXPECT_EQ(c.links[1].joints[0].dofs[1].lower, -1);
  EXPECT_EQ(c.links[1].joints[0].dofs[1].upper, 1);
}

TEST(Complete, FeetGetSolesAndMarkedContactPoints) {
  Creature c = half_strider();
  complete(c);
  EXPECT_EQ(c.contacts.size(), 8u + 4 * 2);
  EXPECT_LT(norm(c.legs[0].sole - Vec3d(0, 0, -0.15 - 0.012)), 1e-15);
  int feet = 0;
  for (const ContactPoint& p : c.contacts) {
    EXPECT_EQ(p.foot, p.link == 2 || p.link == 4);
    feet += p.foot;
  }
  EXPECT_EQ(feet, 4);
  EXPECT_EQ(c.legs[0].side, Side::right);
}

TEST(Complete, AFlatFootsSoleIsTheMiddleOfItsUnderside) {
  Creature c = half_strider();
  Shape& sole = c.links[2].shapes[0];
  sole.type = ShapeType::box;
  sole.size = {0.1, 0.04, 0.02};
  sole.pos = {0.03, 0, -0.1};
  complete(c);
  EXPECT_LT(norm(c.legs[0].sole - Vec3d(0.03, 0, -0.11)), 1e-15);
}

TEST(Complete, AFootThatTouchesNowhereTouchesWithItsSole) {
  Creature c = half_strider();
  c.links[2].shapes[0].touches = false;
  c.legs[0].sole = {0, 0, -0.2};
  c.legs[0].sole_given = true;
  complete(c);
  EXPECT_EQ(c.contacts.back().name, "rf.sole");
  EXPECT_EQ(c.contacts.back().pos, Vec3d(0, 0, -0.2));
  EXPECT_TRUE(c.contacts.back().foot);
}

TEST(Complete, TwiceIsOnce) {
  Creature once = half_strider();
  complete(once);
  Creature twice = once;
  complete(twice);
  EXPECT_EQ(twice.contacts.size(), once.contacts.size());
  EXPECT_EQ(twice.poses.size(), once.poses.size());
  EXPECT_EQ(twice.links[1].joints[0].name, "rf_thigh");
  EXPECT_EQ(twice.mass(), once.mass());
  check(twice);
}

TEST(Complete, FixedPropsHaveNoContactPoints) {
  Creature c = half_strider();
  c.links[0].joints.clear();
  complete(c);
  for (const ContactPoint& p : c.contacts) EXPECT_NE(p.link, 0);
}

TEST(Complete, AnOpenMeshMustNotGiveAMass) {
  Creature c = half_strider();
  Shape& shape = c.links[0].shapes[0];
  shape.mesh = surface(shape);
  shape.mesh.triangles.pop_back();
  shape.type = ShapeType::mesh;
  try {
    complete(c);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(
        e.what(),
        "strider.toml:3: link 'body': its mesh is open (3 edges without a partner), so it encloses no "
        "volume; close it, or give the link's mass and inertia");
  }
  c.links[0].mass = 2;
  c.links[0].inertia = Sym3d::diagonal(0.02, 0.02, 0.03);
  complete(c);
  EXPECT_EQ(c.links[0].shapes[0].mesh.hull.size(), 6u);
}

TEST(Complete, AHullOfManyFacesIsThinned) {
  Creature c = half_strider();
  Shape ball;
  ball.type = ShapeType::sphere;
  ball.size = {0.1, 0, 0};
  Shape& shape = c.links[0].shapes[0];
  shape.mesh = surface(ball, 100);
  shape.type = ShapeType::mesh;
  complete(c);
  EXPECT_LE(shape.mesh.hull.size(), 256u);
  EXPECT_NEAR(distance(shape, {0.2, 0, 0}).distance, 0.1, 0.005);
}

TEST(Assess, TellsMassSizeAndFreedom) {
  Creature c = half_strider();
  mirror(c);
  complete(c);
  check(c);
  const Soundness s = assess(c);
  EXPECT_NEAR(s.mass, c.mass(), 0);
  EXPECT_LT(norm(s.size - Vec3d(0.3, 0.224, 0.352)), 1e-12);
  EXPECT_EQ(s.links, 9);
  EXPECT_EQ(s.joints, 9);
  EXPECT_EQ(s.nq, 15);
  EXPECT_EQ(s.nv, 14);
  EXPECT_EQ(s.legs, 4);
  EXPECT_NEAR(s.com.y, 0, 1e-15);
  EXPECT_TRUE(s.notes.empty());
}

TEST(Assess, NotesWhatIsMissing) {
  Creature c = half_strider();
  c.legs.clear();
  c.links[1].joints[0].dofs.resize(1);
  c.links[1].joints[0].dofs[0].lower = 0.1;
  c.links[1].joints[0].dofs[0].upper = 0.2;
  complete(c);
  EXPECT_EQ(assess(c).notes,
            (std::vector<std::string>{"no legs declared: gaits cannot be made or measured",
                                      "joint 'rf_thigh' stands at 0, outside its range [0.1, 0.2]"}));
}

}  // namespace
}  // namespace legwork
