// Dry friction against closed forms: what rests stays, what slides slows by F / m.

#include <gtest/gtest.h>

#include <cmath>

#include "creature/complete.h"
#include "sim/simulation.h"

namespace legwork {
namespace {

constexpr double mass = 2, friction = 3, mass_of_two = 1;

// A box on a rail, without weight along it.
Creature sledge(double dry) {
  Creature c;
  c.name = "sledge";
  Link link;
  link.name = "box";
  link.mass = mass;
  link.inertia = Sym3d::diagonal(0.1, 0.1, 0.1);
  Joint joint;
  joint.type = JointType::slide;
  joint.axes = {Vec3d(1, 0, 0)};
  joint.dofs.resize(1);
  joint.dofs[0].friction = dry;
  link.joints = {joint};
  c.links = {link};
  complete(c);
  return c;
}

// Two rods that hang on each other.
Creature rods(double dry) {
  Creature c;
  c.name = "rods";
  for (int i = 0; i < 2; ++i) {
    Link link;
    link.name = i == 0 ? "upper" : "lower";
    link.parent = i - 1;
    link.pos = {0, 0, i == 0 ? 2.0 : -0.5};
    link.mass = mass_of_two;
    link.com = {0, 0, -0.25};
    link.inertia = Sym3d::diagonal(0.03, 0.03, 0.002);
    Joint joint;
    joint.type = JointType::hinge;
    joint.axes = {Vec3d(0, 1, 0)};
    joint.dofs.resize(1);
    joint.dofs[0].friction = dry * (i == 0 ? 1 : 0.4);
    link.joints = {joint};
    c.links.push_back(link);
  }
  complete(c);
  return c;
}

World world_of(Creature body) {
  World world;
  world.body = std::move(body);
  world.terrain = no_terrain();
  return world;
}

TEST(Friction, ASlidingBoxStopsAfterItsTimeAndStaysThere) {
  for (const Integrator integrator : {Integrator::implicit, Integrator::euler, Integrator::rk4}) {
    SCOPED_TRACE(to_string(integrator));
    const System<double> system = make_system(world_of(sledge(friction)));
    Simulation<double> sim(system, {.integrator = integrator, .dt = 1e-3});
    sim.reset({0}, {1.2});
    const double stop = 1.2 * mass / friction, way = 0.5 * 1.2 * stop;
    while (sim.state.time < stop - 2e-3) {
      ASSERT_TRUE(sim.step());
      EXPECT_NEAR(sim.state.v[0], 1.2 - friction / mass * sim.state.time, 1e-9);
      EXPECT_NEAR(sim.tau[0], -friction, 1e-12);
    }
    while (sim.state.time < stop + 0.1) sim.step();
    EXPECT_LT(std::fabs(sim.state.v[0]), 1e-12);
    EXPECT_NEAR(sim.state.q[0], way, 1.5e-3 * 1.2);
    const double there = sim.state.q[0];
    while (sim.state.time < 3) sim.step();
    EXPECT_NEAR(sim.state.q[0], there, 1e-12);
    if (integrator == Integrator::rk4) continue;
    EXPECT_EQ(sim.state.v[0], 0);
    EXPECT_EQ(sim.state.q[0], there);
  }
}

TEST(Friction, AJointAtRestStaysUntilMoreThanItsFrictionActs) {
  const System<double> system = make_system(world_of(sledge(friction)));
  for (const double push : {0.5, 2.999, -2.999, 3.001, 5.0, -8.0}) {
    SCOPED_TRACE(push);
    Simulation<double> sim(system, {.dt = 1e-3});
    sim.reset();
    sim.state.drive.tau[0] = push;
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(sim.step());
    const double left = std::max(std::fabs(push) - friction, 0.0);
    EXPECT_NEAR(sim.state.v[0], std::copysign(left, push) / mass, 1e-9);
    if (left == 0) EXPECT_EQ(sim.state.q[0], 0);
    // the record holds all that acts in the joint
    EXPECT_NEAR(sim.tau[0], std::copysign(left, push), 1e-9);
  }
}

TEST(Friction, AHeldPendulumCarriesItsWeightToTheLastDigits) {
  const System<double> system = make_system(world_of(rods(20)));
  Simulation<double> sim(system, {.dt = 1e-3});
  sim.reset({0.7, -0.4});
  for (int i = 0; i < 2000; ++i) ASSERT_TRUE(sim.step());
  EXPECT_EQ(sim.state.q[0], 0.7);
  EXPECT_EQ(sim.state.q[1], -0.4);
  // weight times lever, of both rods
  const double g = 9.81, lower = -mass_of_two * g * 0.25 * std::sin(0.3);
  const double upper = -mass_of_two * g * (0.25 + 0.5) * std::sin(0.7) + lower;
  EXPECT_NEAR(sim.tau[0], -upper, 1e-12);
  EXPECT_NEAR(sim.tau[1], -lower, 1e-12);
}

TEST(Friction, TakesEnergyAndNeverGivesAny) {
  const System<double> system = make_system(world_of(rods(0.8)));
  for (const Integrator integrator : {Integrator::implicit, Integrator::rk4, Integrator::rkf45}) {
    SCOPED_TRACE(to_string(integrator));
    Simulation<double> sim(system, {.integrator = integrator, .dt = 5e-4});
    sim.reset({2.0, 1.0});
    // an implicit step of the first order has an error of its own that comes and goes
    const double slack = integrator == Integrator::implicit ? 1e-4 : 1e-7;
    double before = sim.energy().total();
    for (int i = 0; i < 20000; ++i) {
      ASSERT_TRUE(sim.step());
      const double now = sim.energy().total();
      ASSERT_LT(now, before * (1 + slack));
      before = now;
    }
    EXPECT_LT(std::fabs(sim.state.v[0]) + std::fabs(sim.state.v[1]), 1e-6);
  }
}

TEST(Friction, BatchesHoldTheBitsOfEachAlone) {
  std::vector<Creature> bodies;
  for (int i = 0; i < batch_lanes; ++i) bodies.push_back(rods(0.05 * i));
  std::vector<const Creature*> pointers;
  for (const Creature& c : bodies) pointers.push_back(&c);
  const System<Batch> together = make_batch_system(world_of(bodies[0]), pointers);
  Simulation<Batch> batch(together, {.dt = 1e-3});
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < batch_lanes; ++i) batch.state.q[std::size_t(k)].set(i, 1.5 - 0.2 * i + k);
  batch.restart();
  for (int s = 0; s < 1500; ++s) ASSERT_TRUE(batch.step());
  for (int i = 0; i < batch_lanes; ++i) {
    SCOPED_TRACE(i);
    const System<double> system = make_system(world_of(bodies[std::size_t(i)]));
    Simulation<double> sim(system, {.dt = 1e-3});
    sim.reset({1.5 - 0.2 * i, 2.5 - 0.2 * i});
    for (int s = 0; s < 1500; ++s) ASSERT_TRUE(sim.step());
    for (int k = 0; k < 2; ++k) {
      EXPECT_EQ(batch.state.q[std::size_t(k)][i], sim.state.q[std::size_t(k)]);
      EXPECT_EQ(batch.state.v[std::size_t(k)][i], sim.state.v[std::size_t(k)]);
    }
  }
}

}  // namespace
}  // namespace legwork
