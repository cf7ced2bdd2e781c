// Rigid ground against closed forms, under every integrator.

#include <gtest/gtest.h>

#include <cmath>

#include "bodies.h"
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

TEST(RigidGround, BatchesAreRefused) {
  const World world = on_rigid_ground(ball());
  EXPECT_NE(error_of([&] {
              make_batch_system(world, {&world.body});
            }).find("rigid contact cannot be simulated in batches"),
            std::string::npos);
}

}  // namespace
}  // namespace legwork
