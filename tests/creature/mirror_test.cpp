#include "creature/mirror.h"

#include <gtest/gtest.h>

#include "creature/check.h"
#include "creature/complete.h"
#include "creature/shape.h"
#include "dynamics/dynamics.h"
#include "tests/creature/example_creatures.h"
#include "tests/creature/example_shapes.h"
#include "tests/dynamics/random_creature.h"

namespace legwork {
namespace {

Vec3d image(const Vec3d& v) { return {v.x, -v.y, v.z}; }

// A body in the middle and two right links in a row, joined by one kind of joint each.
Creature right_arm(Random& random, JointType type) {
  Creature c;
  c.links.resize(3);
  for (int i = 0; i < 3; ++i) {
    Link& link = c.links[i];
    link = random_creature(random, 1, {type}).links[0];
    link.name = i == 0 ? "body" : i == 1 ? "r_arm" : "r_hand";
    link.joints = {random_joint(random, type, link.name)};
    link.parent = i - 1;
  }
  c.links[0].pos = {};
  c.links[0].rot = {};
  c.links[0].joints.clear();
  c.links[2].shapes = example_shapes();
  return c;
}

TEST(Mirror, TheTwinIsTheExactImageForEveryJointTypeAndAnyCoordinates) {
  for (const JointType type : moving_joint_types())
    for (int n = 0; n < 10; ++n) {
      SCOPED_TRACE(int(type));
      Random random(11 + int(type), n);
      Creature c = right_arm(random, type);
      c.poses = {{"any", random_positions(random, c)}};
      const std::vector<double> right = c.poses[0].q;
      mirror(c);
      ASSERT_EQ(c.links.size(), 5u);
      ASSERT_EQ(c.links[3].name, "l_arm");
      ASSERT_EQ(c.links[4].parent, 3);
      const std::vector<double> q = c.poses[0].q;
      ASSERT_EQ(q.size(), 2 * right.size());
      if (type != JointType::ball) {
        for (size_t i = 0; i < right.size(); ++i) EXPECT_EQ(q[right.size() + i], right[i]);
      }
      const Model<double> m = make_model(c);
      Workspace<double> w(m);
      update_positions(m, q.data(), w);
      for (int i = 1; i < 3; ++i) {
        EXPECT_LT(norm(w.p[i + 2] - image(w.p[i])), 1e-13);
        EXPECT_LT(norm(w.c[i + 2] - image(w.c[i])), 1e-13);
        const Vec3d probe(0.3, 0.5, -0.7);
        EXPECT_LT(norm(w.R[i + 2] * image(probe) - image(w.R[i] * probe)), 1e-13);
        EXPECT_NEAR(w.I[i + 2].xx, w.I[i].xx, 1e-14);
        EXPECT_NEAR(w.I[i + 2].xy, -w.I[i].xy, 1e-14);
        EXPECT_NEAR(w.I[i + 2].xz, w.I[i].xz, 1e-14);
        EXPECT_NEAR(w.I[i + 2].yz, -w.I[i].yz, 1e-14);
      }
    }
}

TEST(Mirror, MirroredShapesWeighTheSameOnTheOtherSide) {
  Random random(5);
  Creature c = right_arm(random, JointType::hinge);
  Shape mesh;
  mesh.type = ShapeType::mesh;
  mesh.mesh = surface(example_shapes()[4]);
  c.links[2].shapes.push_back(mesh);
  for (Link& link : c.links) link.mass = -1, link.inertia = {};
  mirror(c);
  complete(c);
  EXPECT_FALSE(mesh_fault(c.links[4].shapes.back().mesh));
  EXPECT_NEAR(c.links[4].mass, c.links[2].mass, 1e-12);
  EXPECT_LT(norm(c.links[4].com - image(c.links[2].com)), 1e-14);
  EXPECT_NEAR(c.links[4].inertia.xy, -c.links[2].inertia.xy, 1e-12);
  EXPECT_NEAR(c.links[4].inertia.xz, c.links[2].inertia.xz, 1e-12);
}

TEST(Mirror, NamesTellTheSide) {
  for (const auto& [right, left] : {std::pair("r_thigh", "l_thigh"),
                                    {"rf_thigh", "lf_thigh"},
                                    {"r1_tibia", "l1_tibia"},
                                    {"rf", "lf"},
                                    {"right_hand", "left_hand"},
                                    {"hand_right", "hand_left"},
                                    {"hand_r", "hand_l"},
                                    {"rm_foot.x", "lm_foot.x"},
                                    {"hand_r.tx", "hand_l.tx"}}) {
    EXPECT_EQ(side_of(right), Side::right);
    EXPECT_EQ(side_of(left), Side::left);
    EXPECT_EQ(mirrored_name(right), left);
    EXPECT_EQ(mirrored_name(left), right);
  }
  for (const char* name : {"rib", "rump_fat", "body", "", "_", "head", "legs", "rostrum", "Right_arm"}) {
    EXPECT_EQ(side_of(name), Side::none) << name;
    EXPECT_EQ(mirrored_name(name), name);
  }
}

TEST(Mirror, EverythingOnTheRightGetsATwinOnce) {
  Creature c = half_strider();
  complete(c);
  Label label{"r_elbow", 2, {0, -0.01, 0}};
  c.labels = {label};
  Sensor sensor;
  sensor.name = "rf_touch";
  sensor.link = 2;
  c.sensors = {sensor};
  Actuator actuator;
  actuator.name = "rh_knee";
  actuator.dof = c.dof("rh_shank");
  c.actuators = {actuator};
  Loop loop;
  loop.name = "r_bar";
  loop.link = 2;
  loop.other = 4;
  loop.pos = {0, -0.02, 0};
  c.loops = {loop};
  for (int twice = 0; twice < 2; ++twice) {
    mirror(c);
    check(c);
    EXPECT_EQ(c.links.size(), 9u);
    EXPECT_EQ(c.legs.size(), 4u);
    EXPECT_EQ(c.contacts.size(), 8u + 8 * 2);
    EXPECT_EQ(c.legs[2].name, "lf");
    EXPECT_EQ(c.legs[2].side, Side::left);
    EXPECT_EQ(c.links[c.legs[2].foot].name, "lf_shank");
    EXPECT_EQ(c.labels[1].name, "l_elbow");
    EXPECT_EQ(c.links[c.labels[1].link].name, "lf_shank");
    EXPECT_EQ(c.labels[1].pos.y, 0.01);
    EXPECT_EQ(c.links[c.sensors[1].link].name, "lf_shank");
    EXPECT_EQ(c.actuators[1].dof, c.dof("lh_shank"));
    EXPECT_EQ(c.links[c.loops[1].other].name, "lh_shank");
    EXPECT_EQ(c.loops[1].pos.y, 0.02);
    EXPECT_EQ(c.actuators.size() + c.sensors.size() + c.labels.size() + c.loops.size(), 8u);
  }
}

TEST(Mirror, WhatIsOnTheLeftAlreadyStays) {
  Creature c = half_strider();
  Link left = c.links[1];
  left.name = "lf_thigh";
  left.pos = {0.1, 0.3, 0};
  c.links.push_back(left);
  mirror(c);
  EXPECT_EQ(c.links.size(), 9u);
  EXPECT_EQ(c.links[c.link("lf_thigh")].pos, Vec3d(0.1, 0.3, 0));
  EXPECT_EQ(c.links[c.link("lf_shank")].parent, c.link("lf_thigh"));
}

TEST(Mirror, ARightPoseGetsALeftOneWithTheSidesExchanged) {
  Creature c = half_strider();
  Link head;
  head.name = "head";
  head.parent = 0;
  head.joints = {example_joint(JointType::hinge, {{0, 0, 1}}), example_joint(JointType::hinge, {{0, 1, 0}})};
  c.links.push_back(head);
  c.poses = {{"r_step", {1, 2, 3, 0.8, 0.6, 0, 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}}};
  mirror(c);
  ASSERT_EQ(c.poses.size(), 2u);
  // the twins of a full right pose stand as its image; mirrored, both sides exchange and the head turns the
  // other way, but nods the same way
  EXPECT_EQ(c.poses[1].name, "l_step");
  EXPECT_EQ(c.poses[1].q, (std::vector<double>{1, -2, 3, 0.8, -0.6, 0, 0, 0.1, 0.2, 0.3, 0.4, -0.5, 0.6, 0.1,
                                               0.2, 0.3, 0.4}));
}

TEST(Mirror, AJointWithoutASideOnTheRightIsAnError) {
  Creature c = half_strider();
  c.links[1].joints[0].name = "hip";
  try {
    mirror(c);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(
        e.what(),
        "strider.toml:10: joint 'hip': belongs to the right link 'rf_thigh' but its name has no side, so its "
        "mirror image would have the same one; call it 'r_hip', or leave it unnamed");
  }
}

}  // namespace
}  // namespace legwork
