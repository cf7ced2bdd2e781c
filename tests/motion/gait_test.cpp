#include <legwork/gait.h>

#include <gtest/gtest.h>

#include <cmath>

#include "math/real.h"
#include "motion/gait_name.h"
#include "motion/support.h"
#include "tests/motion/stilts.h"

namespace legwork {
namespace {

struct Walk {
  std::vector<double> phase;  // as the legs: left, right of the hind pair, then forward
  double duty = 0.6, speed = 1, stride_time = 0.8, seconds = 6, rate = 240;
  double slide = 0;  // m/s of every stance foot over the ground
  bool forces = true;
};

// Feet stand still during stance and swing along a smooth arc.
Motion walk(const Walk& w) {
  Motion m;
  m.creature = stilts(int(w.phase.size()) / 2);
  const int nv = m.creature.nv();
  const double stance = w.duty * w.stride_time, reach = (w.speed + w.slide) * stance;
  for (int f = 0; f <= w.seconds * w.rate; ++f) {
    const double t = f / w.rate;
    m.time.push_back(t);
    std::vector<double> q = {w.speed * t, 0, body_height, 1, 0, 0, 0}, v(nv, 0.0);
    v[0] = w.speed;
    for (size_t leg = 0; leg < w.phase.size(); ++leg) {
      const double cycle = t / w.stride_time - w.phase[leg], share = cycle - std::floor(cycle);
      const bool down = share < w.duty;
      const double u = down ? share / w.duty : (share - w.duty) / (1 - w.duty);
      const double x = down ? reach * (0.5 - u) : reach * (u - std::sin(2 * pi * u) / (2 * pi) - 0.5);
      q.insert(q.end(), {x, 0, down ? 0 : 0.1 * std::sin(pi * u)});
      v[6 + 3 * leg] = down ? -(w.speed + w.slide) : 0;
      if (w.forces) m.contact_force.insert(m.contact_force.end(), {0, 0, down ? 30.0 : 0.0});
    }
    m.q.insert(m.q.end(), q.begin(), q.end());
    m.v.insert(m.v.end(), v.begin(), v.end());
  }
  // a hair into the ground, so that contact points count as touching
  m.terrain.height = 1e-6;
  return m;
}

TEST(Gait, MeasuresAWalkOfKnownTiming) {
  for (const bool forces : {true, false}) {
    SCOPED_TRACE(forces ? "from forces" : "from height and speed");
    const Gait g =
        measure_gait(walk({.phase = {0, 0.5, 0.25, 0.75}, .duty = 0.65, .speed = 1.2, .forces = forces}));
    EXPECT_EQ(g.name, "walk");
    EXPECT_NEAR(g.speed, 1.2, 0.012);
    EXPECT_NEAR(g.stride_time, 0.8, 0.008);
    EXPECT_NEAR(g.stride_length, 0.96, 0.0096);
    EXPECT_NEAR(g.step_length, 0.48, 0.0048);
    EXPECT_NEAR(g.step_width, 0.2, 0.002);
    EXPECT_NEAR(g.hip_height, body_height, 1e-12);
    EXPECT_NEAR(g.froude, 1.44 / (9.81 * body_height), 0.01 * g.froude);
    EXPECT_NEAR(g.heading_drift, 0, 1e-9);
    EXPECT_LT(g.slip, 1e-3);
    const double phases[] = {0, 0.5, 0.25, 0.75};
    for (int leg = 0; leg < 4; ++leg) {
      EXPECT_NEAR(g.legs[leg].duty_factor, 0.65, forces ? 0.0065 : 0.02) << g.legs[leg].leg;
      EXPECT_NEAR(g.legs[leg].phase, phases[leg], 0.01) << g.legs[leg].leg;
    }
    // pace angulation: steps of 0.48 at a width of 0.2
    EXPECT_NEAR(g.pace_angulation, 2 * std::atan2(0.48, 0.2), 0.01);
  }
}

TEST(Gait, PlannedStancesMeasureAsEqualSharesOfTheWeightDo) {
  const Motion forces = walk({.phase = {0, 0.5, 0.25, 0.75}, .duty = 0.65});
  Motion plan = forces;
  plan.contact_force.clear();
  plan.channels = {{"stance", "1", 4, {}}};
  Motion shares = forces;
  for (size_t f = 0; f < forces.time.size(); ++f) {
    int standing = 0;
    for (size_t k = 0; k < 4; ++k) standing += forces.contact_force[(f * 4 + k) * 3 + 2] > 0;
    for (size_t k = 0; k < 4; ++k) {
      double& force = shares.contact_force[(f * 4 + k) * 3 + 2];
      plan.channels[0].values.push_back(force > 0 ? 1 : 0);
      force = force > 0 ? forces.creature.mass() * forces.gravity / standing : 0;
    }
  }
  const Gait a = measure_gait(shares), b = measure_gait(plan);
  EXPECT_EQ(a.stances_from, StancesFrom::forces);
  EXPECT_EQ(b.stances_from, StancesFrom::plan);
  EXPECT_EQ(a.name, b.name);
  EXPECT_NEAR(a.slip, b.slip, 1e-14);  // one by velocities, the other by places
  for (size_t k = 0; k < 4; ++k) {
    ASSERT_EQ(a.legs[k].stances.size(), b.legs[k].stances.size());
    for (size_t i = 0; i < a.legs[k].stances.size(); ++i) {
      EXPECT_EQ(a.legs[k].stances[i].down, b.legs[k].stances[i].down);
      EXPECT_EQ(a.legs[k].stances[i].up, b.legs[k].stances[i].up);
    }
  }
  // a channel of another width is something else
  plan.channels[0].width = 2;
  plan.channels[0].values.resize(2 * forces.time.size());
  EXPECT_EQ(measure_gait(plan).stances_from, StancesFrom::soles);
}

// A rimless wheel on an axle that does not turn: spoke k stands while the wheel pivots over its tip, so that
// the stride is the polygon's circumference and each foot is down for one spoke's share of the turn.
Motion rimless_wheel(int spokes, double radius, double turn_time) {
  Motion m;
  Creature& c = m.creature;
  c.name = "wheel";
  auto add = [&](const std::string& name, int parent, JointType type, const Quatd& rot) {
    Link link;
    link.name = name;
    link.parent = parent;
    link.rot = rot;
    link.mass = 1;
    link.inertia = Sym3d::diagonal(0.01, 0.01, 0.01);
    Joint joint;
    joint.type = type;
    if (type == JointType::hinge) joint.axes = {Vec3d{0, 1, 0}};
    joint.dofs.resize(nv(joint));
    if (type != JointType::fixed) link.joints = {joint};
    c.links.push_back(link);
  };
  add("axle", -1, JointType::free, {});
  add("hub", 0, JointType::hinge, {});
  const double share = 2 * pi / spokes;
  for (int k = 0; k < spokes; ++k) {
    // spoke k comes down k shares of a turn after spoke 0
    const double angle = -k * share;
    add("s" + std::to_string(k), 1, JointType::fixed, {std::cos(angle / 2), 0, std::sin(angle / 2), 0});
    Leg leg;
    leg.name = c.links.back().name;
    leg.hip = leg.foot = int(c.links.size()) - 1;
    leg.sole = {0, 0, -radius};
    c.legs.push_back(leg);
    ContactPoint point;
    point.name = leg.name;
    point.link = leg.foot;
    point.pos = leg.sole;
    point.foot = true;
    c.contacts.push_back(point);
  }
  const double side = 2 * radius * std::sin(share / 2), rate = 600;
  for (int f = 0; f <= 5 * turn_time * rate; ++f) {
    const double t = f / rate, spoke = t / turn_time * spokes, k = std::floor(spoke + 0.5);
    const double lean = (spoke - k) * share;  // of the standing spoke, from upright
    m.time.push_back(t);
    m.q.insert(m.q.end(),
               {k * side + radius * std::sin(lean), 0, radius * std::cos(lean), 1, 0, 0, 0, spoke * share});
    m.v.insert(m.v.end(), 7, 0.0);
    for (int i = 0; i < spokes; ++i)
      m.contact_force.insert(m.contact_force.end(), {0, 0, i == int(k) % spokes ? 50.0 : 0.0});
  }
  return m;
}

TEST(Gait, MeasuresAWheelOfKnownStride) {
  const double radius = 0.4, turn_time = 1.5;
  for (const int spokes : {5, 8}) {
    const Gait g = measure_gait(rimless_wheel(spokes, radius, turn_time));
    const double stride = spokes * 2 * radius * std::sin(pi / spokes);
    EXPECT_NEAR(g.stride_time, turn_time, 0.01 * turn_time);
    EXPECT_NEAR(g.stride_length, stride, 0.01 * stride);
    EXPECT_NEAR(g.speed, stride / turn_time, 0.01 * stride / turn_time);
    for (int k = 0; k < spokes; ++k) {
      EXPECT_NEAR(g.legs[k].duty_factor, 1.0 / spokes, 0.01) << k;
      const double after = double(k) / spokes - double(g.reference) / spokes;
      EXPECT_NEAR(g.legs[k].phase, after - std::floor(after), 0.01) << k;
    }
  }
}

TEST(Gait, SlidingFeetAreCountedPerStance) {
  const Gait g = measure_gait(walk({.phase = {0, 0.5}, .duty = 0.6, .stride_time = 1, .slide = 0.05}));
  EXPECT_NEAR(g.slip, 0.05 * 0.6, 0.02 * 0.05 * 0.6 + 0.05 / 240);
}

TEST(Gait, FeetThatLandTogetherStepToEachOthersNextLanding) {
  const Gait g = measure_gait(walk({.phase = {0, 0}, .duty = 0.4, .speed = 1, .stride_time = 0.5}));
  EXPECT_EQ(g.name, "hop");
  EXPECT_NEAR(g.step_length, 0.5, 0.005);
  EXPECT_NEAR(g.stride_length, 0.5, 0.005);
}

TEST(Gait, SunkenPointsAreCounted) {
  Motion m = walk({.phase = {0, 0.5}});
  m.terrain.height = 0.013;
  EXPECT_NEAR(measure_gait(m).penetration, 0.013, 1e-12);
}

TEST(Gait, CostOfTransportIsPositiveWorkOverWeightTimesDistance) {
  Motion m = walk({.phase = {0, 0.5}, .speed = 2});
  const int nv = m.creature.nv();
  m.tau.assign(m.v.size(), 0.0);
  // the body is pushed with 30 N at 2 m/s, and a brake takes as much again: only the positive part counts
  for (int f = 0; f < m.frames(); ++f)
    m.tau[size_t(f) * nv] = 30, m.tau[size_t(f) * nv + 1] = -30, m.v[size_t(f) * nv + 1] = 2;
  EXPECT_NEAR(measure_gait(m).cost_of_transport, 30 / (m.creature.mass() * 9.81), 1e-3);
}

TEST(Gait, EveryNamedGaitIsRecognisedFromItsOwnPlan) {
  for (const int pairs : {1, 2, 3, 4}) {
    const Creature c = stilts(pairs);
    for (const std::string& name : gait_names()) {
      GaitPlan plan;
      try {
        plan = plan_gait(name, c);
      } catch (const Error&) {
        continue;
      }
      SCOPED_TRACE(name + " on " + std::to_string(2 * pairs) + " legs");
      EXPECT_EQ(gait_name(plan.legs), name);
      Walk w{.phase = {}, .duty = plan.legs[0].duty_factor};
      for (const LegTiming& leg : plan.legs) w.phase.push_back(leg.phase);
      EXPECT_EQ(measure_gait(walk(w)).name, name);
    }
  }
}

TEST(Gait, TimingThatFitsNoRuleIsUnnamed) {
  EXPECT_EQ(measure_gait(walk({.phase = {0, 0.25}})).name, "unnamed");
  EXPECT_EQ(measure_gait(walk({.phase = {0, 0.5, 0.2, 0.6, 0.9, 0.1}, .duty = 0.5})).name, "unnamed");
}

TEST(Gait, AMotionWithoutLegsOrFramesIsAnError) {
  Motion m = walk({.phase = {0, 0.5}});
  m.creature.legs.clear();
  try {
    measure_gait(m);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(
        e.what(),
        "creature 'stilts': has no legs, so no gait; add a [[leg]] with name, hip and foot for each");
  }
  Motion empty;
  empty.creature = stilts(1);
  try {
    measure_gait(empty);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "motion of 'stilts': has no frames; nothing can be measured");
  }
}

TEST(Gait, StandingStillHasNoStrideAndNoName) {
  Motion m = walk({.phase = {0, 0.5}, .duty = 1.0, .speed = 0});
  const Gait g = measure_gait(m);
  EXPECT_EQ(g.name, "unnamed");
  EXPECT_TRUE(std::isnan(g.stride_time));
  EXPECT_NEAR(g.speed, 0, 1e-12);
}

TEST(Gait, FallenIsTiltedOrLow) {
  Motion m = walk({.phase = {0, 0.5}});
  EXPECT_FALSE(has_fallen(m));
  const size_t last = size_t(m.frames() - 1) * m.creature.nq();
  m.q[last + 2] = 0.1;
  EXPECT_TRUE(has_fallen(m));
  m.q[last + 2] = body_height;
  m.q[last + 3] = std::cos(0.6), m.q[last + 4] = std::sin(0.6);  // rolled by 69 degrees
  EXPECT_TRUE(has_fallen(m));
}

TEST(Support, MarginOfASquareIsTheDistanceToItsNearestEdge) {
  const std::vector<Vec3d> hull =
      convex_hull_2d({{0, 0, 0}, {1, 0, 5}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, 0}, {0.5, 0, 0}});
  EXPECT_EQ(hull.size(), 4u);
  EXPECT_NEAR(support_margin(hull, {0.5, 0.2, 9}), 0.2, 1e-12);
  EXPECT_NEAR(support_margin(hull, {1.3, 0.5, 0}), -0.3, 1e-12);
  EXPECT_NEAR(support_margin(convex_hull_2d({{0, 0, 0}, {1, 0, 0}}), {0.5, 0.1, 0}), -0.1, 1e-12);
}

}  // namespace
}  // namespace legwork
