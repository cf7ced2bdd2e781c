// Rigid ground against closed forms, under every integrator.

#include <gtest/gtest.h>

#include <cmath>

#include "bodies.h"
#include "creature/complete.h"
#include "tests/scenes/error_of.h"

namespace legwork {
namespace {

using namespace bodies;

World on_rigid_ground(Creature body, const std::string& more = "") {
  World world = on_ground(std::move(body));
  world.contact = parse_contact("rigid" + more);
  return world;
}

constexpr Integrator every_integrator[] = {Integrator::implicit, Integrator::euler, Integrator::rk4,
                                           Integrator::rkf45};
bool locates(Integrator i) { return i == Integrator::rk4 || i == Integrator::rkf45; }

TEST(RigidGround, ABallReboundsWithItsShareOfTheEnergyAndTouchesWhenTheClosedFormSays) {
  const double e = 0.6;  // of the speed
  for (const Integrator integrator : every_integrator) {
    SCOPED_TRACE(to_string(integrator));
    const System<double> system = make_system(on_rigid_ground(ball(), ":restitution=0.36"));
    Simulation<double> sim(system, steps(integrator, 1e-3));
    sim.reset({0, 0, 0.6, 1, 0, 0, 0});
    const double fall = std::sqrt(2 * 0.5 / 9.81), top = 0.1 + 0.5 * e * e;
    double highest = 0;
    while (sim.state.time < fall * (1 + 2 * e) - 2e-3) {
      ASSERT_TRUE(sim.step()) << sim.explain();
      if (sim.state.time > fall + 2e-3) highest = std::max(highest, sim.state.q[2]);
    }
    EXPECT_NEAR(highest, top, locates(integrator) ? 1e-6 : 0.02);
    ASSERT_FALSE(sim.rigid.changes.empty());
    EXPECT_NEAR(sim.rigid.changes[0].time, fall, locates(integrator) ? 1e-9 : 2e-3);
    // the account: what fell is what is left and what the impact took
    const Energy<double> now = sim.energy();
    const double lost = sim.state.flows[flow_impacts] - sim.state.flows[flow_ground];
    EXPECT_NEAR(now.total() + lost, sim.origin.start.total(), locates(integrator) ? 1e-6 : 0.1);
  }
}

// Lays a block of 0.2 m flat on a slope of 0.4 rad; where it lies. The slope rises along x: a turn of -0.4
// about y.
Vec3d lay_on_slope(Simulation<double>& sim) {
  const double half = 0.1;
  sim.reset({-half * std::sin(0.4), 0, half * std::cos(0.4), std::cos(0.2), 0, -std::sin(0.2), 0});
  return {sim.state.q[0], sim.state.q[1], sim.state.q[2]};
}

TEST(RigidGround, ABlockSlidesDownASlopeAsFrictionLets) {
  for (const Integrator integrator : every_integrator) {
    SCOPED_TRACE(to_string(integrator));
    World world = on_rigid_ground(box({0.2, 0.2, 0.2}), ":friction=0.2");
    world.terrain = slope_terrain(0.4);
    const System<double> system = make_system(world);
    Simulation<double> sim(system, steps(integrator, 1e-3));
    const Vec3d from = lay_on_slope(sim);
    while (sim.state.time < 0.5 - 1e-9) ASSERT_TRUE(sim.step()) << sim.explain();
    const Vec3d to(sim.state.q[0], sim.state.q[1], sim.state.q[2]);
    const double a = 9.81 * (std::sin(0.4) - 0.2 * std::cos(0.4));
    EXPECT_NEAR(norm(to - from), 0.5 * a * 0.25, 2e-3);
    EXPECT_LT(to.x, from.x);
  }
}

TEST(RigidGround, ABlockBelowTheAngleOfFrictionStaysToTheMicrometre) {
  for (const Integrator integrator : every_integrator) {
    SCOPED_TRACE(to_string(integrator));
    World world = on_rigid_ground(box({0.2, 0.2, 0.2}), ":friction=0.6");
    world.terrain = slope_terrain(0.4);
    const System<double> system = make_system(world);
    Simulation<double> sim(system, steps(integrator, 1e-3));
    const Vec3d from = lay_on_slope(sim);
    while (sim.state.time < 0.5) ASSERT_TRUE(sim.step()) << sim.explain();
    EXPECT_LT(norm(Vec3d(sim.state.q[0], sim.state.q[1], sim.state.q[2]) - from), 1e-6);
    double up = 0;
    for (const SiteRecord<double>& r : sim.ground_contacts) up += r.force.z;
    EXPECT_NEAR(up, system.world.body.mass() * 9.81, 1e-3);
  }
}

TEST(RigidGround, ARollingBallGainsFiveSeventhsOfGravityAlongTheSlope) {
  for (const Integrator integrator : every_integrator) {
    SCOPED_TRACE(to_string(integrator));
    World world = on_rigid_ground(ball());
    world.terrain = slope_terrain(0.2);
    const System<double> system = make_system(world);
    Simulation<double> sim(system, steps(integrator, 1e-3));
    sim.reset({0, 0, 0.1 / std::cos(0.2), 1, 0, 0, 0});
    const Vec3d from(sim.state.q[0], sim.state.q[1], sim.state.q[2]);
    while (sim.state.time < 0.4 - 1e-9) ASSERT_TRUE(sim.step()) << sim.explain();
    const double way = norm(Vec3d(sim.state.q[0], sim.state.q[1], sim.state.q[2]) - from);
    EXPECT_NEAR(way, 0.5 * 5.0 / 7 * 9.81 * std::sin(0.2) * 0.16, locates(integrator) ? 1e-5 : 1e-3);
  }
}

// --- bodies on bodies

// A free or fixed link of one shape.
void add_body(Creature& world, const std::string& name, const Shape& shape, const Vec3d& pos, bool free) {
  Link link;
  link.name = name;
  link.pos = pos;
  link.shapes = {shape};
  if (free) link.joints = {joint(JointType::free)};
  world.links.push_back(link);
}
Shape solid(ShapeType type, const Vec3d& size) {
  Shape shape;
  shape.type = type;
  shape.size = size;
  return shape;
}
World among_bodies(Creature body, const std::string& more = "") {
  name_dofs(body);
  complete(body);
  World world;
  world.body = std::move(body);
  world.terrain = no_terrain();
  world.body_contact = true;
  world.contact = parse_contact("rigid" + more);
  return world;
}

TEST(RigidBodies, WhatLiesAcrossAnEdgeStaysThereToTheMicrometre) {
  struct Case {
    const char* name;
    Shape upper;
    double height;
  };
  const double rim = 0.05;  // of the lower plank, which is fixed
  const Case cases[] = {{"plank", solid(ShapeType::box, {0.1, 1, 0.1}), rim + 0.05},
                        {"capsule", solid(ShapeType::capsule, {0.05, 0.6, 0}), rim + 0.05},
                        {"ball", solid(ShapeType::sphere, {0.1, 0, 0}), rim + 0.1}};
  for (const Integrator integrator : every_integrator)
    for (const Case& c : cases) {
      SCOPED_TRACE(std::string(to_string(integrator)) + " " + c.name);
      Creature bodies;
      add_body(bodies, "low", solid(ShapeType::box, {1, 0.2, 0.1}), {}, false);
      add_body(bodies, "high", c.upper, {0, 0, c.height}, true);
      if (c.upper.type == ShapeType::capsule)  // lies along y, over both edges of the plank
        bodies.links[1].shapes[0].rot = normalized(Quatd{1, 1, 0, 0});
      const System<double> system = make_system(among_bodies(bodies));
      Simulation<double> sim(system, steps(integrator, 1e-3));
      sim.reset({0, 0, c.height, 1, 0, 0, 0});
      while (sim.state.time < 0.5 - 1e-9) ASSERT_TRUE(sim.step()) << sim.explain();
      EXPECT_LT(norm(Vec3d(sim.state.q[0], sim.state.q[1], sim.state.q[2] - c.height)), 2e-6);
    }
}

TEST(RigidBodies, ABarOnTheEdgeOfABarStandsOnOneEdgeUntilItTips) {
  // both stand on edges, crossed, the upper one free to turn about x alone: a support at one place
  Creature bodies;
  add_body(bodies, "low", solid(ShapeType::box, {1, 0.1, 0.1}), {}, false);
  bodies.links[0].shapes[0].rot = normalized(Quatd{std::cos(0.3926990817), std::sin(0.3926990817), 0, 0});
  const double diagonal = 0.1 / std::sqrt(2.0);
  add_body(bodies, "high", solid(ShapeType::box, {0.1, 1, 0.1}), {0, 0, 2 * diagonal}, true);
  bodies.links[1].shapes[0].rot = normalized(Quatd{std::cos(0.3926990817), 0, std::sin(0.3926990817), 0});
  const System<double> system = make_system(among_bodies(bodies, ":friction=1"));
  Simulation<double> sim(system, steps(Integrator::rk4, 1e-3));
  sim.reset({0, 0.001, 2 * diagonal, 1, 0, 0, 0});
  // a bar balanced on an edge, off by 1 mm: it tips with the closed form's rate, m g x / (I + m d^2)
  const double mass = system.world.body.links[1].mass, h = 0.02;
  while (sim.state.time < h - 1e-9) ASSERT_TRUE(sim.step()) << sim.explain();
  const double inertia = mass / 12 * (1 + 0.01) + mass * diagonal * diagonal;
  const double known = -mass * 9.81 * 0.001 / inertia;
  EXPECT_NEAR(sim.state.v[3] / h, known, 0.02 * std::abs(known));
  EXPECT_NEAR(sim.state.q[2], 2 * diagonal, 2e-6);
}

TEST(RigidBodies, ABallThatSlidesOffABallLeavesItWhereTheCosineIsTwoThirds) {
  const double r = 0.1, R = 0.3, start = 0.1;
  Creature bodies;
  add_body(bodies, "low", solid(ShapeType::sphere, {R, 0, 0}), {}, false);
  add_body(bodies, "high", solid(ShapeType::sphere, {r, 0, 0}), {0, 0, 1}, true);
  const System<double> system = make_system(among_bodies(bodies, ":friction=0"));
  Simulation<double> sim(system, steps(Integrator::rk4, 2e-4));
  sim.reset({(R + r) * std::sin(start), 0, (R + r) * std::cos(start), 1, 0, 0, 0});
  double left = 0;
  while (left == 0) {
    ASSERT_TRUE(sim.step()) << sim.explain();
    ASSERT_LT(sim.state.time, 3);
    const Vec3d p(sim.state.q[0], sim.state.q[1], sim.state.q[2]);
    const bool pushed = !sim.rigid.force.empty() && sim.rigid.force[0] > 0;
    if (!pushed && sim.state.time > 0.01) left = p.z / norm(p);
    EXPECT_NEAR(norm(p), R + r, 2e-5);
  }
  EXPECT_NEAR(left, 2.0 / 3 * std::cos(start), 1e-3);
}

TEST(RigidBodies, APartOfABodyRestsOnAnother) {
  // three links: the last folds back onto the first
  Creature body;
  for (int i = 0; i < 3; ++i) {
    Link link;
    link.name = "bar" + std::to_string(i);
    link.parent = i - 1;
    link.shapes = {solid(i == 2 ? ShapeType::capsule : ShapeType::box,
                         i == 2 ? Vec3d(0.05, 0.8, 0) : Vec3d(0.8, 0.2, 0.1))};
    if (i == 1) link.shapes = {solid(ShapeType::box, {0.1, 0.2, 0.6})}, link.pos = {0.5, 0, 0.35};
    if (i == 2) {
      link.shapes[0].rot = normalized(Quatd{1, 0, 1, 0});
      link.shapes[0].pos = {-0.5, 0, 0};
      link.pos = {0, 0, 0.1};
      link.joints = {joint(JointType::hinge, {Vec3d(0, 1, 0)})};
    }
    if (i == 1) link.joints = {joint(JointType::hinge, {Vec3d(0, 0, 1)})};
    body.links.push_back(link);
  }
  const System<double> system = make_system(among_bodies(body));
  for (const Integrator integrator : every_integrator) {
    SCOPED_TRACE(to_string(integrator));
    Simulation<double> sim(system, steps(integrator, 1e-3));
    sim.reset(system.world.body.pose(""));
    while (sim.state.time < 2 - 1e-9) ASSERT_TRUE(sim.step()) << sim.explain();
    // the capsule's end at 0.9 m from the hinge lies on the first bar: 0.45 - 0.05 below the hinge less 0.05
    EXPECT_NEAR(sim.state.v[1], 0, 1e-6);
    const Vec3d end = point_position(sim.w, 2, Vec3d(-0.9, 0, 0));
    EXPECT_NEAR(end.z, 0.1, 1e-4);
  }
}

TEST(RigidGround, BatchesAreRefused) {
  const World world = on_rigid_ground(ball());
  EXPECT_NE(error_of([&] {
              make_batch_system(world, {&world.body});
            }).find("rigid contact cannot be simulated in batches"),
            std::string::npos);
}

}  // namespace
}  // namespace legwork
