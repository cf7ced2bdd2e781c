// Recording, and the simplest simulated motion.

#include "motion/record.h"

#include <gtest/gtest.h>

#include <cmath>

#include "../sim/bodies.h"

namespace legwork {
namespace {

using namespace bodies;

TEST(Simulate, RecordsFramesAtExactMultiplesOfTheRate) {
  SimOptions o;
  o.seconds = 0.5;
  o.rate = 30;
  o.dt = 1e-3;  // 33.3 steps would fit a frame: it takes 34
  o.height = 0.2;
  const Motion m = simulate(on_ground(hexapod()), o);
  ASSERT_EQ(m.frames(), 16);
  for (int f = 0; f < m.frames(); ++f) EXPECT_EQ(m.time[f], f / 30.0);
  const int nq = m.creature.nq(), nv = m.creature.nv();
  EXPECT_EQ(m.q.size(), std::size_t(16 * nq));
  EXPECT_EQ(m.v.size(), std::size_t(16 * nv));
  EXPECT_EQ(m.tau.size(), std::size_t(16 * nv));
  EXPECT_EQ(m.contact_force.size(), 16 * 3 * m.creature.contacts.size());
  for (const Channel& c : m.channels) EXPECT_EQ(c.values.size(), std::size_t(16 * c.width)) << c.name;
  EXPECT_EQ(m.status, Status::ok);
  EXPECT_EQ(m.made.creature, "hexapod");
}

TEST(Simulate, StartsWithTheLowestPointAtTheHeight) {
  for (const char* terrain : {"plane", "slope:20deg", "rough:0.05,0.3,2"}) {
    World world = on_ground(hexapod());
    world.terrain = parse_terrain(terrain);
    const System<double> system = make_system(world);
    SimOptions o;
    o.height = 0.07;
    const Start start = start_of(system, o);
    Simulation<double> sim(system);
    sim.reset(start.q);
    double lowest = 1e9;
    for (const ContactSite<double>& c : system.contacts.sites)
      lowest = std::min(lowest,
                        -ground_depth(world.terrain, point_position(sim.w, c.link, c.pos), c.radius).depth);
    EXPECT_NEAR(lowest, 0.07, 1e-9) << terrain;
  }
}

TEST(Simulate, ThrowsTheCentreOfMassAndSpinsAboutIt) {
  const System<double> system = make_system(in_air(tumbler()));
  SimOptions o;
  o.throw_velocity = {1, -2, 3};
  o.spin = {0.5, 1, -2};
  const Start start = start_of(system, o);
  Simulation<double> sim(system);
  sim.reset(start.q, start.v);
  const Vec3d velocity = momentum(system.model, sim.w).lin * (1 / total_mass(system.model));
  EXPECT_NEAR(norm(velocity - o.throw_velocity), 0, 1e-12);
  for (const Twist<double>& v : sim.w.vel) EXPECT_NEAR(norm(v.ang - o.spin), 0, 1e-12);
}

TEST(Simulate, WithoutGroundFollowsTheParabola) {
  SimOptions o;
  o.seconds = 1;
  o.integrator = "rk4";
  o.throw_velocity = {1, 0, 5};
  o.spin = {1, 2, 3};
  const Motion m = simulate(in_air(tumbler()), o);
  const Channel* com = m.channel("center of mass");
  ASSERT_NE(com, nullptr);
  const double* first = com->values.data();
  for (int f = 0; f < m.frames(); ++f) {
    const double t = m.time[f], *c = &com->values[3 * f];
    EXPECT_NEAR(c[0], first[0] + t, 1e-9);
    EXPECT_NEAR(c[1], first[1], 1e-9);
    EXPECT_NEAR(c[2], first[2] + 5 * t - 0.5 * 9.81 * t * t, 1e-9);
  }
}

TEST(Simulate, TwiceGivesTheSameBits) {
  SimOptions o;
  o.seconds = 0.5;
  o.height = 0.1;
  o.spin = {1, 2, 3};
  const World world = on_ground(hexapod());
  const Motion a = simulate(world, o), b = simulate(world, o);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.v, b.v);
  EXPECT_EQ(a.contact_force, b.contact_force);
}

TEST(Simulate, GroundForcesCarryTheWeightAtRest) {
  SimOptions o;
  o.seconds = 4;
  o.height = 0.05;
  const World world = on_ground(hexapod());
  const Motion m = simulate(world, o);
  double sum = 0;
  const std::size_t n = m.creature.contacts.size();
  for (std::size_t i = 0; i < n; ++i) sum += m.contact_force[(std::size_t(m.frames() - 1) * n + i) * 3 + 2];
  EXPECT_NEAR(sum, m.creature.mass() * 9.81, 1e-3);
}

TEST(Simulate, ThatDivergesEndsEarlyWithAStatusAndFiniteFrames) {
  Creature c = chain(1);
  c.links[0].joints[0].dofs[0].spring = {SpringType::linear, 1e7, 0, 1};
  SimOptions o;
  o.integrator = "euler";
  o.dt = 1e-3;
  const Motion m = simulate(in_air(c), o);
  EXPECT_EQ(m.status, Status::diverged);
  EXPECT_LT(m.frames(), 121);
  EXPECT_NE(m.status_text.find("try --integrator implicit"), std::string::npos) << m.status_text;
  for (const double x : m.q) EXPECT_TRUE(std::isfinite(x));
}

TEST(Simulate, SaysWhatIsWrongWithItsOptions) {
  const auto message = [](auto change) -> std::string {
    SimOptions o;
    change(o);
    try {
      simulate(in_air(chain(1)), o);
      return "";
    } catch (const Error& e) {
      return e.what();
    }
  };
  EXPECT_EQ(message([](SimOptions& o) { o.seconds = -1; }), "seconds: -1 is no time; write 0 to 1e6 s");
  EXPECT_EQ(message([](SimOptions& o) { o.rate = 0; }),
            "rate: 0 is no frame rate; write more than 0, up to 1e6 per s");
  EXPECT_EQ(message([](SimOptions& o) { o.dt = std::nan(""); }),
            "dt: nan is no time step; write up to 1 s, or 0 for what suits the creature");
  EXPECT_EQ(message([](SimOptions& o) { o.seconds = 1e6, o.rate = 1000; }),
            "seconds: 1e+09 frames; lower --rate or --seconds");
  EXPECT_EQ(message([](SimOptions& o) { o.integrator = "rk5"; }),
            "integrator: no integrator 'rk5'; did you mean 'rk4'?");
}

TEST(Simulate, RefusesLoopsThatCannotClose) {
  Creature c = chain(2);
  Loop loop;
  loop.link = 1;
  loop.pos = {0, 0, -1};
  loop.other_pos = {5, 0, 0};
  c.loops = {loop};
  try {
    simulate(in_air(c), {});
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("chain: its loops stay open by "), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace legwork
