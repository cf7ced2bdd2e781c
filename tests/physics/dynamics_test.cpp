// Dynamics at a state: one answer against another that is computed differently.

#include <gtest/gtest.h>

#include <cmath>

#include <legwork/legwork.h>
#include "tests/scenes/error_of.h"

namespace legwork {
namespace {

std::vector<double> wave(int n, double scale, double phase) {
  std::vector<double> x;
  for (int i = 0; i < n; ++i) x.push_back(scale * std::sin(1.7 * i + phase));
  return x;
}

struct Subject {
  explicit Subject(const std::string& name) : dynamics(load_world(name)) {
    const Creature& body = dynamics.creature();
    q = dynamics.integrate(body.pose("stand"), wave(body.nv(), 0.2, 0.3), 1);
    v = wave(body.nv(), 0.5, 1), tau = wave(body.nv(), 3, 2);
  }
  Dynamics dynamics;
  std::vector<double> q, v, tau;
};

TEST(DynamicsAtAState, InverseGivesBackTheTorquesThatForwardWasGiven) {
  for (const ShippedCreature& shipped : shipped_creatures()) {
    SCOPED_TRACE(shipped.name);
    const Subject s(shipped.name);
    if (!s.dynamics.creature().loops.empty()) continue;  // their forces are no joint torques
    const std::vector<double> qdd = s.dynamics.forward(s.q, s.v, s.tau),
                              tau = s.dynamics.inverse(s.q, s.v, qdd);
    double scale = 1;
    for (const double x : s.dynamics.bias(s.q, s.v)) scale = std::max(scale, std::fabs(x));
    for (size_t i = 0; i < tau.size(); ++i) EXPECT_NEAR(tau[i], s.tau[i], 1e-8 * scale) << i;
  }
}

TEST(DynamicsAtAState, TheMassMatrixGivesTheKineticEnergy) {
  const Subject s("dog");
  const std::vector<double> M = s.dynamics.mass_matrix(s.q);
  const size_t n = s.v.size();
  double energy = 0;
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) {
      EXPECT_EQ(M[i * n + j], M[j * n + i]);
      energy += 0.5 * s.v[i] * M[i * n + j] * s.v[j];
    }
  EXPECT_NEAR(s.dynamics.kinetic_energy(s.q, s.v), energy, 1e-10 * energy);
}

TEST(DynamicsAtAState, TheJacobianGivesThePointsVelocityAndThatIsTheDifferenceOfPositions) {
  const Subject s("dog");
  const BodyPoint sole = find_point(s.dynamics.creature(), "lf");
  const std::vector<double> J = s.dynamics.jacobian(s.q, sole);
  const Vec3d velocity = s.dynamics.velocity(s.q, s.v, sole);
  const double h = 1e-6;
  const Vec3d before = s.dynamics.position(s.dynamics.integrate(s.q, s.v, -h), sole),
              after = s.dynamics.position(s.dynamics.integrate(s.q, s.v, h), sole);
  for (int i = 0; i < 3; ++i) {
    double sum = 0;
    for (size_t k = 0; k < s.v.size(); ++k) sum += J[size_t(3 + i) * s.v.size() + k] * s.v[k];
    EXPECT_NEAR(sum, velocity[i], 1e-12);
    EXPECT_NEAR((after[i] - before[i]) / (2 * h), velocity[i], 1e-7);
  }
}

TEST(DynamicsAtAState, MomentumIsMassTimesTheVelocityOfTheCentreOfMass) {
  const Subject s("hexapod");
  const double h = 1e-6, mass = s.dynamics.creature().mass();
  const Vec3d before = s.dynamics.center_of_mass(s.dynamics.integrate(s.q, s.v, -h)),
              after = s.dynamics.center_of_mass(s.dynamics.integrate(s.q, s.v, h)),
              p = s.dynamics.linear_momentum(s.q, s.v);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(mass * (after[i] - before[i]) / (2 * h), p[i], 1e-6);
}

TEST(DynamicsAtAState, AccelerationsKeepALoopClosed) {
  const Dynamics dynamics(load_world("fourbar"));
  const Creature& body = dynamics.creature();
  const std::vector<double> q = body.pose("stand"), v(size_t(body.nv()), 0.0), tau = wave(body.nv(), 2, 0);
  const std::vector<double> qdd = dynamics.forward(q, v, tau);
  for (const Loop& loop : body.loops) {
    // at rest the acceleration of a point is J qdd
    const auto acceleration = [&](int link, const Vec3d& pos) {
      if (link < 0) return Vec3d();
      const std::vector<double> J = dynamics.jacobian(q, {link, pos});
      Vec3d a;
      for (int i = 0; i < 3; ++i)
        for (size_t k = 0; k < qdd.size(); ++k) a[i] += J[size_t(3 + i) * qdd.size() + k] * qdd[k];
      return a;
    };
    const Vec3d gap = acceleration(loop.link, loop.pos) - acceleration(loop.other, loop.other_pos);
    EXPECT_LT(norm(gap), 1e-8);
  }
}

TEST(DynamicsAtAState, DifferenceIsTheInverseOfIntegrate) {
  const Subject s("human");
  const std::vector<double> moved = s.dynamics.integrate(s.q, s.v, 1), v = s.dynamics.difference(s.q, moved);
  for (size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(v[i], s.v[i], 1e-12);
}

TEST(DynamicsAtAState, BadArraysAreNamed) {
  const Subject s("pendulum");
  std::vector<double> q = s.q;
  q[0] = std::nan("");
  EXPECT_EQ(error_of([&] { s.dynamics.mass_matrix(q); }), "q[0]: nan is not finite");
  EXPECT_EQ(error_of([&] { s.dynamics.mass_matrix({}); }),
            "q: has 0 values, but 'pendulum' has nq = " + std::to_string(s.dynamics.nq()));
  const Subject dog("dog");
  q = dog.q, q[3] = 2;
  EXPECT_NE(error_of([&] { dog.dynamics.mass_matrix(q); }).find("q[3:7]: is a quaternion of length"),
            std::string::npos);
  EXPECT_NE(error_of([&] { find_point(dog.dynamics.creature(), "lff"); }).find("did you mean 'lf'?"),
            std::string::npos);
}

}  // namespace
}  // namespace legwork
