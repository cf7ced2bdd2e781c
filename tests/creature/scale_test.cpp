#include "creature/scale.h"

#include <gtest/gtest.h>

#include <cmath>

#include "creature/check.h"
#include "creature/complete.h"
#include "creature/place.h"
#include "dynamics/dynamics.h"
#include "tests/creature/example_creatures.h"
#include "tests/dynamics/random_creature.h"

namespace legwork {
namespace {

TEST(Scale, APendulumWithASpringSwingsSlowerByTheRootOfItsSize) {
  Creature c;
  Link rod;
  rod.name = "rod";
  rod.mass = 2;
  rod.com = {0, 0, -0.5};
  rod.inertia = Sym3d::diagonal(0.1, 0.1, 0.01);
  rod.joints = {example_joint(JointType::hinge, {{0, 1, 0}})};
  Dof dof;
  dof.spring = {SpringType::linear, 3, 0, 0.2};
  dof.damper = 0.7;
  rod.joints[0].dofs = {dof};
  c.links = {rod};
  complete(c);
  // w^2 = (k + m g l) / (I + m l^2), damping ratio d / (2 (I + m l^2) w)
  const auto swing = [](const Creature& body) {
    const Link& l = body.links[0];
    const Dof& d = l.joints[0].dofs[0];
    const double I = l.inertia.yy + l.mass * dot(l.com, l.com);
    const double w = std::sqrt((d.spring.stiffness + l.mass * 9.81 * norm(l.com)) / I);
    return std::pair(w, d.damper / (2 * I * w));
  };
  const auto [w, zeta] = swing(c);
  scale(c, 4);
  const auto [w4, zeta4] = swing(c);
  EXPECT_NEAR(w4, w / 2, 1e-12);
  EXPECT_NEAR(zeta4, zeta, 1e-12);
  EXPECT_EQ(c.links[0].mass, 2 * 64);
  EXPECT_EQ(c.links[0].joints[0].dofs[0].spring.rest, 0.2);
}

// The power of the scale with which the force on each coordinate of v grows.
double force_power(const Joint& joint, int k, double s) {
  const bool length = joint.type == JointType::slide || (joint.type == JointType::planar && k < 2) ||
                      (joint.type == JointType::free && k < 3);
  return length ? s * s * s : s * s * s * s;
}

TEST(Scale, AnyScaledCreatureMakesTheSameMotionInTheRootOfTheTime) {
  const double s = 2.25, root = 1.5;
  for (int n = 0; n < 30; ++n) {
    Random random(21, n);
    Creature small = random_creature(random, 8, moving_joint_types());
    small.poses = {{"any", random_positions(random, small)}};
    Creature large = small;
    scale(large, s);
    const Model<double> m1 = make_model(small), m2 = make_model(large);
    Workspace<double> w1(m1), w2(m2);
    std::vector<double> v1 = random_values(random, m1.nv, 1), t1 = random_values(random, m1.nv, 1);
    std::vector<double> v2 = v1, t2 = t1, a1(m1.nv), a2(m1.nv), power(m1.nv);
    int j = 0;
    for (const Link& link : small.links)
      for (const Joint& joint : link.joints)
        for (int k = 0; k < nv(joint); ++k, ++j) {
          power[j] = force_power(joint, k, s) == s * s * s ? s : 1;  // of the coordinate itself
          v2[j] *= power[j] / root;
          t2[j] *= force_power(joint, k, s);
        }
    const auto accelerate = [](const Model<double>& m, Workspace<double>& w, const Creature& c,
                               const std::vector<double>& v, const std::vector<double>& tau,
                               std::vector<double>& a) {
      update_positions(m, c.poses[0].q.data(), w);
      update_velocities(m, c.poses[0].q.data(), v.data(), w);
      clear_forces(m, w);
      forward_dynamics(m, tau.data(), w, a.data());
    };
    accelerate(m1, w1, small, v1, t1, a1);
    accelerate(m2, w2, large, v2, t2, a2);
    for (int i = 0; i < m1.nv; ++i) EXPECT_NEAR(a2[i], a1[i] * power[i] / s, 1e-8 * (1 + std::fabs(a1[i])));
  }
}

TEST(Scale, SpringsDampersAndActuatorsPullAsTheMotionNeeds) {
  Creature c = half_strider();
  c.links[2].joints = {example_joint(JointType::slide, {{0, 0, 1}})};
  complete(c);
  const double s = 4;
  for (const int link : {1, 2}) {
    Dof& d = c.links[link].joints[0].dofs[0];
    d.lower = -1, d.upper = 2, d.limit_stiffness = 5, d.limit_damping = 6, d.damper = 7, d.armature = 8;
    d.spring = {SpringType::exponential, 3, 2, 0.5};
    Actuator a;
    a.name = "a" + std::to_string(link);
    a.dof = 5 + link;
    a.ks = 1, a.kd = 1, a.lower = -1, a.upper = 1, a.strength = 1;
    c.actuators.push_back(a);
  }
  Attachment wire;
  wire.name = "wire";
  wire.stiffness = 1, wire.damping = 1, wire.rest = 1, wire.break_length = 2;
  c.attachments = {wire};
  c.dt = 1e-3;
  scale(c, s);
  const Dof &hinge = c.links[1].joints[0].dofs[0], &slide = c.links[2].joints[0].dofs[0];
  EXPECT_EQ(hinge.upper, 2);
  EXPECT_EQ(hinge.limit_stiffness, 5 * 256);
  EXPECT_EQ(hinge.limit_damping, 6 * 512);
  EXPECT_EQ(hinge.damper, 7 * 512);
  EXPECT_EQ(hinge.armature, 8 * 1024);
  EXPECT_EQ(hinge.spring.stiffness, 3 * 256);
  EXPECT_EQ(hinge.spring.sharpness, 2);
  EXPECT_EQ(slide.upper, 8);
  EXPECT_EQ(slide.limit_stiffness, 5 * 16);
  EXPECT_EQ(slide.damper, 7 * 32);
  EXPECT_EQ(slide.armature, 8 * 64);
  EXPECT_EQ(slide.spring.stiffness, 3 * 64);
  EXPECT_EQ(slide.spring.sharpness, 0.5);
  EXPECT_EQ(slide.spring.rest, 2);
  EXPECT_EQ(c.actuators[0].ks, 256);
  EXPECT_EQ(c.actuators[0].upper, 1);
  EXPECT_EQ(c.actuators[0].strength, 256);
  EXPECT_EQ(c.actuators[1].ks, 16);
  EXPECT_EQ(c.actuators[1].kd, 32);
  EXPECT_EQ(c.actuators[1].upper, 4);
  EXPECT_EQ(c.attachments[0].stiffness, 16);
  EXPECT_EQ(c.attachments[0].damping, 32);
  EXPECT_EQ(c.attachments[0].break_length, 8);
  EXPECT_EQ(c.dt, 2e-3);
  check(c);
}

TEST(Scale, BeforeAndAfterCompletionAreTheSame) {
  Creature before = half_strider(), after = half_strider();
  scale(before, 1.7);
  complete(before);
  complete(after);
  scale(after, 1.7);
  EXPECT_NEAR(before.mass(), after.mass(), 1e-12 * after.mass());
  EXPECT_NEAR(before.links[2].inertia.xx, after.links[2].inertia.xx, 1e-15);
  ASSERT_EQ(before.contacts.size(), after.contacts.size());
  for (size_t i = 0; i < before.contacts.size(); ++i)
    EXPECT_LT(norm(before.contacts[i].pos - after.contacts[i].pos), 1e-15);
  EXPECT_LT(norm(before.legs[0].sole - after.legs[0].sole), 1e-15);
  EXPECT_NEAR(before.pose("stand")[2], after.pose("stand")[2], 1e-15);
}

TEST(Scale, OneLinkGrowsAndCarriesItsChildrenFurtherOut) {
  Creature c = half_strider();
  complete(c);
  const Creature old = c;
  scale_link(c, 1, 2);
  EXPECT_NEAR(c.links[1].mass, 8 * old.links[1].mass, 1e-12);
  EXPECT_NEAR(c.links[1].inertia.xx, 32 * old.links[1].inertia.xx, 1e-12);
  EXPECT_EQ(c.links[2].pos, old.links[2].pos * 2.0);
  EXPECT_EQ(c.links[1].pos, old.links[1].pos);
  EXPECT_EQ(c.links[2].mass, old.links[2].mass);
  EXPECT_EQ(c.links[0].mass, old.links[0].mass);
  const double drop = place(c, c.pose("stand"))[2].p.z - place(old, old.pose("stand"))[2].p.z;
  EXPECT_NEAR(drop, -0.15, 1e-15);
  // the mass is that of the larger shape
  c.links[1].mass = -1;
  c.links[1].inertia = {};
  complete(c);
  EXPECT_NEAR(c.links[1].mass, 8 * old.links[1].mass, 1e-12);
  EXPECT_EQ(c.contacts.size(), old.contacts.size());
}

}  // namespace
}  // namespace legwork
