// Bodies on the ground: friction, rebound, rest.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "bodies.h"
#include "motion/record.h"

namespace legwork {
namespace {

using namespace bodies;

constexpr double g = 9.81;

// A box lying flat on a slope that rises along x, a hair inside it.
struct Slope {
  Slope(double degrees, double friction, Integrator integrator, double dt,
        const std::string& contact = "linear")
      : angle(degrees * 3.14159265358979323846 / 180) {
    World world = on_ground(box({0.4, 0.3, 0.1}));
    world.terrain = parse_terrain("slope:" + std::to_string(degrees) + "deg");
    world.contact = parse_contact(contact);
    world.contact.friction = friction;
    system = make_system(world);
    sim = std::make_unique<Simulation<double>>(system, steps(integrator, dt));
    const double height = 0.05 / std::cos(angle);
    sim->reset({0, 0, height, std::cos(-angle / 2), 0, std::sin(-angle / 2), 0});
  }
  double along() const {  // m down the slope
    return -(sim->state.q[0] * std::cos(angle) + sim->state.q[2] * std::sin(angle));
  }
  double speed() const { return -(sim->state.v[0] * std::cos(angle) + sim->state.v[2] * std::sin(angle)); }
  void run(double seconds) {
    const long n = std::lround(seconds / sim->options.dt);
    for (long i = 0; i < n; ++i) ASSERT_TRUE(sim->step()) << sim->explain();
  }

  double angle;
  System<double> system;
  std::unique_ptr<Simulation<double>> sim;
};

TEST(Slope, BelowTheFrictionAngleABoxSticks) {
  for (const char* contact : {"linear", "exponential"})
    for (const Integrator integrator : {Integrator::implicit, Integrator::rk4}) {
      // friction angle of 0.5: 26.57 degrees
      Slope s(25, 0.5, integrator, integrator == Integrator::implicit ? 1e-3 : 1e-4, contact);
      const double start = s.along();
      s.run(2);
      const double settled = s.along() - start;
      s.run(5);
      const double creep = std::fabs(s.along() - start - settled) / 5;
      std::printf(
          "box on 25 deg, friction 0.5, %s, %s: slips %.2e m while it settles, then creeps %.1e m/s\n",
          contact, to_string(integrator), settled, creep);
      EXPECT_LT(std::fabs(settled), 2e-3);
      EXPECT_LT(creep, 1e-7);
    }
}

TEST(Slope, AboveTheFrictionAngleABoxSlidesWithTheRightAcceleration) {
  for (const Integrator integrator : {Integrator::implicit, Integrator::rk4}) {
    Slope s(35, 0.5, integrator, integrator == Integrator::implicit ? 1e-3 : 1e-4);
    s.run(0.5);
    const double v0 = s.speed();
    s.run(0.5);
    const double measured = (s.speed() - v0) / 0.5,
                 expected = g * (std::sin(s.angle) - 0.5 * std::cos(s.angle));
    std::printf("box on 35 deg, friction 0.5, %s: accelerates with %.5f m/s^2, Coulomb says %.5f\n",
                to_string(integrator), measured, expected);
    EXPECT_NEAR(measured, expected, 2e-3 * expected);
  }
}

// Energy of a ball that fell from 1 m (bottom) at the top of its first rebound, as a share.
double rebound(const std::string& contact, Integrator integrator, double dt) {
  World world = on_ground(ball());
  world.contact = parse_contact(contact);
  const System<double> system = make_system(world);
  Simulation<double> sim(system, steps(integrator, dt));
  sim.reset({0, 0, 1.1, 1, 0, 0, 0});
  while (sim.state.v[2] <= 0 && sim.step()) {
  }
  while ((sim.state.q[2] < 0.1 || sim.state.v[2] > 0) && sim.step()) {
  }
  EXPECT_EQ(sim.status(), Status::ok) << sim.explain();
  return (sim.state.q[2] - 0.1) / 1.0;
}

TEST(Ball, ReboundsWithTheStatedShareOfItsEnergy) {
  for (const char* type : {"linear", "exponential"})
    for (const double restitution : {1.0, 0.7, 0.3}) {
      const double share =
          rebound(std::string(type) + ":restitution=" + std::to_string(restitution), Integrator::rk4, 2e-5);
      std::printf("ball, %s, restitution %.1f: %.4f of the energy comes back\n", type, restitution, share);
      if (std::string(type) == "linear" && restitution == 1) continue;  // its own damper takes the energy
      EXPECT_NEAR(share, restitution, 0.02);
    }
}

TEST(Ball, ReboundsTheSameWithTheStepThatIsChosenForEveryIntegrator) {
  for (const char* contact : {"linear:restitution=0.7", "exponential:restitution=0.7"})
    for (const char* integrator : {"", "euler", "rk4", "rkf45"}) {
      World world = on_ground(ball());
      world.contact = parse_contact(contact);
      const System<double> system = make_system(world);
      const double impact = impact_speed(system, {0, 0, 1.1, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 0});
      const StepOptions step = choose_step(system, integrator, 0, impact);
      if (!*integrator) EXPECT_EQ(step.integrator, Integrator::rkf45);
      EXPECT_NEAR(rebound(contact, step.integrator, step.dt), 0.7, 0.02) << contact << " " << integrator;
    }
}

TEST(Ball, FallsAndRestsWhereItsWeightIsCarried) {
  World world = on_ground(ball());
  const System<double> system = make_system(world);
  Simulation<double> sim(system, steps(Integrator::implicit, 1e-3));
  sim.reset({0, 0, 0.3, 1, 0, 0, 0});
  for (int i = 0; i < 3000; ++i) ASSERT_TRUE(sim.step()) << sim.explain();
  sim.probe();
  EXPECT_NEAR(sim.ground_contacts[0].force.z, g, 1e-6);
  EXPECT_NEAR(sim.state.v[2], 0, 1e-9);
}

TEST(Creature, DroppedOnRoughTerrainComesToRestAndStays) {
  for (const char* contact : {"linear", "exponential"}) {
    World world = on_ground(hexapod());
    world.terrain = parse_terrain("rough:0.03,0.3,7");
    world.contact = parse_contact(contact);
    const System<double> system = make_system(world);
    SimOptions options;
    options.height = 0.2;
    const Start start = start_of(system, options);
    Simulation<double> sim(system, choose_step(system));
    sim.reset(start.q, start.v);
    for (int i = 0; i < 5000; ++i) ASSERT_TRUE(sim.step()) << sim.explain();
    const std::vector<double> rested = sim.state.q;
    const Vec3d before = center_of_mass(system.model, sim.w);
    for (int i = 0; i < 5000; ++i) ASSERT_TRUE(sim.step()) << sim.explain();
    sim.probe();
    double depth = 0, weight = 0, fastest = 0;
    int touching = 0;
    for (const SiteRecord<double>& site : sim.ground_contacts) {
      depth = std::max(depth, site.depth);
      weight += site.force.z;
      touching += site.touching > 0;
    }
    for (const double v : sim.state.v) fastest = std::max(fastest, std::fabs(v));
    const double creep = norm(center_of_mass(system.model, sim.w) - before) / 5;
    std::printf(
        "hexapod dropped on rough ground, %s: %d points touch, penetration %.2e m, creep %.1e m/s, fastest "
        "joint %.1e, "
        "weight carried %.6f of %.6f N\n",
        contact, touching, depth, creep, fastest, weight, total_mass(system.model) * g);
    EXPECT_GE(touching, 3);
    EXPECT_LT(depth, 2e-3);
    EXPECT_LT(creep, 1e-5);
    EXPECT_LT(fastest, 1e-3);
    EXPECT_NEAR(weight, total_mass(system.model) * g, 1e-3);
  }
}

}  // namespace
}  // namespace legwork
