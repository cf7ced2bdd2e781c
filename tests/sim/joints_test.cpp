// Springs, limits and actuators: torques are minus the gradient of the energy, implicit terms its slope.

#include "sim/joints.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bodies.h"

namespace legwork {
namespace {

using namespace bodies;

constexpr double pi = 3.14159265358979323846;

// A chain with one joint of each kind that has its own arithmetic, springs and limits everywhere.
Creature springy() {
  Creature c = chain(3);
  c.links[0].joints = {joint(JointType::free)};
  c.links[1].joints = {joint(JointType::ball)};
  name_dofs(c);
  int i = 0;
  for (Link& link : c.links)
    for (Joint& j : link.joints)
      for (Dof& d : j.dofs) {
        d.spring = {i % 2 ? SpringType::linear : SpringType::exponential, 2.0 + i, 1.5, 0.1 * i - 0.3};
        d.lower = -0.2, d.upper = 0.15;
        d.limit_stiffness = 30 + i, d.limit_damping = 1;
        ++i;
      }
  return c;
}

struct Fixture {
  Creature creature = springy();
  Model<double> model = make_model(creature);
  JointForces<double> joints = make_joint_forces(creature, model);
  std::vector<double> q = creature.pose("");
  std::vector<double> v = std::vector<double>(model.nv, 0);

  Fixture() {
    std::vector<double> turn(model.nv);
    for (int i = 0; i < model.nv; ++i) turn[i] = std::sin(2.3 * i + 1);
    integrate_positions(model, q.data(), turn.data(), 1.0, q.data());
  }
  double energy(const std::vector<double>& at) const {
    std::vector<double> x(model.nv);
    joint_positions(joints, at.data(), x.data());
    return joint_energy(joints, x.data(), joints.rest.data());
  }
  std::vector<double> torque() const {
    std::vector<double> x(model.nv), tau(model.nv, 0), d(model.nv, 0);
    joint_positions(joints, q.data(), x.data());
    add_joint_forces(joints, x.data(), v.data(), joints.rest.data(), 0.0, false, tau.data(), d.data());
    return tau;
  }
};

TEST(JointForces, AreMinusTheGradientOfTheirEnergy) {
  const Fixture f;
  const std::vector<double> tau = f.torque();
  const double h = 1e-6;
  for (int i = 0; i < f.model.nv; ++i) {
    std::vector<double> e(f.model.nv, 0), up(f.q.size()), down(f.q.size());
    e[i] = 1;
    integrate_positions(f.model, f.q.data(), e.data(), h, up.data());
    integrate_positions(f.model, f.q.data(), e.data(), -h, down.data());
    EXPECT_NEAR(tau[i], -(f.energy(up) - f.energy(down)) / (2 * h), 1e-6 * (1 + std::fabs(tau[i]))) << i;
  }
}

TEST(JointForces, OfAnExponentialSpringIsMcKennasEquation) {
  Creature c = chain(1);
  c.links[0].joints[0].dofs[0].spring = {SpringType::exponential, 0.02, 16, 0.1};
  const Model<double> m = make_model(c);
  const JointForces<double> joints = make_joint_forces(c, m);
  for (const double q : {0.3, -0.2, 0.1}) {
    double x, tau = 0, d = 0;
    const double v = 0;
    joint_positions(joints, &q, &x);
    add_joint_forces(joints, &x, &v, joints.rest.data(), 0.0, false, &tau, &d);
    const double s = q - 0.1, size = 0.02 * (std::exp(16 * std::fabs(s)) - 1);
    EXPECT_NEAR(tau, s > 0 ? -size : size, 1e-14);
  }
}

TEST(JointForces, AddTheirSlopesToAnImplicitStep) {
  Creature c = chain(1);
  Dof& dof = c.links[0].joints[0].dofs[0];
  dof.spring = {SpringType::linear, 40, 0, 0.2};
  dof.damper = 3;
  dof.upper = 0.5, dof.limit_stiffness = 700, dof.limit_damping = 5;
  const Model<double> m = make_model(c);
  const JointForces<double> joints = make_joint_forces(c, m);
  const double h = 0.01, v = 2;
  for (const double q : {0.4, 0.6}) {
    double tau = 0, d = 0;
    add_joint_forces(joints, &q, &v, joints.rest.data(), h, true, &tau, &d);
    const bool beyond = q > 0.5;
    const double k = 40 + (beyond ? 700 : 0), b = 3 + (beyond ? 5 : 0);
    const double explicit_tau = -40 * (q - 0.2) - 3 * v - (beyond ? 700 * (q - 0.5) + 5 * v : 0);
    EXPECT_NEAR(tau, explicit_tau - h * k * v, 1e-12);
    EXPECT_NEAR(d, h * b + h * h * k, 1e-15);
  }
}

TEST(Limit, PushesBackButNeverHolds) {
  Creature c = chain(1);
  Dof& dof = c.links[0].joints[0].dofs[0];
  dof.lower = -0.5, dof.upper = 0.5, dof.limit_stiffness = 100, dof.limit_damping = 10;
  const Model<double> m = make_model(c);
  const JointForces<double> joints = make_joint_forces(c, m);
  const auto torque = [&](double q, double v) {
    double tau = 0, d = 0;
    add_joint_forces(joints, &q, &v, joints.rest.data(), 0.0, false, &tau, &d);
    return tau;
  };
  EXPECT_EQ(torque(0.49, 5), 0);
  EXPECT_DOUBLE_EQ(torque(0.6, 0), -10);
  EXPECT_DOUBLE_EQ(torque(0.6, 1), -20);
  EXPECT_DOUBLE_EQ(torque(-0.6, 0), 10);
  EXPECT_EQ(torque(0.6, -5), 0);  // leaves faster than its damper would allow
  EXPECT_EQ(limit_gap(joints, std::vector<double>{0.6}.data(), 0), -0.09999999999999998);
}

TEST(Limit, IsAsStiffAsTheGravityOfTheBodysFileAsks) {
  Creature c = chain(1);
  c.links[0].joints[0].dofs[0].upper = 0.5;
  const auto stiffness = [&] { return make_joint_forces(c, make_model(c)).limit_stiffness[0]; };
  const double earth = stiffness();
  EXPECT_GT(earth, 0);
  c.gravity = {0, 0, -981};
  EXPECT_NEAR(stiffness(), 100 * earth, 1e-9 * earth);
}

TEST(Limit, ChosenByItselfHoldsTheWeightWithinATwentiethOfARadian) {
  // a horizontal bar, free below, resting on its limit: gravity turns it down against the stop
  Creature c = chain(1);
  c.links[0].joints[0].dofs[0].lower = -1.5707963267948966;
  c.links[0].joints[0].dofs[0].upper = -1.5707963267948966 + 1e-9;
  const System<double> system = make_system(in_air(c));
  Simulation<double> sim(system, steps(Integrator::implicit, 1e-3));
  sim.reset({-1.5707963267948966});
  for (int i = 0; i < 4000; ++i) ASSERT_TRUE(sim.step()) << sim.explain();
  EXPECT_NEAR(sim.state.v[0], 0, 1e-6);
  EXPECT_LT(std::fabs(sim.state.q[0] + 1.5707963267948966), 0.05);
}

TEST(Actuator, DrivesItsJointToTheTargetWithinItsStrength) {
  Creature c = chain(1);
  Actuator a;
  a.name = "servo";
  a.dof = 0;
  a.ks = 500, a.kd = 40;
  a.lower = -1, a.upper = 1;
  a.strength = 30;
  c.actuators = {a};
  const System<double> system = make_system(in_space(c));
  for (const Integrator integrator : {Integrator::implicit, Integrator::rk4}) {
    Simulation<double> sim(system, steps(integrator, 1e-3));
    sim.reset({0});
    sim.probe();
    EXPECT_EQ(sim.tau[0], 0);  // targets start where nothing is asked
    sim.controller = [](const Simulation<double>&, Drive<double>& d) { d.target[0] = 5; };
    double largest = 0;
    for (int i = 0; i < 3000; ++i) {
      ASSERT_TRUE(sim.step()) << sim.explain();
      largest = std::max(largest, std::fabs(sim.tau[0]));
    }
    EXPECT_NEAR(sim.state.q[0], 1, 1e-6);  // the range clips the target
    EXPECT_LE(largest, 30 + 1e-9);
  }
}

TEST(Actuator, BetweenTwoPointsPullsBothAlikeAndFindsItsLength) {
  // two boxes in space, joined by nothing but the actuator, stiff enough to need the implicit step
  Creature c = box();
  Link other = c.links[0];
  other.name = "other";
  other.pos = {2, 0.3, -0.1};
  c.links.push_back(other);
  Actuator a;
  a.name = "muscle";
  a.type = ActuatorType::linear;
  a.link = 0, a.other = 1;
  a.pos = {0.1, 0, 0.05}, a.other_pos = {-0.1, 0.1, 0};
  a.ks = 4e5, a.kd = 2000;
  c.actuators = {a};
  name_dofs(c);
  const System<double> system = make_system(in_space(c));
  Simulation<double> sim(system, steps(Integrator::implicit, 2e-3));
  sim.reset();
  sim.controller = [](const Simulation<double>&, Drive<double>& d) { d.target[0] = 1.5; };
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(sim.step()) << sim.explain();
  const Vec3d line = point_position(sim.w, 0, a.pos) - point_position(sim.w, 1, a.other_pos);
  EXPECT_NEAR(norm(line), 1.5, 1e-2);
  const Wrench<double> p = momentum(system.model, sim.w);
  EXPECT_NEAR(norm(p.lin), 0, 1e-9);
}

TEST(Drive, MovesTheRestOfASpringAndItsWorkIsAccounted) {
  // McKenna's motor program: the rest angle travels, the spring drags the bar along
  Creature c = chain(1);
  c.links[0].joints[0].dofs[0].spring = {SpringType::exponential, 5, 4, 0};
  const System<double> system = make_system(in_space(c));
  for (const Integrator integrator : {Integrator::rk4, Integrator::rkf45, Integrator::euler}) {
    Simulation<double> sim(system, steps(integrator, 1e-4));
    sim.reset({0});
    sim.controller = [](const Simulation<double>& s, Drive<double>& d) {
      d.rest_rate[0] = s.state.time < 0.5 - 1e-9 ? 2 : 0;
    };
    for (int i = 0; i < 10000; ++i) ASSERT_TRUE(sim.step()) << sim.explain();
    EXPECT_NEAR(sim.state.drive.rest[0], 1, 1e-9);
    const Energy<double> e = sim.energy();
    EXPECT_GT(e.work, 0.1);
    EXPECT_NEAR(e.total(), e.work, (integrator == Integrator::euler ? 1e-2 : 1e-4) * e.work);
  }
}

TEST(Joints, ABallJointThatTurnsPastHalfATurnMeetsNoJumpOfEnergy) {
  Creature c = chain(2);
  c.links[1].joints = {joint(JointType::ball)};
  name_dofs(c);
  const double lower[] = {-1.7, -3, -1.4}, upper[] = {1, 1, 1.4};
  for (int k = 0; k < 3; ++k) {
    Dof& d = c.links[1].joints[0].dofs[size_t(k)];
    d.lower = lower[k], d.upper = upper[k], d.limit_stiffness = 30, d.limit_damping = 1;
  }
  const Model<double> model = make_model(c);
  const JointForces<double> joints = make_joint_forces(c, model);
  const std::vector<double> start = c.pose("");
  for (const Vec3d& axis : {Vec3d(0, 1, 0), Vec3d(0.6, -0.64, 0.48), Vec3d(-0.48, -0.8, 0.36)}) {
    constexpr int steps = 2000;
    double last = 0, most = 0;
    for (int i = 0; i <= steps; ++i) {
      const double half = pi * i / steps;
      std::vector<double> q = start, x(size_t(model.nv));
      double* r = &q[q.size() - 4];
      r[0] = std::cos(half), r[1] = std::sin(half) * axis.x, r[2] = std::sin(half) * axis.y,
      r[3] = std::sin(half) * axis.z;
      joint_positions(joints, q.data(), x.data());
      const double energy = joint_energy(joints, x.data(), joints.rest.data());
      if (i > 0) most = std::max(most, std::fabs(energy - last));
      last = energy;
    }
    // the steepest limit of all, 3 axes at a depth of a whole turn
    EXPECT_LT(most, 3 * 30 * 2 * pi * (2 * pi / steps)) << axis.x << " " << axis.y;
    EXPECT_NEAR(last, 0, 1e-9) << "a whole turn is none";
  }
}

}  // namespace
}  // namespace legwork
