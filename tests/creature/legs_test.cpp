// Legs that no file names, and how strong joints are.

#include <gtest/gtest.h>

#include <cmath>

#include "creature/complete.h"
#include "creature/likely_legs.h"
#include "creature/place.h"
#include "creature/strength.h"

namespace legwork {
namespace {

struct Built : Creature {
  // A link with a hinge about y (or fixed) and a ball of mass at its end.
  int add(const std::string& name, int parent, const Vec3d& pos, const Vec3d& end, bool hinge = true) {
    Link link;
    link.name = name;
    link.parent = parent;
    link.pos = pos;
    Joint joint;
    joint.name = name;
    joint.type = parent < 0 ? JointType::free : JointType::hinge;
    if (parent >= 0) joint.axes = {Vec3d(0, 1, 0)};
    joint.dofs.resize(std::size_t(legwork::nv(joint)));
    if (parent < 0 || hinge) link.joints = {joint};
    Shape shape;
    shape.type = ShapeType::sphere;
    shape.size = {0.02, 0, 0};
    shape.pos = end;
    link.shapes = {shape};
    links.push_back(link);
    return int(links.size()) - 1;
  }
  int limb(const std::string& name, int parent, const Vec3d& at, double length) {
    const int upper = add(name + "_upper", parent, at, {0, 0, -length / 2});
    return add(name + "_lower", upper, {0, 0, -length / 2}, {0, 0, -length / 2});
  }
};

Built humanoid() {
  Built c;
  c.name = "humanoid";
  c.legs_found = true;
  const int pelvis = c.add("pelvis", -1, {0, 0, 0.9}, {});
  const int torso = c.add("torso", pelvis, {0, 0, 0.1}, {0, 0, 0.3});
  for (const double side : {-1.0, 1.0}) {
    const std::string s = side < 0 ? "right" : "left";
    c.limb(s + "_leg", pelvis, {0, 0.1 * side, 0}, 0.85);
    c.limb(s + "_arm", torso, {0, 0.2 * side, 0.4}, 0.6);
  }
  return c;
}

TEST(FindLegs, ArmsAreNotLegs) {
  Built c = humanoid();
  find_legs(c);
  ASSERT_EQ(c.legs.size(), 2u);
  EXPECT_EQ(c.legs[0].name, "r");
  EXPECT_EQ(c.legs[0].side, Side::right);
  EXPECT_EQ(c.links[size_t(c.legs[0].hip)].name, "right_leg_upper");
  EXPECT_EQ(c.links[size_t(c.legs[0].foot)].name, "right_leg_lower");
  EXPECT_EQ(c.legs[1].name, "l");
  EXPECT_TRUE(c.legs_found);
  EXPECT_EQ(legs_in_words(c), "r (right_leg_upper to right_leg_lower), l (left_leg_upper to left_leg_lower)");
  // it stands on the ground
  ASSERT_TRUE(c.has_pose("stand"));
  EXPECT_NEAR(bounding_box(c, c.pose("stand")).lower.z, 0, 1e-12);
}

TEST(FindLegs, FourLegsAreForeAndHindAndATailIsNone) {
  Built c;
  c.legs_found = true;
  const int trunk = c.add("trunk", -1, {3, -2, 0.4}, {});
  for (const double x : {0.3, -0.3})
    for (const double y : {-0.1, 0.1})
      c.limb(std::string(x > 0 ? "F" : "R") + (y < 0 ? "R" : "L"), trunk, {x, y, 0}, 0.4);
  c.limb("tail", trunk, {-0.5, 0, 0}, 0.38);
  find_legs(c);
  ASSERT_EQ(c.legs.size(), 4u);
  const char* names[] = {"rf", "lf", "rh", "lh"};
  const char* hips[] = {"FR_upper", "FL_upper", "RR_upper", "RL_upper"};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(c.legs[i].name, names[i]);
    EXPECT_EQ(c.links[size_t(c.legs[i].hip)].name, hips[i]);
    EXPECT_EQ(c.legs[i].girdle, i < 2 ? "fore" : "hind");
  }
}

TEST(FindLegs, MoreLimbsOnOneSideThanOnTheOtherAreNoLegs) {
  // in a plane two limbs are legs; both on the left, or one there and two on the right, nothing is plain to
  // see
  const auto legs = [](const std::vector<Vec3d>& hips) {
    Built c;
    c.legs_found = true;
    const int trunk = c.add("trunk", -1, {0, 0, 0.4}, {});
    for (const Vec3d& hip : hips) c.limb("limb_" + std::to_string(c.links.size()), trunk, hip, 0.4);
    find_legs(c);
    EXPECT_EQ(c.legs_found, !c.legs.empty());
    return c.legs.size();
  };
  EXPECT_EQ(legs({{0.2, 0, 0}, {-0.2, 0, 0}}), 2u);
  EXPECT_EQ(legs({{0, 0.2, 0}, {0, 0.5, 0}}), 0u);
  EXPECT_EQ(legs({{0.4, 0.1, 0}, {0, -0.2, 0}, {-0.3, -0.4, 0}}), 0u);
}

// The same body turned about an axis of its root.
Built turned(Built c, const Quatd& by) {
  c.links[0].rot = by;
  return c;
}

TEST(FindLegs, ABodyThatLiesOnItsBackOrItsBellyHasNone) {
  const double s = std::sqrt(0.5);
  for (const double side : {-s, s}) {
    Built c = turned(humanoid(), {s, 0, side, 0});
    for (const char* arm : {"right", "left"}) {  // at its sides
      Link& upper = c.links[size_t(c.link(std::string(arm) + "_arm_upper"))];
      upper.pos.x = 0;
      // a wrist, so that arms have as many links as legs have joints
      c.add(std::string(arm) + "_hand", c.link(std::string(arm) + "_arm_lower"), {0, 0, -0.3}, {0, 0, -0.1});
    }
    find_legs(c);
    EXPECT_TRUE(c.legs.empty()) << legs_in_words(c);
    EXPECT_FALSE(c.legs_found);
  }
}

// Four legs and a trunk, all folded into one plane.
Built folded(double shin_of_hind) {
  Built c;
  c.legs_found = true;
  const int trunk = c.add("trunk", -1, {0, 0, 0.05}, {});
  for (const double x : {0.3, -0.3})
    for (const double y : {-0.15, 0.15}) {
      const std::string name = std::string(x > 0 ? "F" : "R") + (y < 0 ? "R" : "L");
      const int upper = c.add(name + "_upper", trunk, {x, y, 0}, {-0.2, 0, 0});
      const double shin = x < 0 ? shin_of_hind : 0.2;
      c.add(name + "_lower", upper, {-0.2, 0, 0}, {shin, 0, -0.02});
    }
  return c;
}

TEST(FindLegs, FoldedLegsAreLegsWhereTheyAreAlike) {
  Built c = folded(0.2);
  find_legs(c);
  EXPECT_EQ(c.legs.size(), 4u);
  Built other = folded(0.02);
  find_legs(other);
  EXPECT_TRUE(other.legs.empty()) << legs_in_words(other);
}

TEST(FindLegs, ABodyOnItsSideOrRearingHasNone) {
  const auto four = [](const Quatd& by) {
    Built c;
    c.legs_found = true;
    const int trunk = c.add("trunk", -1, {0, 0, 0.4}, {});
    for (const double x : {0.3, -0.3})
      for (const double y : {-0.2, 0.2})
        c.limb(std::string(x > 0 ? "F" : "R") + (y < 0 ? "R" : "L"), trunk, {x, y, 0}, 0.4);
    c = turned(c, by);
    find_legs(c);
    return c.legs.size();
  };
  const double s = std::sqrt(0.5);
  EXPECT_EQ(four({}), 4u);
  EXPECT_EQ(four({s, s, 0, 0}), 0u);
  EXPECT_EQ(four({s, 0, -s, 0}), 0u);
}

TEST(FindLegs, CranksBesideALongerLimbInTheAirAreNoLegs) {
  const auto with_limbs_up = [](double up) {
    Built c;
    c.legs_found = true;
    const int trunk = c.add("trunk", -1, {0, 0, 0.4}, {});
    for (const double y : {-0.2, 0.2}) {
      const int hip = c.add(y < 0 ? "r" : "l", trunk, {0, y, 0}, {});
      c.add(y < 0 ? "r_crank" : "l_crank", hip, {0.05, 0, 0}, {0, 0, -0.1});
      if (up > 0) c.add(y < 0 ? "r_limb" : "l_limb", hip, {-0.05, 0, 0}, {0, 0, up});
    }
    find_legs(c);
    return c.legs.size();
  };
  EXPECT_EQ(with_limbs_up(0), 2u);
  EXPECT_EQ(with_limbs_up(0.4), 0u);
}

TEST(FindLegs, AFixedFootIsTheFoot) {
  Built c = humanoid();
  for (const char* s : {"right", "left"})
    c.add(std::string(s) + "_foot", c.link(std::string(s) + "_leg_lower"), {0, 0, -0.43}, {}, false);
  find_legs(c);
  ASSERT_EQ(c.legs.size(), 2u);
  EXPECT_EQ(c.links[size_t(c.legs[0].foot)].name, "right_foot");
  EXPECT_EQ(c.links[size_t(c.legs[0].knee)].name, "right_leg_lower");
}

TEST(FindLegs, KneesOutsideTheirRangeAreBentAndTheFootStaysBelowTheHip) {
  Built c;
  c.legs_found = true;
  const int trunk = c.add("trunk", -1, {0, 0, 0.4}, {});
  for (const double x : {0.3, -0.3})
    for (const double y : {-0.1, 0.1}) {
      const int lower = c.limb(std::string(x > 0 ? "F" : "R") + (y < 0 ? "R" : "L"), trunk, {x, y, 0}, 0.4);
      c.links[size_t(lower)].joints[0].dofs[0].lower = -2.7;
      c.links[size_t(lower)].joints[0].dofs[0].upper = -0.9;
    }
  find_legs(c);
  ASSERT_EQ(c.legs.size(), 4u);
  const std::vector<double> stand = c.pose("stand");
  const auto frames = place(c, stand);
  for (const Leg& leg : c.legs) {
    const Vec3d foot = frames[size_t(leg.foot)] * Vec3d(0, 0, -0.2), hip = frames[size_t(leg.hip)].p;
    EXPECT_NEAR(foot.x, hip.x, 0.02 * 0.5);  // the ball rolls
    EXPECT_NEAR(foot.z, 0.02, 1e-6);
  }
  EXPECT_NEAR(stand[8], -0.9, 1e-3);
}

TEST(FindLegs, LegsOfTheFileComeFirst) {
  Built c = humanoid();
  c.legs.push_back({.name = "mine", .hip = 1, .foot = 2});
  find_legs(c);
  EXPECT_EQ(c.legs.size(), 1u);
  EXPECT_FALSE(c.legs_found);
  Built other = humanoid();
  other.legs_found = false;  // a file that may name legs but does not has none
  find_legs(other);
  EXPECT_TRUE(other.legs.empty());
}

TEST(Strength, IsWhatAllActuatorsOfAJointGiveTogether) {
  Built c = humanoid();
  Actuator motor;
  motor.type = ActuatorType::motor;
  motor.dof = 7;
  motor.gear = -10;
  motor.lower = -1, motor.upper = 2;
  Actuator servo;
  servo.dof = 7;
  servo.strength = 5;
  c.actuators = {motor, servo};
  const std::vector<double> most = dof_strengths(c);
  EXPECT_EQ(most[7], 25);
  EXPECT_EQ(most[8], 0);
}

}  // namespace
}  // namespace legwork
