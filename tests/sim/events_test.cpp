// Events against closed forms.

#include <gtest/gtest.h>

#include <cmath>

#include "bodies.h"

namespace legwork {
namespace {

using namespace bodies;

TEST(Events, AFallingBallTouchesDownAtTheRootOfTwoHeightOverG) {
  for (const Integrator integrator : {Integrator::rk4, Integrator::rkf45}) {
    const System<double> system = make_system(on_ground(ball()));
    Simulation<double> sim(system, steps(integrator, 1e-3));
    sim.options.event_tolerance = 1e-11;
    sim.reset({0, 0, 1.6, 1, 0, 0, 0});
    std::vector<Event> events;
    sim.on(EventType::touch_down, [&](Simulation<double>& s, const Event& e) {
      events.push_back(e);
      EXPECT_NEAR(s.state.q[2], 0.1, 1e-9);
      s.stop();
    });
    while (sim.step()) {
    }
    ASSERT_EQ(events.size(), 1u);
    const double exact = std::sqrt(2 * 1.5 / 9.81);
    std::printf("touch-down, %s: %.2e s off\n", to_string(integrator), std::fabs(events[0].time - exact));
    EXPECT_NEAR(events[0].time, exact, 1e-9);
    EXPECT_EQ(sim.status(), Status::stopped);
    EXPECT_EQ(sim.state.time, events[0].time);
  }
}

TEST(Events, ABouncingBallAlternatesTouchDownAndLiftOff) {
  World world = on_ground(ball());
  world.contact = parse_contact("exponential:restitution=0.5");
  const System<double> system = make_system(world);
  Simulation<double> sim(system, steps(Integrator::rk4, 1e-4));
  sim.reset({0, 0, 0.6, 1, 0, 0, 0});
  std::vector<Event> events;
  const auto note = [&](Simulation<double>&, const Event& e) { events.push_back(e); };
  sim.on(EventType::touch_down, note);
  sim.on(EventType::lift_off, note);
  while (sim.state.time < 1) ASSERT_TRUE(sim.step()) << sim.explain();
  ASSERT_GE(events.size(), 4u);
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(events[i].type, i % 2 ? EventType::lift_off : EventType::touch_down);
    if (i > 0) EXPECT_GT(events[i].time, events[i - 1].time);
  }
}

TEST(Events, AJointReachesItsLimitWhenTheClosedFormSays) {
  // constant turn in space: from 0 to 1 rad at 3 rad/s
  Creature c = chain(1);
  c.links[0].joints[0].dofs[0].upper = 1;
  const System<double> system = make_system(in_space(c));
  Simulation<double> sim(system, steps(Integrator::rk4, 1e-2));
  sim.reset({0}, {3});
  double time = 0;
  int count = 0;
  sim.on(EventType::joint_limit, [&](Simulation<double>&, const Event& e) {
    ++count;
    time = e.time;
    EXPECT_EQ(e.index, 0);
  });
  while (sim.state.time < 0.5) ASSERT_TRUE(sim.step()) << sim.explain();
  EXPECT_EQ(count, 1);
  EXPECT_NEAR(time, 1.0 / 3, 1e-9);
}

TEST(Events, AConditionOfTheUserIsFoundAndMayChangeTheState) {
  // a pendulum whose speed is set to zero each time it passes the bottom from the left
  const System<double> system = make_system(in_air(simple_pendulum(1, 1)));
  Simulation<double> sim(system, steps(Integrator::rk4, 1e-3));
  sim.reset({-0.5});
  std::vector<double> times;
  const int number = sim.on_condition([](const Simulation<double>& s) { return s.state.q[0]; },
                                      [&](Simulation<double>& s, const Event& e) {
                                        times.push_back(e.time);
                                        s.state.v[0] = 0;
                                        s.refresh();
                                      });
  EXPECT_EQ(number, 0);
  while (sim.state.time < 3) ASSERT_TRUE(sim.step());
  ASSERT_GE(times.size(), 1u);
  // a quarter of the period
  double a = 1, b = std::cos(0.25);
  for (int i = 0; i < 30; ++i) {
    const double m = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = m;
  }
  EXPECT_NEAR(times[0], 0.5 * 3.14159265358979323846 * std::sqrt(1 / 9.81) / a, 1e-9);
  EXPECT_NEAR(sim.state.q[0], 0, 1e-8);
}

TEST(Events, DoNotDisturbTheMotion) {
  // with and without a listener the step grid is the same; free flight ends up in the same place
  const System<double> system = make_system(in_air(double_pendulum()));
  Simulation<double> plain(system, steps(Integrator::rk4, 1e-3)),
      watched(system, steps(Integrator::rk4, 1e-3));
  plain.reset({1, 0.3}), watched.reset({1, 0.3});
  int count = 0;
  watched.on_condition([](const Simulation<double>& s) { return s.state.q[0]; },
                       [&](Simulation<double>&, const Event&) { ++count; });
  for (int i = 0; i < 3000; ++i) {
    plain.step();
    watched.step();
    ASSERT_EQ(plain.state.time, watched.state.time);
  }
  EXPECT_GT(count, 0);
  EXPECT_NEAR(plain.state.q[0], watched.state.q[0], 1e-8);
}

// What RKF45 takes back when a step fails: anchors, breaks, drives.
TEST(Fehlberg, TakesBackWhatIsNotIntegrated) {
  // a ball on a breakable spring is thrown hard; a controller counts accepted time in x and passes in a drive
  Creature c = ball();
  c.attachments.push_back({"tie", 0, -1, {}, {0, 0, 2}, 50, 1, 0.5, 0, 0.8});
  World world = on_ground(c);
  const System<double> system = make_system(world);
  Simulation<double> sim(system, steps(Integrator::rkf45, 0.02));
  sim.options.tolerance = 1e-8;
  sim.reset({0, 0, 1.5, 1, 0, 0, 0}, {0, 0, -3, 0, 0, 0});
  sim.state.drive.x = {0};
  sim.state.drive.x_rate = {1};
  long calls = 0;
  sim.control_every_stage = true;
  sim.controller = [&](const Simulation<double>& s, Drive<double>& d) {
    ++calls;
    d.x_rate[0] = 1 + 0 * s.state.time;
  };
  for (int i = 0; i < 50; ++i) {
    const double broken_before = sim.state.broken[0];
    ASSERT_TRUE(sim.step()) << sim.explain();
    EXPECT_GE(sim.state.broken[0], broken_before);
    // the variable is time itself, whatever was tried in between
    EXPECT_NEAR(sim.state.drive.x[0], sim.state.time, 1e-12);
  }
  EXPECT_EQ(sim.state.broken[0], 1);
  EXPECT_GT(calls, 50 * 6);

  // the same motion with steps that never need to be taken back
  Simulation<double> fine(system, steps(Integrator::rk4, 2e-6));
  fine.reset({0, 0, 1.5, 1, 0, 0, 0}, {0, 0, -3, 0, 0, 0});
  while (fine.state.broken[0] == 0 && fine.state.time < 1) ASSERT_TRUE(fine.step());
  Simulation<double> adaptive(system, steps(Integrator::rkf45, 2e-4));
  adaptive.options.tolerance = 1e-8;
  adaptive.reset({0, 0, 1.5, 1, 0, 0, 0}, {0, 0, -3, 0, 0, 0});
  while (adaptive.state.broken[0] == 0 && adaptive.state.time < 1) ASSERT_TRUE(adaptive.step());
  EXPECT_NEAR(adaptive.state.time, fine.state.time, 3e-4);
}

}  // namespace
}  // namespace legwork
