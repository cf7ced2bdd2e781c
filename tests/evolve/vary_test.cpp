#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include <legwork/files.h>
#include "creature/check.h"
#include "creature/side.h"
#include "creature/tree.h"
#include "evolve/plan.h"
#include "evolve/stretch.h"
#include "evolve/vary.h"
#include "formats/toml/creature_toml.h"
#include "tests/scenes/error_of.h"

namespace legwork::evolution {
namespace {

Creature shipped(const std::string& name) { return load_world(name).body; }

TEST(Vary, EveryBodyOfALongLineIsSoundAndReadsBackTheSame) {
  for (const std::string name : {"blob", "bounder", "hexapod"}) {
    SCOPED_TRACE(name);
    Creature body = *put_together(take_apart(shipped(name)));
    std::set<std::string> changes;
    for (std::uint64_t step = 0; step < 40; ++step) {
      Random random(7, step);
      const std::optional<Child> child = vary(body, 8, random);
      if (!child) continue;
      ASSERT_NO_THROW(check(child->body)) << child->how;
      const std::string text = write_creature_toml(child->body);
      EXPECT_EQ(write_creature_toml(parse_creature_toml(text, "child")), text);
      EXPECT_LE(take_apart(child->body).limbs().size(), 8u) << child->how;
      changes.insert(child->how);
      body = child->body;
    }
    EXPECT_GT(changes.size(), 15u) << "many kinds of changes";
  }
}

TEST(Vary, TheSameStreamGivesTheSameChild) {
  const Creature body = shipped("bounder");
  Random one(3, 5), two(3, 5), other(3, 6);
  const std::string first = write_creature_toml(vary(body, 8, one)->body);
  EXPECT_EQ(first, write_creature_toml(vary(body, 8, two)->body));
  EXPECT_NE(first, write_creature_toml(vary(body, 8, other)->body));
}

// Each axis has its muscle and a sensor, and two of a joint are at right angles.
TEST(Vary, LimbsSwingAheadAndAside) {
  const Creature start = *put_together(take_apart(shipped("blob")));
  int joints = 0, lost = 0;
  for (std::uint64_t first = 0; first < 30; ++first) {
    Random random(11, first);
    std::optional<Child> child = vary(start, 8, random);
    for (int step = 0; child && step < 6; ++step) {
      lost += child->how.find("a joint of one axis") != std::string::npos;
      const std::vector<int> begins = dof_begins(child->body);
      for (size_t b = 1; b < child->body.links.size(); ++b) {
        const Joint& joint = child->body.links[b].joints.at(0);
        if (joint.type != JointType::universal) continue;
        ++joints;
        EXPECT_NEAR(dot(joint.axes[0], joint.axes[1]), 0, 1e-12) << child->how;
        for (const int dof : {begins[b], begins[b] + 1})
          EXPECT_TRUE(std::any_of(child->body.actuators.begin(), child->body.actuators.end(),
                                  [&](const Actuator& a) { return a.dof == dof; }))
              << child->how;
      }
      child = vary(child->body, 8, random);
    }
  }
  EXPECT_GT(joints, 100);
  EXPECT_GT(lost, 0);
}

TEST(Vary, APairOfLimbsStaysAPair) {
  Creature body = shipped("hexapod");
  for (std::uint64_t step = 0; step < 30; ++step) {
    Random random(1, step);
    const std::optional<Child> child = vary(body, 10, random);
    ASSERT_TRUE(child);
    for (const Link& link : child->body.links)
      if (side_of(link.name) != Side::none) {
        EXPECT_GE(child->body.link(mirrored_name(link.name)), 0) << link.name << " after " << child->how;
      }
  }
}

TEST(Parts, ABodyTakenApartAndPutTogetherWeighsAndStandsAsBefore) {
  for (const std::string name : {"bounder", "hexapod", "quadruped", "cart", "luxo"}) {
    SCOPED_TRACE(name);
    const Creature before = shipped(name);
    const std::optional<Creature> after = put_together(take_apart(before));
    ASSERT_TRUE(after);
    EXPECT_NEAR(after->mass(), before.mass(), 1e-12 * before.mass());
    EXPECT_EQ(after->nv(), before.nv());
    EXPECT_EQ(after->sensors.size(), before.sensors.size());
    EXPECT_EQ(after->actuators.size(), before.actuators.size());
    EXPECT_NEAR(plan_of(*after).length, plan_of(before).length, 1e-9);
  }
}

TEST(Parts, WhatCannotChangeSaysWhy) {
  EXPECT_NE(
      error_of([] { take_apart(shipped("fourbar")); })
          .find(
              "evolve: creature 'fourbar': has loops, which no limb could leave; start from a body of links "
              "and joints alone"),
      std::string::npos);
}

// k times as large: k^3 of the mass and of the torque, so that k times as much lies on each muscle.
TEST(Stretch, StrengthGoesWithTheCrossSection) {
  Body body = take_apart(shipped("bounder"));
  const double mass = body.find("fore_thigh")->link.mass, ks = body.find("fore_thigh")->actuators[0].item.ks;
  const Vec3d knee = body.find("fore_shank")->link.pos;
  enlarge(body, 2);
  EXPECT_DOUBLE_EQ(body.find("fore_thigh")->link.mass, 8 * mass);
  EXPECT_DOUBLE_EQ(body.find("fore_thigh")->actuators[0].item.ks, 8 * ks);
  EXPECT_DOUBLE_EQ(body.find("fore_shank")->link.pos.z, 2 * knee.z);
  stretch(body, "fore_thigh", {0, 0, 1}, 3, 1);  // longer alone: no stronger
  EXPECT_DOUBLE_EQ(body.find("fore_thigh")->actuators[0].item.ks, 8 * ks);
  EXPECT_DOUBLE_EQ(body.find("fore_thigh")->link.mass, 24 * mass);
  EXPECT_NEAR(muscle_torque(radius_for(5)), 5, 1e-12);
}

// A box of a x b x c has m (b^2 + c^2) / 12 about its first axis.
TEST(Stretch, TheInertiaOfAStretchedBoxIsThatOfTheLongerBox) {
  Body body = take_apart(shipped("blob"));
  stretch(body, "trunk", {1, 0, 0}, 2, 1);
  const Link& link = body.find("trunk")->link;
  const double a = 0.72, b = 0.20, c = 0.12, m = 500 * a * b * c;
  EXPECT_NEAR(link.mass, m, 1e-12);
  EXPECT_NEAR(link.inertia.xx, m * (b * b + c * c) / 12, 1e-12);
  EXPECT_NEAR(link.inertia.yy, m * (a * a + c * c) / 12, 1e-12);
  EXPECT_NEAR(link.inertia.zz, m * (a * a + b * b) / 12, 1e-12);
}

TEST(Plan, LegsAreThoseThatStand) {
  EXPECT_EQ(plan_of(shipped("blob")).legs, 0);
  EXPECT_EQ(plan_of(shipped("bounder")).legs, 2);
  EXPECT_EQ(plan_of(shipped("hexapod")).legs, 6);
  EXPECT_TRUE(plan_of(shipped("hexapod")).symmetric);
}

}  // namespace
}  // namespace legwork::evolution
