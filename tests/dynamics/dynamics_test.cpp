#include "dynamics/dynamics.h"

#include <gtest/gtest.h>

#include "random_creature.h"

namespace legwork {
namespace {

struct Case {
  Creature creature;
  Model<double> model;
  Workspace<double> w;
  std::vector<double> q, v, tau;
  int nv;

  explicit Case(Random& random, int links)
      : creature(random_creature(random, links, moving_joint_types())),
        model(make_model(creature)),
        w(model),
        q(random_positions(random, creature)),
        v(random_values(random, model.nv, 2)),
        tau(random_values(random, model.nv, 5)),
        nv(model.nv) {
    update_positions(model, q.data(), w);
    update_velocities(model, q.data(), v.data(), w);
    clear_forces(model, w);
    for (Wrench<double>& f : w.f_ext) f = {random_vector(random, 3), random_vector(random, 3)};
  }
};

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double value : x) most = std::max(most, std::abs(value));
  return most;
}

TEST(Dynamics, RneaGivesBackTheTorquesAbaWasGiven) {
  Random random(1, 0);
  for (int trial = 0; trial < 300; ++trial) {
    Case c(random, 1 + random.index(40));
    std::vector<double> qdd(c.nv), back(c.nv);
    forward_dynamics(c.model, c.tau.data(), c.w, qdd.data());
    inverse_dynamics(c.model, qdd.data(), c.w, back.data());
    const double scale = std::max(largest(c.tau), largest(qdd));
    for (int j = 0; j < c.nv; ++j) ASSERT_NEAR(back[j], c.tau[j], 1e-11 * scale) << "trial " << trial;
  }
}

TEST(Dynamics, MassMatrixTimesAccelerationPlusBiasIsTorque) {
  Random random(2, 0);
  for (int trial = 0; trial < 100; ++trial) {
    Case c(random, 1 + random.index(25));
    std::vector<double> qdd(c.nv), bias(c.nv), M(c.nv * c.nv);
    forward_dynamics(c.model, c.tau.data(), c.w, qdd.data());
    inverse_dynamics<double>(c.model, nullptr, c.w, bias.data());
    mass_matrix(c.model, c.w, M.data());
    for (int i = 0; i < c.nv; ++i) {
      double sum = bias[i];
      for (int j = 0; j < c.nv; ++j) {
        sum += M[i * c.nv + j] * qdd[j];
        ASSERT_EQ(M[i * c.nv + j], M[j * c.nv + i]);
      }
      ASSERT_NEAR(sum, c.tau[i], 1e-10 * std::max(1.0, largest(qdd)));
    }
  }
}

TEST(Dynamics, SolveWithTheFactorsInvertsTheMassMatrix) {
  Random random(3, 0);
  for (int trial = 0; trial < 50; ++trial) {
    Case c(random, 1 + random.index(25));
    std::vector<double> qdd(c.nv), x(c.nv), M(c.nv * c.nv);
    mass_matrix(c.model, c.w, M.data());
    forward_dynamics(c.model, c.tau.data(), c.w, qdd.data());
    solve_mass_matrix(c.model, c.w, c.tau.data(), x.data());
    for (int i = 0; i < c.nv; ++i) {
      double sum = 0;
      for (int j = 0; j < c.nv; ++j) sum += M[i * c.nv + j] * x[j];
      ASSERT_NEAR(sum, c.tau[i], 1e-10 * std::max(1.0, largest(x)));
    }
  }
}

// Position, velocity and acceleration of a point along the motion q(t) with qdd = 0, by finite differences.
TEST(Dynamics, JacobianAndItsDerivativeMatchFiniteDifferences) {
  Random random(4, 0);
  for (int trial = 0; trial < 100; ++trial) {
    Case c(random, 1 + random.index(12));
    const int link = c.model.nlink - 1;
    const Vec3d point = random_vector(random, 0.2);
    std::vector<double> J(6 * c.nv);
    point_jacobian(c.model, c.w, link, point, J.data());
    const Vec3d velocity = point_velocity(c.w, link, point);
    const Twist<double> bias = point_bias(c.model, c.w, link, point);

    const double h = 1e-4;
    Vec3d at[3];
    for (int k = -1; k <= 1; ++k) {
      std::vector<double> q(c.q.size());
      integrate_positions(c.model, c.q.data(), c.v.data(), k * h, q.data());
      Workspace<double> w(c.model);
      update_positions(c.model, q.data(), w);
      at[k + 1] = point_position(w, link, point);
    }
    const Vec3d v_fd = (at[2] - at[0]) * (0.5 / h), a_fd = (at[2] - at[1] * 2.0 + at[0]) * (1 / (h * h));
    for (int i = 0; i < 3; ++i) {
      double Jv = 0;
      for (int j = 0; j < c.nv; ++j) Jv += J[(3 + i) * c.nv + j] * c.v[j];
      ASSERT_NEAR(Jv, velocity[i], 1e-12 * (1 + norm(velocity)));
      ASSERT_NEAR(velocity[i], v_fd[i], 2e-5 * (1 + norm(velocity)));
      ASSERT_NEAR(bias.lin[i], a_fd[i], 2e-3 * (1 + norm(bias.lin))) << "trial " << trial;
    }
  }
}

TEST(Dynamics, EnergyAndMomentumAgreeWithTheMassMatrix) {
  Random random(5, 0);
  for (int trial = 0; trial < 50; ++trial) {
    Case c(random, 1 + random.index(20));
    std::vector<double> M(c.nv * c.nv);
    mass_matrix(c.model, c.w, M.data());
    double twice = 0;
    for (int i = 0; i < c.nv; ++i)
      for (int j = 0; j < c.nv; ++j) twice += c.v[i] * M[i * c.nv + j] * c.v[j];
    ASSERT_NEAR(kinetic_energy(c.model, c.v.data(), c.w), twice / 2, 1e-12 * twice);
    // momentum = mass times the velocity of the centre of mass, by a finite difference
    const double h = 1e-5;
    Vec3d com[2];
    for (int k = 0; k < 2; ++k) {
      std::vector<double> q(c.q.size());
      integrate_positions(c.model, c.q.data(), c.v.data(), k == 0 ? -h : h, q.data());
      Workspace<double> w(c.model);
      update_positions(c.model, q.data(), w);
      com[k] = center_of_mass(c.model, w);
    }
    const Vec3d p = (com[1] - com[0]) * (0.5 / h * total_mass(c.model));
    ASSERT_LT(norm(p - momentum(c.model, c.w).lin), 1e-6 * (1 + norm(p)));
    ASSERT_EQ(linear_momentum(c.model, c.w), momentum(c.model, c.w).lin);
  }
}

TEST(Dynamics, DifferenceUndoesIntegration) {
  Random random(6, 0);
  for (int trial = 0; trial < 100; ++trial) {
    Case c(random, 1 + random.index(20));
    std::vector<double> q(c.q.size()), v(c.nv);
    integrate_positions(c.model, c.q.data(), c.v.data(), 0.5, q.data());
    difference_positions(c.model, c.q.data(), q.data(), v.data());
    for (int j = 0; j < c.nv; ++j) ASSERT_NEAR(v[j], 0.5 * c.v[j], 1e-13);
  }
}

// Eight creatures of one topology with their own masses and lengths, against each alone.
TEST(Dynamics, EveryBatchLaneHasTheBitsOfTheScalar) {
  Random random(7, 0);
  for (int trial = 0; trial < 60; ++trial) {
    const Creature first = random_creature(random, 1 + random.index(30), moving_joint_types());
    std::vector<Creature> creatures(batch_lanes, first);
    std::vector<const Creature*> pointers;
    for (Creature& creature : creatures) {
      for (Link& link : creature.links) {
        link.mass *= random.uniform(0.5, 2);
        link.pos = link.pos * random.uniform(0.5, 2);
      }
      pointers.push_back(&creature);
    }
    const Model<Batch> m = make_batch_model(pointers);
    Workspace<Batch> w(m);
    std::vector<Batch> q(m.nq), v(m.nv), tau(m.nv), qdd(m.nv), back(m.nv), q_next(m.nq);
    std::vector<std::vector<double>> lane_q, lane_v, lane_tau;
    for (int k = 0; k < batch_lanes; ++k) {
      lane_q.push_back(random_positions(random, first));
      lane_v.push_back(random_values(random, m.nv, 3));
      lane_tau.push_back(random_values(random, m.nv, 5));
      for (int i = 0; i < m.nq; ++i) q[i].set(k, lane_q[k][i]);
      for (int i = 0; i < m.nv; ++i) v[i].set(k, lane_v[k][i]), tau[i].set(k, lane_tau[k][i]);
    }
    update_positions(m, q.data(), w);
    update_velocities(m, q.data(), v.data(), w);
    forward_dynamics(m, tau.data(), w, qdd.data());
    inverse_dynamics(m, qdd.data(), w, back.data());
    integrate_positions(m, q.data(), v.data(), Batch(0.01), q_next.data());
    for (int k = 0; k < batch_lanes; ++k) {
      const Model<double> ms = make_model(creatures[k]);
      Workspace<double> ws(ms);
      std::vector<double> qdd_s(m.nv), back_s(m.nv), q_s(m.nq);
      update_positions(ms, lane_q[k].data(), ws);
      update_velocities(ms, lane_q[k].data(), lane_v[k].data(), ws);
      forward_dynamics(ms, lane_tau[k].data(), ws, qdd_s.data());
      inverse_dynamics(ms, qdd_s.data(), ws, back_s.data());
      integrate_positions(ms, lane_q[k].data(), lane_v[k].data(), 0.01, q_s.data());
      for (int i = 0; i < m.nv; ++i) {
        ASSERT_EQ(qdd_s[i], qdd[i][k]);
        ASSERT_EQ(back_s[i], back[i][k]);
      }
      for (int i = 0; i < m.nq; ++i) ASSERT_EQ(q_s[i], q_next[i][k]);
    }
  }
}

}  // namespace
}  // namespace legwork
