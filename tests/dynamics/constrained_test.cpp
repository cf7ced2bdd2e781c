#include "dynamics/constrained.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "random_creature.h"

namespace legwork {
namespace {

Creature four_bar() {
  Creature c;
  const Vec3d joints[3] = {{0, 0, 0}, {0, 0, 1}, {1.5, 0, 0}};
  for (int b = 0; b < 3; ++b) {
    Link link;
    link.name = "bar" + std::to_string(b);
    link.parent = b - 1;
    link.pos = joints[b];
    link.mass = 1;
    link.com = b == 1 ? Vec3d{0.75, 0, 0} : Vec3d{0, 0, b == 0 ? 0.5 : -0.5};
    link.inertia = Sym3d::diagonal(0.1, 0.12, 0.1);
    Joint joint;
    joint.type = JointType::hinge;
    joint.axes = {Vec3d{0, 1, 0}};
    joint.dofs.resize(1);
    link.joints = {joint};
    c.links.push_back(link);
  }
  Loop loop;
  loop.link = 2;
  loop.pos = {0, 0, -1};
  loop.other_pos = {1.5, 0, 0};
  c.loops = {loop};
  return c;
}

// The KKT system by dense linear algebra, with Jacobians of the place midway between the two loop
// ends. Empty where the loops'
// equations depend on each other: random ones then contradict, and no qdd is right.
Eigen::VectorXd dense_solution(const Model<double>& m, Workspace<double>& w, const std::vector<double>& tau,
                               const std::vector<Loop>& loops, double time) {
  const int n = m.nv;
  Eigen::Matrix<double, -1, -1, Eigen::RowMajor> M(n, n);
  Eigen::VectorXd bias(n);
  inverse_dynamics<double>(m, nullptr, w, bias.data());
  mass_matrix(m, w, M.data());
  int rows = 0;
  for (const Loop& loop : loops) rows += rows_of(loop);
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(rows, n);
  Eigen::VectorXd target(rows);
  int at = 0;
  for (const Loop& loop : loops) {
    Eigen::Matrix<double, 6, -1, Eigen::RowMajor> Ja(6, n), Jb = decltype(Ja)::Zero(6, n);
    Vec3d e = point_position(w, loop.link, loop.pos), middle = e;
    if (loop.other >= 0) {
      const Vec3d other = point_position(w, loop.other, loop.other_pos);
      middle = (e + other) * 0.5;
      e -= other;
    }
    const auto seen_from = [&](int link) { return transpose_times(w.R[link], middle - w.p[link]); };
    const Vec3d on_a = seen_from(loop.link);
    point_jacobian(m, w, loop.link, on_a, Ja.data());
    Twist<double> bias_a = point_bias(m, w, loop.link, on_a), bias_b{};
    Vec3d rate = point_velocity(w, loop.link, on_a), spin = w.vel[loop.link].ang;
    if (loop.other >= 0) {
      const Vec3d on_b = seen_from(loop.other);
      point_jacobian(m, w, loop.other, on_b, Jb.data());
      bias_b = point_bias(m, w, loop.other, on_b);
      rate -= point_velocity(w, loop.other, on_b);
      spin -= w.vel[loop.other].ang;
    } else {
      e -= loop.other_pos;
    }
    J.middleRows(at, 3) = (Ja - Jb).bottomRows(3);
    for (int i = 0; i < 3; ++i)
      target[at + i] = bias_b.lin[i] - bias_a.lin[i] - 2 / time * rate[i] - e[i] / (time * time);
    at += 3;
    if (!loop.frame) continue;
    // error angle by Eigen's own axis-angle
    auto to_eigen = [](const Mat3d& R) {
      Eigen::Matrix3d E;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) E(i, j) = R(i, j);
      return E;
    };
    const Eigen::Matrix3d Ra = to_eigen(w.R[loop.link] * matrix(loop.rot));
    const Eigen::Matrix3d Rb =
        to_eigen(loop.other < 0 ? matrix(loop.other_rot) : w.R[loop.other] * matrix(loop.other_rot));
    const Eigen::AngleAxisd error(Ra * Rb.transpose());
    J.middleRows(at, 3) = (Ja - Jb).topRows(3);
    for (int i = 0; i < 3; ++i)
      target[at + i] = bias_b.ang[i] - bias_a.ang[i] - 2 / time * spin[i] -
                       error.axis()[i] * error.angle() / (time * time);
    at += 3;
  }
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + rows, n + rows);
  K.topLeftCorner(n, n) = M;
  K.topRightCorner(n, rows) = -J.transpose();
  K.bottomLeftCorner(rows, n) = J;
  Eigen::VectorXd right(n + rows);
  right << Eigen::Map<const Eigen::VectorXd>(tau.data(), n) - bias, target;
  if (J.jacobiSvd().singularValues().minCoeff() < 1e-3) return {};
  return K.partialPivLu().solve(right).head(n);
}

TEST(Constrained, LoopsInRandomTreesAgreeWithADenseKktSolution) {
  Random random(11, 0);
  int compared = 0;
  for (int trial = 0; trial < 100; ++trial) {
    Creature c = random_creature(random, 8 + random.index(10),
                                 {JointType::hinge, JointType::ball, JointType::universal, JointType::slide});
    c.links[0].joints = {random_joint(random, JointType::free, "root")};
    for (int k = 0; k < 1 + trial % 2; ++k) {
      Loop loop;
      loop.link = 4 + random.index(4);
      loop.other = trial % 3 == 0 ? -1 : random.index(4);
      loop.pos = random_vector(random, 0.2);
      loop.other_pos = random_vector(random, 0.2);
      loop.rot = random_rotation(random);
      loop.frame = trial % 4 == 0 && k == 0;
      c.loops.push_back(loop);
    }
    const Model<double> m = make_model(c);
    Workspace<double> w(m);
    const std::vector<double> q = random_positions(random, c), v = random_values(random, m.nv, 1),
                              tau = random_values(random, m.nv, 5);
    update_positions(m, q.data(), w);
    update_velocities(m, q.data(), v.data(), w);
    clear_forces(m, w);
    const Eigen::VectorXd dense = dense_solution(m, w, tau, c.loops, 0.5);
    if (dense.size() == 0) continue;
    ++compared;
    std::vector<double> qdd(m.nv);
    forward_dynamics(m, tau.data(), w, qdd.data());
    Constraints<double> constraints(m, 12);
    for (const Loop& loop : c.loops) add_loop(loop, 0.5, w, constraints);
    apply_constraints(m, constraints, w, qdd.data());
    for (int j = 0; j < m.nv; ++j)
      ASSERT_NEAR(qdd[j], dense[j], 1e-7 * (1 + dense.lpNorm<Eigen::Infinity>())) << "trial " << trial;
  }
  EXPECT_GT(compared, 50);
}

TEST(Constrained, APlanarLoopInSpaceIsSolvedDespiteItsRedundantRow) {
  const Creature c = four_bar();
  const Model<double> m = make_model(c);
  Workspace<double> w(m);
  const std::vector<double> q = {0.3, -0.3, 0.3}, v = {1, -1, 1},
                            tau = {0, 0, 0};  // a parallelogram, swinging
  update_positions(m, q.data(), w);
  update_velocities(m, q.data(), v.data(), w);
  ASSERT_LT(loop_gap(c.loops[0], w), 1e-12);
  std::vector<double> qdd(3);
  forward_dynamics(m, tau.data(), w, qdd.data());
  Constraints<double> constraints(m, 3);
  add_loop(c.loops[0], 0.1, w, constraints);
  apply_constraints(m, constraints, w, qdd.data());
  // a parallelogram has one freedom: (2 (I + m/4) + m) qdd = 2 m g sin(q) with bars of length 1, I = 0.12
  const double expected = (1 * 9.81 * 0.5 * 2 + 1 * 9.81) * std::sin(0.3) / (2 * (0.12 + 0.25) + 1);
  EXPECT_NEAR(qdd[0], expected, 1e-9);
  EXPECT_NEAR(qdd[1], -expected, 1e-9);
  EXPECT_NEAR(qdd[2], expected, 1e-9);
}

TEST(Constrained, CloseLoopsFindsAClosedPose) {
  const Creature c = four_bar();
  const Model<double> m = make_model(c);
  std::vector<double> q = {0.4, -0.1, 0.2};
  EXPECT_LT(close_loops(m, c.loops, q), 1e-12);
  Workspace<double> w(m);
  update_positions(m, q.data(), w);
  EXPECT_LT(loop_gap(c.loops[0], w), 1e-12);
}

TEST(Constrained, BatchLanesHaveTheBitsOfTheScalar) {
  const Creature c = four_bar();
  const Model<double> m = make_model(c);
  const Model<Batch> mb = make_batch_model({&c});
  Workspace<double> w(m);
  Workspace<Batch> wb(mb);
  Random random(12, 0);
  std::vector<Batch> qb(3), vb(3), tb(3), ab(3);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < batch_lanes; ++k)
      qb[i].set(k, random.uniform(-1, 1)), vb[i].set(k, random.uniform(-1, 1)), tb[i].set(k, 0);
  Constraints<Batch> cb(mb, 3);
  update_positions(mb, qb.data(), wb);
  update_velocities(mb, qb.data(), vb.data(), wb);
  forward_dynamics(mb, tb.data(), wb, ab.data());
  add_loop(c.loops[0], Batch(0.1), wb, cb);
  apply_constraints(mb, cb, wb, ab.data());
  for (int k = 0; k < batch_lanes; ++k) {
    double q[3], v[3], a[3];
    const double tau[3] = {0, 0, 0};
    for (int i = 0; i < 3; ++i) q[i] = qb[i][k], v[i] = vb[i][k];
    Constraints<double> cs(m, 3);
    update_positions(m, q, w);
    update_velocities(m, q, v, w);
    forward_dynamics(m, tau, w, a);
    add_loop(c.loops[0], 0.1, w, cs);
    apply_constraints(m, cs, w, a);
    for (int i = 0; i < 3; ++i) ASSERT_EQ(a[i], ab[i][k]);
  }
}

// A root moved as prescribed: the torques that come back make free forward dynamics give the same motion.
TEST(Constrained, PrescribedRootMotionReturnsTheForceItTakes) {
  Random random(13, 0);
  for (int trial = 0; trial < 50; ++trial) {
    Creature c = random_creature(random, 2 + random.index(20), moving_joint_types());
    c.links[0].joints = {random_joint(random, JointType::free, "root")};
    const Model<double> m = make_model(c);
    Workspace<double> w(m);
    const std::vector<double> q = random_positions(random, c), v = random_values(random, m.nv, 1);
    std::vector<double> tau = random_values(random, m.nv, 5), qdd = random_values(random, m.nv, 3),
                        again(m.nv);
    std::vector<char> prescribed(m.nv, 0);
    for (int j = 0; j < 6; ++j) prescribed[j] = 1;
    const std::vector<double> given(qdd.begin(), qdd.begin() + 6);
    update_positions(m, q.data(), w);
    update_velocities(m, q.data(), v.data(), w);
    hybrid_dynamics(m, prescribed.data(), tau.data(), w, qdd.data());
    const Wrench<double> force = joint_wrench(w, 0);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(force.lin[i], tau[i], 1e-9 * (1 + norm(force.lin)));
    forward_dynamics(m, tau.data(), w, again.data());
    double scale = 1;
    for (const double x : qdd) scale = std::max(scale, std::abs(x));
    for (int j = 0; j < m.nv; ++j) ASSERT_NEAR(again[j], qdd[j], 1e-9 * scale);
    for (int j = 0; j < 6; ++j) ASSERT_EQ(qdd[j], given[j]);
  }
}

TEST(Constrained, WhatClosesALoopThatGapesNeitherMovesNorTurnsTheWholeBody) {
  Random random(3, 0);
  Creature c = random_creature(random, 8, {JointType::hinge, JointType::ball});
  c.links[0].joints = {random_joint(random, JointType::free, "root")};
  Loop loop;
  loop.link = 6, loop.other = 2, loop.frame = true;
  loop.pos = random_vector(random, 0.2), loop.other_pos = random_vector(random, 0.2);
  const Model<double> m = make_model(c);
  Workspace<double> w(m);
  const std::vector<double> q = random_positions(random, c), v = random_values(random, m.nv, 1);
  update_positions(m, q.data(), w);
  update_velocities(m, q.data(), v.data(), w);
  Constraints<double> constraints(m, 6);
  add_loop(loop, 0.1, w, constraints);
  ASSERT_GT(loop_gap(loop, w), 0.01);
  for (int i = 0; i < 6; ++i) {
    const Row<double>& row = constraints.row[size_t(i)];
    const Vec3d force = row.on_a.lin + row.on_b.lin;
    const Vec3d moment =
        row.on_a.ang + cross(w.p[row.a], row.on_a.lin) + row.on_b.ang + cross(w.p[row.b], row.on_b.lin);
    EXPECT_LT(norm(force), 1e-14) << i;
    EXPECT_LT(norm(moment), 1e-14) << i;
  }
}

}  // namespace
}  // namespace legwork
