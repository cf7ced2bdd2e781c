// Frequencies against closed forms, against the paper's own formulation in maximal coordinates, and against a
// finite-difference linearisation of the simulator.

#include "modes/analysis.h"
#include "creature/tree.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include <legwork/files.h>
#include "creature/place.h"
#include "dynamics/dynamics.h"
#include "formats/shipped.h"
#include "modes/coordinates.h"
#include "modes/stiffness.h"
#include "sim/simulation.h"
#include "tests/sim/bodies.h"

namespace legwork {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// n masses of 1 kg in a row along x, each on a slide from the one before.
Creature string_of_masses(int n) {
  Creature c;
  c.name = "string";
  for (int i = 0; i < n; ++i) {
    Link link = bodies::box_link("m" + std::to_string(i), 1, {0.1, 0.1, 0.1});
    link.parent = i - 1;
    link.pos = {1, 0, 0};
    link.joints = {bodies::joint(JointType::slide, {Vec3d(1, 0, 0)})};
    c.links.push_back(link);
  }
  bodies::name_dofs(c);
  return c;
}

TEST(ModalAnalysis, StringOfMassesBetweenAWallAndNothing) {
  const int n = 12;
  const double k = 40;
  const Creature c = string_of_masses(n);
  const Modes modes = analyse(c, c.pose(""), std::vector<double>(n, k));
  ASSERT_EQ(modes.count(), n);
  EXPECT_EQ(modes.rigid, 0);
  for (int i = 0; i < n; ++i) {
    const double f = 2 * std::sqrt(k) * std::sin((2 * i + 1) * M_PI / (2 * (2 * n + 1))) / (2 * M_PI);
    EXPECT_NEAR(modes.frequency[size_t(i)] / f, 1, 1e-10) << i;
  }
}

TEST(ModalAnalysis, StringOfMassesThatNothingHoldsHasOneRigidMode) {
  const int n = 20;
  const Creature c = string_of_masses(n);
  std::vector<double> k(n, 7);
  k[0] = 0;
  const Modes modes = analyse(c, c.pose(""), k);
  EXPECT_EQ(modes.rigid, 1);
  EXPECT_EQ(modes.frequency[0], 0);
  for (int i = 1; i < n; ++i)
    EXPECT_NEAR(modes.frequency[size_t(i)] / (std::sqrt(7.0) * std::sin(i * M_PI / (2 * n)) / M_PI), 1,
                1e-10);
}

// A torsion chain: equal discs on one axis.
TEST(ModalAnalysis, ChainOfDiscsOnOneShaft) {
  const int n = 9;
  Creature c;
  for (int i = 0; i < n; ++i) {
    Link link = bodies::box_link("d" + std::to_string(i), 2, {0.3, 0.3, 0.1});
    link.parent = i - 1;
    link.pos = {0, 0, 0.2};
    link.joints = {bodies::joint(JointType::hinge, {Vec3d(0, 0, 1)})};
    c.links.push_back(link);
  }
  bodies::name_dofs(c);
  const double k = 3, inertia = 2.0 / 12 * (0.09 + 0.09);
  const Modes modes = analyse(c, c.pose(""), std::vector<double>(n, k));
  for (int i = 0; i < n; ++i)
    EXPECT_NEAR(modes.frequency[size_t(i)] /
                    (std::sqrt(k / inertia) * std::sin((2 * i + 1) * M_PI / (2 * (2 * n + 1))) / M_PI),
                1, 1e-10);
}

// Two free bars joined end to end flap about their centres: w^2 = 24 k / (m l^2) for thin bars.
TEST(ModalAnalysis, TwoFreeBarsFlap) {
  Creature c = bodies::chain(2);
  c.links[0].joints = {bodies::joint(JointType::free)};
  for (Link& link : c.links) link.mass = 3, link.inertia = Sym3d::diagonal(0.25, 0.25, 1e-4);
  bodies::name_dofs(c);
  std::vector<double> k(7, 0.0);
  k[6] = 5;
  const Modes modes = analyse(c, c.pose(""), k);
  EXPECT_EQ(modes.rigid, 6);
  ASSERT_EQ(modes.count(), 7);
  EXPECT_NEAR(modes.omega(6) / std::sqrt(24 * 5.0 / 3), 1, 1e-10);
}

// Torque a (e^(B x) - 1) has the slope a B at rest: a mass m on such a slide swings with sqrt(a B / m).
TEST(ModalAnalysis, AnExponentialSpringCountsByItsSlopeAtRest) {
  Creature c = string_of_masses(1);
  Spring& spring = c.links[0].joints[0].dofs[0].spring;
  spring.type = SpringType::exponential, spring.stiffness = 3, spring.sharpness = 12;
  const std::vector<double> k = file_stiffness(c);
  ASSERT_EQ(k.size(), 1u);
  EXPECT_EQ(k[0], 36);
  const Modes modes = analyse(c, c.pose(""), k, {});
  EXPECT_NEAR(modes.omega(modes.rigid), 6, 1e-12);
}

// A ring: n + 1 links of which the last, of half a mass, is held to the first, of the other half.
TEST(ModalAnalysis, RingOfMassesClosedByAConstraintHasPairsOfModes) {
  const int n = 10;
  Creature c = string_of_masses(n + 1);
  for (Link& link : c.links) link.pos = {};
  c.links[0].mass = c.links[size_t(n)].mass = 0.5;
  std::vector<double> k(n + 1, 11);
  k[0] = 0;
  Hold hold;
  hold.link = n, hold.other = 0;
  const Modes modes = analyse(c, c.pose(""), k, {hold});
  EXPECT_EQ(modes.constraints, 1) << "of the three rows of a held point two say nothing here";
  ASSERT_EQ(modes.count(), n);
  EXPECT_EQ(modes.rigid, 1);
  for (int i = 1; i < n; ++i)
    EXPECT_NEAR(modes.frequency[size_t(i)] / (std::sqrt(11.0) * std::sin((i + 1) / 2 * M_PI / n) / M_PI), 1,
                1e-10);
}

TEST(ModalAnalysis, RayleighDampingLowersFrequenciesAndKeepsShapes) {
  const Creature c = string_of_masses(1);
  const Modes modes = analyse(c, c.pose(""), {100});
  const Rayleigh damping{0.5, 0.01};
  // x.. + (0.5 + 0.01 100) x. + 100 x = 0
  EXPECT_NEAR(modes.damped_frequency(0, damping), std::sqrt(100 - 0.75 * 0.75) / (2 * M_PI), 1e-12);
  EXPECT_EQ(modes.damped_frequency(0, {50, 0}), 0);
}

TEST(ModalAnalysis, AHeldOrientationTakesThreeDirectionsAndAHandleFive) {
  const Creature c = load_creature("ragdoll");
  const std::vector<double> q = c.pose("stand"), k = uniform_stiffness(c, 100);
  const Modes free = analyse(c, q, k);
  EXPECT_EQ(free.rigid, 6);
  Hold head;
  head.link = c.link("head"), head.point = false, head.turns = 3;
  const Modes steady = analyse(c, q, k, {head});
  EXPECT_EQ(steady.count(), free.count() - 3);
  EXPECT_EQ(steady.rigid, 3);
  Hold hands;
  hands.link = c.link("r_hand"), hands.other = c.link("l_hand"), hands.turns = 2, hands.axis = {0, 1, 0};
  EXPECT_EQ(analyse(c, q, k, {hands}).count(), free.count() - 5);
}

// The paper's formulation: six velocities for every link, joints as rows of G, its kernel by elimination.
class MaximalCoordinates {
 public:
  MaximalCoordinates(const Creature& c, const std::vector<double>& q)
      : m_(make_model(c)), w_(m_), joints_(make_joint_forces(c, m_)), x_(size_t(m_.nv)) {
    update_positions(m_, q.data(), w_);
    joint_positions(joints_, q.data(), x_.data());
    const int n = 6 * m_.nlink;
    M_ = relative_ = MatrixXd::Zero(n, n), joint_of_ = MatrixXd::Zero(m_.nv, n);
    for (int b = 0; b < m_.nlink; ++b) add_link(b), add_joint(b);
    for (const Loop& loop : c.loops) add_held(loop.link, loop.other, loop.pos, loop.frame ? 0 : 3, 6);
  }

  // Frequencies with stiffness k of the joints, Hz, rising.
  std::vector<double> frequencies(const std::vector<double>& k, const std::vector<Hold>& holds) {
    for (const Hold& hold : holds)
      add_held(hold.link, hold.other, hold.pos, hold.turns == 3 ? 0 : 3, hold.point ? 6 : 3);
    MatrixXd G(rows_.size(), 6 * m_.nlink);
    for (size_t i = 0; i < rows_.size(); ++i) G.row(long(i)) = rows_[i].transpose();
    Eigen::FullPivLU<MatrixXd> lu(G);
    lu.setThreshold(1e-9);
    const MatrixXd N = lu.kernel(), velocities = joint_of_ * N;
    MatrixXd R = velocities;
    for (int i = 0; i < R.cols(); ++i) {
      const VectorXd column = velocities.col(i);
      position_rates(joints_, x_.data(), column.data(), R.col(i).data());
    }
    const MatrixXd K = R.transpose() * VectorXd::Map(k.data(), m_.nv).asDiagonal() * R;
    const auto armature = VectorXd::Map(m_.armature.data(), m_.nv).asDiagonal();
    const MatrixXd M = N.transpose() * M_ * N + velocities.transpose() * armature * velocities;
    Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(K, M, Eigen::EigenvaluesOnly);
    std::vector<double> f;
    for (const double l : solver.eigenvalues()) f.push_back(std::sqrt(std::max(l, 0.0)) / (2 * M_PI));
    return f;
  }

 private:
  static VectorXd to_vector(const Twist<double>& t) {
    return (VectorXd(6) << t.ang.x, t.ang.y, t.ang.z, t.lin.x, t.lin.y, t.lin.z).finished();
  }
  static Twist<double> unit(int j) {
    Twist<double> t{};
    (j < 3 ? t.ang : t.lin)[j % 3] = 1;
    return t;
  }

  // Its inertia, and its twist at its origin minus that of its parent at the same place.
  void add_link(int b) {
    const Inertia<double> I = rigid_inertia(m_.mass[size_t(b)], w_.c[size_t(b)], w_.I[size_t(b)]);
    for (int j = 0; j < 6; ++j) {
      const Wrench<double> f = I * unit(j);
      for (int i = 0; i < 3; ++i)
        M_(6 * b + i, 6 * b + j) = f.ang[i], M_(6 * b + 3 + i, 6 * b + j) = f.lin[i];
      relative_(6 * b + j, 6 * b + j) = 1;
      const int parent = m_.parent[size_t(b)];
      if (parent >= 0)
        relative_.block(6 * b, 6 * parent + j, 6, 1) = -to_vector(shift(unit(j), w_.r[size_t(b)]));
    }
  }

  // Velocities of the joint, and rows that it does not allow: what S^T does not see.
  void add_joint(int b) {
    const int first = m_.dof_begin[size_t(b)], count = m_.dof_begin[size_t(b) + 1] - first;
    MatrixXd S(6, count), U = MatrixXd::Identity(6, 6);
    for (int j = 0; j < count; ++j) S.col(j) = to_vector(w_.S[size_t(first + j)]);
    const MatrixXd mine = relative_.middleRows(6 * b, 6);
    if (count > 0) {
      joint_of_.middleRows(first, count) = (S.transpose() * S).ldlt().solve(S.transpose() * mine);
      U = Eigen::FullPivLU<MatrixXd>(S.transpose()).kernel();
    }
    for (int r = 0; r < 6 - count; ++r) rows_.push_back(mine.transpose() * U.col(r));
  }

  // Twists of two links at one place agree, in directions [from, to).
  void add_held(int link, int other, const Vec3d& pos, int from, int to) {
    const Vec3d p = point_position(w_, link, pos);
    const MatrixXd A = at_point(link, p) - at_point(other, p);
    for (int i = from; i < to; ++i) rows_.push_back(A.row(i).transpose());
  }
  MatrixXd at_point(int link, const Vec3d& p_w) const {
    MatrixXd A = MatrixXd::Zero(6, 6 * m_.nlink);
    for (int j = 0; j < 6 && link >= 0; ++j)
      A.col(6 * link + j) = to_vector(shift(unit(j), p_w - w_.p[size_t(link)]));
    return A;
  }

  Model<double> m_;
  Workspace<double> w_;
  JointForces<double> joints_;
  std::vector<double> x_;
  MatrixXd M_, relative_, joint_of_;
  std::vector<VectorXd> rows_;
};

std::vector<double> maximal_coordinates(const Creature& c, const std::vector<double>& q,
                                        const std::vector<double>& k, const std::vector<Hold>& holds) {
  return MaximalCoordinates(c, q).frequencies(k, holds);
}

void expect_same(const std::vector<double>& f, const Modes& modes, double tolerance) {
  ASSERT_EQ(int(f.size()), modes.count());
  const double largest = modes.frequency.back();
  for (int i = 0; i < modes.count(); ++i) {
    // a frequency is the root of an eigenvalue: near zero the rounding of the largest ones is all there is
    if (i < modes.rigid)
      EXPECT_LT(f[size_t(i)], 3e-6 * largest) << i;
    else
      EXPECT_NEAR(f[size_t(i)] / modes.frequency[size_t(i)], 1, tolerance) << i;
  }
}

bool is_modal(const Creature& c) {
  const std::vector<char> root = root_dofs(c);
  return std::count(root.begin(), root.end(), 0) > 0 && c.nv() <= 120;
}

TEST(ModalAnalysis, AgreesWithMaximalCoordinatesOnEveryShippedBody) {
  for (const ShippedCreature& shipped : shipped_creatures()) {
    const Creature c = load_creature(shipped.name);
    if (!is_modal(c)) continue;
    SCOPED_TRACE(c.name);
    const std::vector<double> q = rest_pose(c, "stand"), k = uniform_stiffness(c, 20);
    expect_same(maximal_coordinates(c, q, k, {}), analyse(c, q, k), 1e-7);
  }
}

TEST(ModalAnalysis, AgreesWithMaximalCoordinatesOnHeldBodies) {
  const Creature c = load_creature("ragdoll");
  const std::vector<double> q = rest_pose(c, "crouch"), k = uniform_stiffness(c, 50);
  Hold head, hand, foot;
  head.link = c.link("head"), head.point = false, head.turns = 3;
  hand.link = c.link("r_hand"), hand.other = c.link("l_hand"), hand.turns = 3;
  foot.link = c.link("l_foot");
  for (const std::vector<Hold>& holds : {std::vector<Hold>{head}, {hand}, {foot}, {head, hand, foot}})
    expect_same(maximal_coordinates(c, q, k, holds), analyse(c, q, k, holds), 1e-7);
}

// Accelerations of the simulator around the rest pose, along every mode.
TEST(ModalAnalysis, AgreesWithTheLinearisedSimulatorOnEveryShippedBody) {
  for (const ShippedCreature& shipped : shipped_creatures()) {
    Creature c = load_creature(shipped.name);
    if (!is_modal(c)) continue;
    SCOPED_TRACE(c.name);
    const std::vector<double> q = rest_pose(c, "stand"), k = uniform_stiffness(c, 20);
    const Modes modes = analyse(c, q, k);
    World world;
    world.body = with_springs(c, q, k, {}, false);
    world.terrain = no_terrain();
    world.gravity = {};
    const System<double> system = make_system(world);
    StepOptions explicitly;
    explicitly.integrator = Integrator::rk4;
    Simulation<double> sim(system, explicitly);
    const int nv = system.model.nv;
    Workspace<double> w(system.model);
    update_positions(system.model, q.data(), w);
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> M(nv, nv);
    mass_matrix(system.model, w, M.data());
    const double h = 1e-5;
    for (int i = modes.rigid; i < modes.count(); ++i) {
      VectorXd change = VectorXd::Zero(nv);
      for (const double side : {1.0, -1.0}) {
        std::vector<double> moved(q.size());
        integrate_positions(system.model, q.data(), modes.body.col(i).data(), side * h, moved.data());
        sim.reset(moved);
        sim.probe();
        change += side * VectorXd::Map(sim.qdd.data(), nv);
      }
      // a mode is what is pulled straight back: qdd = -w^2 u
      const double square = modes.omega(i) * modes.omega(i);
      const VectorXd pulled = change / (2 * h), u = modes.body.col(i);
      EXPECT_LT((pulled + square * u).norm() / (square * u.norm()), 1e-4) << i;
      // and Rayleigh's quotient, of second order in any error of the shape, gives the frequency
      EXPECT_NEAR(std::sqrt(-u.dot(M * pulled) / u.dot(M * u)) / modes.omega(i), 1, 1e-6) << i;
    }
  }
}

}  // namespace
}  // namespace legwork
