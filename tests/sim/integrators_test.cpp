// Integrators against closed forms and conserved quantities.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>

#include <legwork/files.h>
#include "bodies.h"
#include "math/real.h"

namespace legwork {
namespace {

using namespace bodies;

double run_to(Simulation<double>& sim, double time) {
  const long n = std::lround(time / sim.options.dt);
  for (long i = 0; i < n; ++i) EXPECT_TRUE(sim.step());
  return sim.state.time;
}

// Period of a pendulum released at rest at `angle`: 2 pi sqrt(L/g) / agm(1, cos(angle/2)).
double pendulum_period(double length, double g, double angle) {
  double a = 1, b = std::cos(angle / 2);
  for (int i = 0; i < 40; ++i) {
    const double m = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = m;
  }
  return 2 * pi * std::sqrt(length / g) / a;
}

TEST(Pendulum, ReturnsAfterThePeriodOfTheEllipticIntegral) {
  const System<double> system = make_system(in_air(simple_pendulum(2, 0.7)));
  for (const double angle : {0.1, 1.5, 3.0}) {
    const double period = pendulum_period(0.7, 9.81, angle);
    Simulation<double> sim(system, steps(Integrator::rk4, period / 2000));
    sim.reset({angle});
    run_to(sim, period);
    std::printf("pendulum from %.1f rad: %.2e rad off after a period of %.4f s (rk4)\n", angle,
                std::fabs(sim.state.q[0] - angle), period);
    EXPECT_NEAR(sim.state.q[0], angle, 1e-9);
    EXPECT_NEAR(sim.state.v[0], 0, 1e-8);

    Simulation<double> adaptive(system, steps(Integrator::rkf45, period / 10));
    adaptive.options.tolerance = 1e-11;
    adaptive.reset({angle});
    run_to(adaptive, period);
    EXPECT_NEAR(adaptive.state.q[0], angle, 1e-8);
  }
}

// The double pendulum's textbook equations (absolute angles from the vertical, unit masses and lengths),
// integrated in long double with steps of 10 us.
std::array<long double, 4> textbook_double_pendulum(double a1, double a2, double time) {
  using Y = std::array<long double, 4>;
  const auto rate = [](const Y& y) {
    const long double g = 9.81L, d = y[0] - y[1], s = std::sin(d), c = std::cos(d), w1 = y[2] * y[2],
                      w2 = y[3] * y[3];
    const long double den = 2 - c * c;
    const long double r1 = -2 * g * std::sin(y[0]) - s * w2, r2 = -g * std::sin(y[1]) + s * w1;
    return Y{y[2], y[3], (r1 - c * r2) / den, (2 * r2 - c * r1) / den};
  };
  Y y{a1, a2, 0, 0};
  const long double h = 1e-5L;
  const auto at = [](const Y& y, const Y& k, long double h) {
    Y r;
    for (int i = 0; i < 4; ++i) r[i] = y[i] + h * k[i];
    return r;
  };
  for (long n = std::lround(time / 1e-5); n > 0; --n) {
    const Y k1 = rate(y), k2 = rate(at(y, k1, h / 2)), k3 = rate(at(y, k2, h / 2)), k4 = rate(at(y, k3, h));
    for (int i = 0; i < 4; ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return y;
}

TEST(DoublePendulum, FollowsTheTextbookEquations) {
  const auto reference = textbook_double_pendulum(2.0, 2.5, 2.0);
  const System<double> system = make_system(in_air(double_pendulum()));
  for (const Integrator integrator : {Integrator::rk4, Integrator::rkf45}) {
    Simulation<double> sim(system, steps(integrator, 1e-4));
    sim.options.tolerance = 1e-12;
    // a positive turn about y swings a hanging rod to -x: angles from the vertical have one sign throughout
    sim.reset({2.0, 0.5});
    run_to(sim, 2.0);
    const double e1 = std::fabs(sim.state.q[0] - double(reference[0]));
    const double e2 = std::fabs(sim.state.q[0] + sim.state.q[1] - double(reference[1]));
    std::printf("double pendulum, %s: %.1e and %.1e rad off after 2 s\n", to_string(integrator), e1, e2);
    EXPECT_LT(e1, 1e-9);
    EXPECT_LT(e2, 1e-9);
  }
}

struct Drift {
  double energy, linear, angular;
};
Drift drift_in_flight(Integrator integrator, double dt, double time) {
  const System<double> system = make_system(in_space(tumbler()));
  Simulation<double> sim(system, steps(integrator, dt));
  std::vector<double> v(system.model.nv);
  for (int i = 0; i < system.model.nv; ++i) v[i] = std::sin(1.7 * i + 0.3) * (i < 3 ? 0.5 : 4);
  sim.reset(sim.system().world.body.pose(""), v);
  const double e0 = sim.energy().kinetic;
  const Wrench<double> p0 = momentum(system.model, sim.w);
  run_to(sim, time);
  const Wrench<double> p = momentum(system.model, sim.w);
  return {std::fabs(sim.energy().kinetic - e0) / e0, norm(p.lin - p0.lin) / norm(p0.lin),
          norm(p.ang - p0.ang) / norm(p0.ang)};
}

TEST(FreeFlight, OfATumblingArticulatedBodyConservesMomentumAndEnergy) {
  const Drift d = drift_in_flight(Integrator::rk4, 1e-4, 3);
  std::printf("free flight, 3 s, rk4 at 0.1 ms: relative drift of energy %.1e, momentum %.1e, angular %.1e\n",
              d.energy, d.linear, d.angular);
  EXPECT_LT(d.energy, 1e-9);
  EXPECT_LT(d.linear, 1e-9);
  EXPECT_LT(d.angular, 1e-9);
}

// Error at the end of a swing against a fine Runge-Kutta run, for halved steps; the order is the slope.
double measured_order(const World& world, const std::vector<double>& q, const std::vector<double>& v,
                      Integrator integrator, double coarse, double fine_dt, double time) {
  const System<double> system = make_system(world);
  const auto end = [&](Integrator i, double dt) {
    Simulation<double> sim(system, steps(i, dt));
    sim.options.max_gain = 0;
    sim.reset(q, v);
    run_to(sim, time);
    return sim.state;
  };
  const State<double> truth = end(Integrator::rk4, fine_dt);
  double error[2];
  for (int k = 0; k < 2; ++k) {
    const State<double> s = end(integrator, coarse / (1 << k));
    std::vector<double> difference(system.model.nv);
    difference_positions(system.model, truth.q.data(), s.q.data(), difference.data());
    double sum = 0;
    for (int i = 0; i < system.model.nv; ++i) {
      const double dv = s.v[i] - truth.v[i];
      sum += difference[i] * difference[i] + dv * dv;
    }
    error[k] = std::sqrt(sum);
  }
  return std::log2(error[0] / error[1]);
}

// A swinging chain of ball joints with springs and dampers: quaternions, gyroscopic terms, forces.
World springy_chain() {
  Creature c = chain(3, 0.5, JointType::ball);
  for (Link& link : c.links)
    for (Dof& d : link.joints[0].dofs) d.spring = {SpringType::linear, 3, 0, 0}, d.damper = 0.05;
  return in_air(c);
}
const std::vector<double> springy_q = {0.9, 0.3, 0.1, -0.2, 0.8, -0.2, 0.4, 0.1, 0.95, 0.1, 0.2, 0.1};
const std::vector<double> springy_v = {1, -2, 0.5, 0.3, 2, -1, -0.7, 0.2, 3};

TEST(Order, OfEulerIsOne) {
  const double order =
      measured_order(springy_chain(), springy_q, springy_v, Integrator::euler, 2e-4, 1e-4, 0.5);
  std::printf("order of euler: %.3f\n", order);
  EXPECT_NEAR(order, 1, 0.1);
}

TEST(Order, OfImplicitIsOne) {
  const double order =
      measured_order(springy_chain(), springy_q, springy_v, Integrator::implicit, 2e-4, 1e-4, 0.5);
  std::printf("order of implicit: %.3f\n", order);
  EXPECT_NEAR(order, 1, 0.1);
}

TEST(Order, OfRungeKuttaIsFourAlsoOnQuaternions) {
  const double order =
      measured_order(springy_chain(), springy_q, springy_v, Integrator::rk4, 5e-3, 2e-4, 0.5);
  std::printf("order of rk4 on ball joints: %.3f\n", order);
  EXPECT_NEAR(order, 4, 0.25);

  World flight = in_space(tumbler());
  const System<double> system = make_system(flight);
  std::vector<double> v(system.model.nv);
  for (int i = 0; i < system.model.nv; ++i) v[i] = 3 * std::sin(1.7 * i + 0.3);
  const double free_order = measured_order(flight, flight.body.pose(""), v, Integrator::rk4, 1e-2, 2e-4, 0.5);
  std::printf("order of rk4 on a free body: %.3f\n", free_order);
  EXPECT_NEAR(free_order, 4, 0.3);
}

TEST(Order, OfFehlbergIsFiveAtFixedSteps) {
  // an endless tolerance leaves the steps at dt
  const System<double> system = make_system(springy_chain());
  const auto end = [&](Integrator integrator, double dt, double tolerance) {
    Simulation<double> sim(system, steps(integrator, dt));
    sim.options.tolerance = tolerance;
    sim.reset(springy_q, springy_v);
    run_to(sim, 0.5);
    return sim.state.v;
  };
  const std::vector<double> truth = end(Integrator::rk4, 1e-4, 1);
  double error[2] = {};
  for (int k = 0; k < 2; ++k) {
    const std::vector<double> v = end(Integrator::rkf45, 1e-2 / (1 << k), 1e9);
    for (std::size_t i = 0; i < v.size(); ++i) error[k] += (v[i] - truth[i]) * (v[i] - truth[i]);
  }
  const double order = 0.5 * std::log2(error[0] / error[1]);
  std::printf("order of rkf45: %.3f\n", order);
  EXPECT_NEAR(order, 5, 0.4);
}

TEST(Fehlberg, MeetsItsTolerance) {
  const System<double> system = make_system(in_air(double_pendulum()));
  const auto reference = textbook_double_pendulum(2.0, 2.5, 1.0);
  double last = 1;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    Simulation<double> sim(system, steps(Integrator::rkf45, 0.1));
    sim.options.tolerance = tolerance;
    sim.reset({2.0, 0.5});
    run_to(sim, 1.0);
    const double error = std::fabs(sim.state.q[0] - double(reference[0]));
    std::printf("rkf45 with tolerance %.0e: %.1e rad off after 1 s\n", tolerance, error);
    EXPECT_LT(error, 100 * tolerance);
    EXPECT_LT(error, last);
    last = error;
  }
}

TEST(Fehlberg, CanBeInterruptedWithinAStep) {
  World world;
  world.body = load_creature("roach");
  world.contact.type = ContactType::exponential;
  const System<double> system = make_system(world);
  StepOptions options;
  options.integrator = Integrator::rkf45;
  options.dt = 10;  // s: hours of work
  options.tolerance = 1e-9;
  Simulation<double> sim(system, options);
  int asked = 0;
  sim.interrupt = [&] { return ++asked == 2; };
  EXPECT_FALSE(sim.step());
  EXPECT_EQ(sim.status(), Status::stopped);
  EXPECT_EQ(asked, 2);
  EXPECT_LT(sim.state.time, 10);
}

TEST(Implicit, BearsSpringsThatExplicitStepsDoNot) {
  // 1e6 N m/rad on 1/3 kg m^2: 1700 rad/s, explicit steps end at 1.2 ms
  Creature c = chain(1);
  c.links[0].joints[0].dofs[0].spring = {SpringType::linear, 1e6, 0, 0};
  c.links[0].joints[0].dofs[0].damper = 50;
  const System<double> system = make_system(in_air(c));
  Simulation<double> stiff(system, steps(Integrator::implicit, 0.01));
  stiff.reset({0.2});
  run_to(stiff, 1.0);
  EXPECT_NEAR(stiff.state.q[0], 0, 1e-6);
  Simulation<double> explicit_step(system, steps(Integrator::euler, 0.01));
  explicit_step.reset({0.2});
  while (explicit_step.state.time < 1 && explicit_step.step()) {
  }
  EXPECT_EQ(explicit_step.status(), Status::diverged);
}

TEST(Implicit, FindsTheDampedOscillatorAsTheStepShrinks) {
  // one slide of mass 1: x'' = -k x - b v, closed form
  Creature c;
  c.name = "slider";
  Link link = box_link("block", 1, {1, 1, 1});
  link.joints = {joint(JointType::slide, {Vec3d(1, 0, 0)})};
  link.joints[0].dofs[0].spring = {SpringType::linear, 400, 0, 0.1};
  link.joints[0].dofs[0].damper = 4;
  c.links = {link};
  name_dofs(c);
  const System<double> system = make_system(in_space(c));
  Simulation<double> sim(system, steps(Integrator::implicit, 1e-5));
  sim.reset({0.6});
  run_to(sim, 0.5);
  const double w = std::sqrt(400 - 4.0), decay = std::exp(-2 * 0.5);
  const double exact = 0.1 + 0.5 * decay * (std::cos(w * 0.5) + 2 / w * std::sin(w * 0.5));
  EXPECT_NEAR(sim.state.q[0], exact, 2e-4);
}

TEST(FourBar, StaysClosedAndConservesEnergy) {
  Creature c = chain(3);
  c.name = "four_bar";
  // upright crank, level coupler, rocker down to (1, 0, 0)
  c.links[0].com = {0, 0, 0.5};
  c.links[1].pos = {0, 0, 1};
  c.links[1].com = {0.5, 0, 0};
  c.links[2].pos = {1, 0, 0};
  Loop loop;
  loop.link = 2;
  loop.pos = {0, 0, -1};
  loop.other_pos = {1, 0, 0};
  c.loops = {loop};
  const System<double> system = make_system(in_air(c));
  for (const Integrator integrator : {Integrator::rk4, Integrator::implicit, Integrator::rkf45}) {
    Simulation<double> sim(system, steps(integrator, 1e-3));
    // a parallelogram: crank and rocker turn together, the coupler stays level
    sim.reset(c.pose(""), {0.5, -0.5, 0.5});
    const double e0 = sim.energy().total();
    double gap = 0;
    for (int i = 0; i < 2000; ++i) {
      ASSERT_TRUE(sim.step());
      gap = std::max(gap, loop_gap(c.loops[0], sim.w));
    }
    std::printf("four-bar, 2 s, %s at 1 ms: largest gap %.1e m, energy drift %.1e of %.1f J\n",
                to_string(integrator), gap, sim.energy().total() - e0, e0);
    EXPECT_LT(gap, integrator == Integrator::implicit ? 2e-3 : 1e-6);
    EXPECT_NEAR(sim.energy().total(), e0, integrator == Integrator::implicit ? 0.5 : 1e-4);
  }
}

TEST(Time, StaysOnTheGridOfSteps) {
  const System<double> system = make_system(in_air(chain(1)));
  Simulation<double> sim(system, steps(Integrator::euler, 1e-3));
  for (int i = 1; i <= 1000; ++i) {
    sim.step();
    EXPECT_EQ(sim.state.time, i * 1e-3);
  }
}

}  // namespace
}  // namespace legwork
