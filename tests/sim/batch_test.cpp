// A batch is eight simulations: every lane has the bits of its own scalar run.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "bodies.h"

namespace legwork {
namespace {

using namespace bodies;

// Eight bodies of one topology that differ in mass, size and springs.
std::vector<Creature> family(const Creature& first) {
  std::vector<Creature> all;
  for (int i = 0; i < batch_lanes; ++i) {
    Creature c = first;
    for (Link& link : c.links) {
      const double scale = 1 + 0.05 * i;
      link.mass *= scale;
      link.inertia = link.inertia * scale;
      link.com = link.com * (1 + 0.02 * i);
      for (Joint& j : link.joints)
        for (Dof& d : j.dofs) d.spring.stiffness *= 1 + 0.1 * i, d.damper *= 1 + 0.03 * i;
    }
    all.push_back(c);
  }
  return all;
}

void expect_same_bits(const World& world, const Creature& first, Integrator integrator, double dt,
                      int count) {
  const std::vector<Creature> bodies = family(first);
  std::vector<const Creature*> pointers;
  for (const Creature& c : bodies) pointers.push_back(&c);
  const System<Batch> batch_system = make_batch_system(world, pointers);
  Simulation<Batch> batch(batch_system, steps(integrator, dt));
  std::vector<double> q = first.pose("");
  q[2] = 0.35;
  std::vector<double> v(first.nv());
  for (int i = 0; i < first.nv(); ++i) v[i] = std::sin(1.3 * i);
  batch.reset(q, v);

  std::vector<System<double>> systems;
  for (const Creature& c : bodies) {
    World one = world;
    one.body = c;
    systems.push_back(make_system(one));
  }
  std::vector<Simulation<double>> scalars;
  for (const System<double>& s : systems) {
    scalars.emplace_back(s, steps(integrator, dt));
    scalars.back().reset(q, v);
  }
  int touched = 0;
  for (int n = 0; n < count; ++n) {
    ASSERT_TRUE(batch.step());
    for (int i = 0; i < batch_lanes; ++i) {
      ASSERT_TRUE(scalars[i].step()) << scalars[i].explain();
      for (int k = 0; k < first.nq(); ++k)
        ASSERT_EQ(std::bit_cast<std::uint64_t>(lane(batch.state.q[k], i)),
                  std::bit_cast<std::uint64_t>(scalars[i].state.q[k]))
            << "step " << n << " lane " << i << " q" << k;
      for (int k = 0; k < first.nv(); ++k)
        ASSERT_EQ(std::bit_cast<std::uint64_t>(lane(batch.state.v[k], i)),
                  std::bit_cast<std::uint64_t>(scalars[i].state.v[k]))
            << "step " << n << " lane " << i << " v" << k;
      for (const SiteRecord<double>& site : scalars[i].ground_contacts) touched += site.touching > 0;
    }
  }
  EXPECT_GT(touched, count);
}

TEST(Batch, EqualsScalarBitForBitWithContact) {
  World world = on_ground({});
  expect_same_bits(world, hexapod(), Integrator::implicit, 1e-3, 1000);
}

TEST(Batch, EqualsScalarOnRoughGroundWithExponentialContact) {
  World world = on_ground({});
  world.terrain = parse_terrain("rough:0.03,0.3,3");
  world.contact = parse_contact("exponential");
  expect_same_bits(world, hexapod(), Integrator::implicit, 1e-3, 1000);
}

TEST(Batch, EqualsScalarWithExplicitIntegrators) {
  World world = on_ground({});
  expect_same_bits(world, tumbler(), Integrator::rk4, 2e-4, 1000);
  expect_same_bits(world, tumbler(), Integrator::euler, 1e-4, 1000);
}

TEST(Batch, EqualsScalarInWater) {
  World world = on_ground({});
  world.water = parse_medium("water");
  expect_same_bits(world, hexapod(), Integrator::implicit, 1e-3, 1000);
}

TEST(Batch, ALaneThatDivergesStaysAtItsLastGoodStateAndLeavesTheOthersAlone) {
  Creature c = chain(2);
  const System<Batch> system = make_batch_system(in_air({}), {&c});
  Simulation<Batch> sim(system, steps(Integrator::rk4, 1e-3)), alone(system, steps(Integrator::rk4, 1e-3));
  sim.reset({1, 0.5}), alone.reset({1, 0.5});
  sim.controller = [](const Simulation<Batch>& s, Drive<Batch>& d) {
    if (s.state.time > 0.1) d.tau[0].set(3, 1e12);
  };
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(sim.step());
    ASSERT_TRUE(alone.step());
  }
  EXPECT_EQ(sim.status(3), Status::diverged);
  EXPECT_NEAR(sim.failure(3).time, 0.102, 1.1e-3);
  EXPECT_LE(std::fabs(sim.state.v[0][3]), sim.options.max_speed);
  EXPECT_EQ(sim.status(2), Status::ok);
  EXPECT_EQ(sim.state.q[0][2], alone.state.q[0][2]);
  EXPECT_NE(sim.explain(3), "");
}

}  // namespace
}  // namespace legwork
