// What goes wrong is a status with a cause, never a silent repair; pushes and their text.

#include <gtest/gtest.h>

#include <cmath>

#include "bodies.h"

namespace legwork {
namespace {

using namespace bodies;

Creature stiff_bar() {
  Creature c = chain(1);
  c.links[0].joints[0].dofs[0].spring = {SpringType::linear, 1e6, 0, 0};
  return c;
}

TEST(Divergence, NamesTimeLinkAndTheSpringThatIsTooStiff) {
  const System<double> system = make_system(in_air(stiff_bar()));
  Simulation<double> sim(system, steps(Integrator::euler, 0.01));
  sim.reset({0.01});
  while (sim.step()) {
  }
  EXPECT_EQ(sim.status(), Status::diverged);
  const std::string text = sim.explain();
  EXPECT_NE(text.find("diverged at "), std::string::npos) << text;
  EXPECT_NE(text.find("'bar00' of link 'bar0'"), std::string::npos) << text;
  EXPECT_NE(
      text.find("the spring of 'bar00' bears steps of at most 0.00116 s with euler, and dt is 0.01 s; try "
                "--integrator implicit or --dt 0.000578"),
      std::string::npos)
      << text;
  // the last good state is kept, and stays
  for (const double q : sim.state.q) EXPECT_TRUE(std::isfinite(q));
  for (const double v : sim.state.v) EXPECT_LE(std::fabs(v), sim.options.max_speed);
  const std::vector<double> kept = sim.state.q;
  EXPECT_FALSE(sim.step());
  EXPECT_EQ(sim.state.q, kept);
}

TEST(Divergence, OfAStateThatIsNotFinite) {
  const System<double> system = make_system(in_air(chain(2)));
  Simulation<double> sim(system, steps(Integrator::rk4, 1e-3));
  sim.controller = [](const Simulation<double>& s, Drive<double>& d) {
    if (s.state.time > 0.1) d.tau[1] = std::nan("");
  };
  while (sim.state.time < 1 && sim.step()) {
  }
  EXPECT_EQ(sim.status(), Status::diverged);
  EXPECT_EQ(sim.failure().cause, Cause::not_finite);
  EXPECT_NEAR(sim.failure().time, 0.102, 1.1e-3);
  for (const double q : sim.state.q) EXPECT_TRUE(std::isfinite(q));
}

TEST(Divergence, OfEnergyFromNowhereIsSeenBeforeItIsFast) {
  // a bar on a spring near the limit of explicit stability: its motion grows from rounding
  Creature c = stiff_bar();
  const System<double> system = make_system(in_space(c));
  Simulation<double> sim(system, steps(Integrator::rk4, 1.75e-3));
  sim.reset({0.01});
  while (sim.state.time < 20 && sim.step()) {
  }
  EXPECT_EQ(sim.failure().cause, Cause::energy);
  EXPECT_NE(sim.explain().find("energy from nowhere"), std::string::npos) << sim.explain();
}

TEST(Energy, PutInByADriveIsNotFromNowhere) {
  const System<double> system = make_system(in_space(chain(2)));
  Simulation<double> sim(system, steps(Integrator::rk4, 1e-3));
  sim.controller = [](const Simulation<double>& s, Drive<double>& d) {
    d.tau[0] = 20 * std::sin(3 * s.state.time);
  };
  for (int i = 0; i < 3000; ++i) ASSERT_TRUE(sim.step()) << sim.explain();
  const Energy<double> e = sim.energy();
  EXPECT_GT(e.kinetic, 1);
  EXPECT_NEAR(e.kinetic, e.work, 0.02 * e.kinetic);
  EXPECT_NEAR(sim.gain(), 0, 0.02);
}

TEST(Energy, LostInADamperIsWhatIsMissing) {
  Creature c = chain(1);
  c.links[0].joints[0].dofs[0].damper = 0.3;
  const System<double> system = make_system(in_air(c));
  Simulation<double> sim(system, steps(Integrator::rk4, 1e-3));
  sim.reset({1.2});
  const double start = sim.energy().total();
  double lost = 0;
  for (int i = 0; i < 2000; ++i) {
    const double v0 = sim.state.v[0];
    ASSERT_TRUE(sim.step());
    const double v1 = sim.state.v[0];
    lost += 0.3 * (v0 * v0 + v0 * v1 + v1 * v1) / 3 * 1e-3;
  }
  EXPECT_NEAR(start - sim.energy().total(), lost, 1e-5 * lost);
  EXPECT_LT(sim.gain(), 0);
}

TEST(StableStep, IsTheClosedFormForASpringOnABar) {
  const System<double> system = make_system(in_air(stiff_bar()));
  // a bar about its end: m L^2/3 and the width's part, 0.1 m wide
  const double inertia = 1.0 / 3 + 0.01 / 12;
  const StableStep s = stable_step(system, {0});
  EXPECT_NEAR(s.dt, 2 / std::sqrt(1e6 / inertia), 1e-12);
  EXPECT_EQ(s.what, "the spring of 'bar00'");
}

TEST(StableStep, OfAnExponentialGroundShortensWithTheSpeedOfImpact) {
  World world = on_ground(ball());
  world.contact = parse_contact("exponential:strength=1,sharpness=2000");
  const System<double> system = make_system(world);
  const std::vector<double> q{0, 0, 1.1, 1, 0, 0, 0};
  // the contact point is the ball's centre
  EXPECT_NEAR(impact_speed(system, q, {0, 0, -2, 0, 0, 0}), std::sqrt(4 + 2 * 9.81 * 1.1), 1e-12);
  const StableStep s = stable_step(system, q, 5);
  EXPECT_NEAR(s.dt, 0.5 / (5 * 2000), 1e-15);
  EXPECT_NE(s.what.find("the ground under "), std::string::npos) << s.what;
}

TEST(ChooseStep, TakesWhatIsGivenThenTheCreaturesOwnThenWhatIsStable) {
  World world = in_air(stiff_bar());
  EXPECT_EQ(choose_step(make_system(world)).integrator, Integrator::implicit);
  EXPECT_EQ(choose_step(make_system(world)).dt, 1e-3);
  EXPECT_LT(choose_step(make_system(world), "rk4").dt, 6e-4);
  world.body.integrator = "rk4";
  world.body.dt = 1e-4;
  EXPECT_EQ(choose_step(make_system(world)).integrator, Integrator::rk4);
  EXPECT_EQ(choose_step(make_system(world)).dt, 1e-4);
  EXPECT_EQ(choose_step(make_system(world), "euler", 2e-3).integrator, Integrator::euler);
  EXPECT_EQ(choose_step(make_system(world), "euler", 2e-3).dt, 2e-3);
  try {
    parse_integrator("rkf54");
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "integrator: no integrator 'rkf54'; did you mean 'rkf45'?");
  }
}

TEST(Push, GivesItsImpulseWhateverTheStep) {
  const System<double> system = make_system(in_space(box()));
  for (const double dt : {1e-3, 7e-4, 0.013})
    for (const Integrator integrator :
         {Integrator::euler, Integrator::rk4, Integrator::implicit, Integrator::rkf45}) {
      Simulation<double> sim(system, steps(integrator, dt));
      sim.pushes = {parse_push("box:3,0,-1@0.1234+0.25", system.world.body)};
      sim.reset();
      while (sim.state.time < 0.5) ASSERT_TRUE(sim.step()) << sim.explain();
      EXPECT_NEAR(sim.state.v[0], 3 * 0.25, 1e-12);
      EXPECT_NEAR(sim.state.v[2], -1 * 0.25, 1e-12);
      EXPECT_NEAR(sim.energy().work, sim.energy().kinetic, 2e-2 * sim.energy().kinetic);
    }
}

TEST(Push, TextThatMakesNoSenseIsToldWhatToTry) {
  const Creature c = box();
  const auto message = [&](const std::string& text) -> std::string {
    try {
      parse_push(text, c);
      return "";
    } catch (const Error& e) {
      return e.what();
    }
  };
  EXPECT_EQ(message("1,2,3@0+1"), "");
  EXPECT_EQ(message("bix:1,2,3@0+1"), "push 'bix:1,2,3@0+1': no link 'bix'; did you mean 'box'?");
  const std::string advice = ": not a push; write LINK:fx,fy,fz@start+duration, as in trunk:40,0,0@0.5+0.1";
  EXPECT_EQ(message("box:1,2@0+1"), "push 'box:1,2@0+1'" + advice);
  EXPECT_EQ(message("box:1,2,nan@0+1"), "push 'box:1,2,nan@0+1'" + advice);
  EXPECT_EQ(message(""), "push ''" + advice);
  EXPECT_EQ(message("1,2,3@0+0"), "push '1,2,3@0+0': lasts 0 s; write a duration above 0");
}

}  // namespace
}  // namespace legwork
