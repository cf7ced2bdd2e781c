#include "modes/analysis.h"

#include <algorithm>
#include <cmath>

#include "creature/tree.h"
#include "dynamics/dynamics.h"
#include "math/dense.h"
#include "math/real.h"
#include "modes/coordinates.h"

namespace legwork {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double dependent = 1e-9;  // share of the largest pivot below which a constraint follows from others
constexpr double same = 1e-7;       // relative: eigenvalues that are one and the same
constexpr double noticeable = 0.5;  // share of the largest motion: the first above it settles a mode's sign

// Where several modes have one frequency their span is what counts. Of all its bases this one comes from the
// span alone: each vector is as much of one joint's motion as is left, joints being taken in their order.
void choose_basis(MatrixXd& u, const MatrixXd& shapes, int first, int count) {
  if (count < 2) return;
  const MatrixXd A = shapes.middleCols(first, count);  // joints x count
  const double most = A.rowwise().norm().maxCoeff();
  MatrixXd turn = MatrixXd::Zero(count, count);
  int made = 0;
  for (int j = 0; j < A.rows() && made < count; ++j) {
    VectorXd row = A.row(j).transpose();
    for (int k = 0; k < made; ++k) row -= turn.col(k) * turn.col(k).dot(row);
    if (row.norm() > 0.25 * most) turn.col(made++) = row.normalized();
  }
  if (made < count) return;
  u.middleCols(first, count) = (u.middleCols(first, count) * turn).eval();
}

void settle_sign(Modes& modes, int mode) {
  const auto column = mode < modes.rigid ? modes.body.col(mode) : modes.joints.col(mode);
  const double most = column.cwiseAbs().maxCoeff();
  for (int i = 0; i < column.size(); ++i) {
    if (std::fabs(column[i]) <= noticeable * most) continue;
    if (column[i] < 0) modes.body.col(mode) *= -1, modes.joints.col(mode) *= -1;
    return;
  }
}

// The matrix R: joint rates from velocities, without the root's rows.
MatrixXd rate_matrix(const JointForces<double>& joints, const std::vector<double>& x0, const MatrixXd& v,
                     const std::vector<char>& root) {
  MatrixXd out(v.rows(), v.cols());
  for (int c = 0; c < v.cols(); ++c) position_rates(joints, x0.data(), v.col(c).data(), out.col(c).data());
  for (int i = 0; i < v.rows(); ++i)
    if (root[size_t(i)]) out.row(i).setZero();
  return out;
}

// Rows of G: the creature's loops and the holds, on v, in the rest pose.
MatrixXd constraint_rows(const Creature& creature, const Model<double>& m, Workspace<double>& w,
                         const std::vector<Hold>& holds) {
  int rows = 0;
  for (const Loop& loop : creature.loops) rows += loop.frame ? 6 : 3;
  for (const Hold& hold : holds) rows += rows_of(hold);
  MatrixXd G = MatrixXd::Zero(rows, m.nv);
  RowMajor J(6, m.nv);
  int row = 0;
  // the twist of a link's point minus that of the other's at the same place
  const auto relative = [&](int link, int other, const Vec3d& pos) {
    RowMajor sum = RowMajor::Zero(6, m.nv);
    const Vec3d p_w = point_position(w, link, pos);
    point_jacobian(m, w, link, pos, J.data());
    sum += J;
    if (other < 0) return sum;
    point_jacobian(m, w, other, transpose_times(w.R[other], p_w - w.p[other]), J.data());
    sum -= J;
    return sum;
  };
  for (const Loop& loop : creature.loops) {
    const RowMajor twist = relative(loop.link, loop.other, loop.pos);
    G.middleRows(row, 3) = twist.bottomRows(3);
    row += 3;
    if (!loop.frame) continue;
    G.middleRows(row, 3) = twist.topRows(3);
    row += 3;
  }
  for (const Hold& hold : holds) {
    const RowMajor twist = relative(hold.link, hold.other, hold.pos);
    if (hold.point) G.middleRows(row, 3) = twist.bottomRows(3), row += 3;
    if (hold.turns == 3) G.middleRows(row, 3) = twist.topRows(3), row += 3;
    if (hold.turns != 2) continue;
    const Vec3d a = hold.axis,
                b = normalized(cross(a, std::fabs(a.x) < 0.7 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}));
    const Vec3d c = cross(a, b);
    for (const Vec3d& n : {b, c}) G.row(row++) = n.x * twist.row(0) + n.y * twist.row(1) + n.z * twist.row(2);
  }
  return G;
}

}  // namespace

double Modes::omega(int mode) const { return 2 * pi * frequency[size_t(mode)]; }

double Modes::damping_ratio(int mode, const Rayleigh& damping) const {
  const double w = omega(mode);
  return w > 0 ? 0.5 * (damping.mass / w + damping.stiffness * w) : 0;
}

double Modes::damped_frequency(int mode, const Rayleigh& damping) const {
  const double ratio = damping_ratio(mode, damping);
  return ratio < 1 ? frequency[size_t(mode)] * std::sqrt(1 - ratio * ratio) : 0;
}

Modes analyse(const Creature& creature, const Model<double>& m, const JointForces<double>& joints,
              const std::vector<double>& q0, const std::vector<double>& stiffness,
              const std::vector<Hold>& holds) {
  Modes modes;
  modes.q0 = q0;
  modes.stiffness = stiffness;
  modes.x0.resize(size_t(m.nv));
  joint_positions(joints, q0.data(), modes.x0.data());
  const std::vector<char> root = root_dofs(creature);
  const std::vector<char> none(size_t(m.nv), 0);

  // mass, and the directions that are left
  Workspace<double> w(m);
  update_positions(m, q0.data(), w);
  RowMajor M(m.nv, m.nv);
  mass_matrix(m, w, M.data());
  const MatrixXd N = null_space(constraint_rows(creature, m, w, holds), dependent);
  const int n = int(N.cols());
  modes.constraints = m.nv - n;
  if (n == 0) return modes;

  // K' = B^T B with B = sqrt(K) R N: what B does not see is rigid
  MatrixXd B = rate_matrix(joints, modes.x0, N, none);
  for (int i = 0; i < m.nv; ++i) B.row(i) *= std::sqrt(stiffness[size_t(i)]);
  modes.rigid = n - rank(B, dependent);
  const MatrixXd K = B.transpose() * B, reduced = N.transpose() * M * N;
  auto [lambda, u] = eigenpairs(K, reduced);

  // one basis for modes of one frequency
  for (int i = modes.rigid; i < n;) {
    int end = i + 1;
    while (end < n && lambda[end] - lambda[i] < same * lambda[end]) ++end;
    if (end - i > 1) choose_basis(u, rate_matrix(joints, modes.x0, N * u, root), i, end - i);
    i = end;
  }
  modes.body = N * u;
  modes.joints = rate_matrix(joints, modes.x0, modes.body, root);
  for (int i = 0; i < n; ++i) {
    modes.frequency.push_back(i < modes.rigid ? 0 : std::sqrt(std::max(lambda[i], 0.0)) / (2 * pi));
    if (i < modes.rigid) modes.joints.col(i) *= modes.joints.col(i).norm() > 1e-9 * modes.body.col(i).norm();
    const double length = i < modes.rigid ? modes.body.col(i).norm() : modes.joints.col(i).norm();
    modes.body.col(i) /= length;
    modes.joints.col(i) /= length;
    settle_sign(modes, i);
  }
  return modes;
}

Modes analyse(const Creature& creature, const std::vector<double>& q0, const std::vector<double>& stiffness,
              const std::vector<Hold>& holds) {
  const Model<double> model = make_model(creature);
  return analyse(creature, model, make_joint_forces(creature, model), q0, stiffness, holds);
}

}  // namespace legwork
