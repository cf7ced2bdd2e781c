#include "control/inverse_kinematics.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"
#include "math/small.h"

namespace legwork {

namespace {

constexpr int rounds = 60;
constexpr double close_enough = 1e-6;  // of the size
constexpr double margin = 0.03;        // share of a joint's range that is left free at its ends
constexpr double longest_move = 0.3;   // rad or m in one round
constexpr double pull = 0.1;           // share of the distance to the rest positions that a round covers

}  // namespace

void chain_columns(const Model<double>& m, const Workspace<double>& w, const std::vector<int>& dofs,
                   const Vec3d& point_w, std::vector<Twist<double>>& columns) {
  columns.clear();
  for (const int d : dofs) {
    const Twist<double>& S = w.S[size_t(d)];
    columns.push_back({S.ang, S.lin + cross(S.ang, point_w - w.p[size_t(m.link_of_dof[size_t(d)])])});
  }
}

Vec3d turn_between(const Mat3d& a, const Mat3d& b) noexcept {
  return rotation_vector(quaternion(b * transpose(a)));
}

FootSolver::FootSolver(const Model<double>& model, const JointForces<double>& joints)
    : w(model), model_(&model), joints_(&joints), x_(size_t(model.nv)), v_(size_t(model.nv)) {
  for (size_t d = 0; d < x_.size(); ++d) {
    const double low = joints.lower[d], high = joints.upper[d];
    const double free = high - low < 1e6 ? margin * (high - low) : 0;
    lower.push_back(low + free), upper.push_back(high - free);
  }
}

double FootSolver::place(const std::vector<int>& dofs, const FootGoal& goal, const std::vector<double>& rest,
                         double size, std::vector<double>& q) {
  std::fill(v_.begin(), v_.end(), 0.0);
  double missed = 0;
  for (int round = 0;; ++round) {
    update_positions(*model_, q.data(), w);
    const Vec3d at = point_position(w, goal.foot, goal.sole);
    const Vec3d miss = goal.place - at;
    missed = norm(miss);
    const Vec3d turn = goal.arm > 0 ? turn_between(w.R[size_t(goal.foot)], goal.axes) * goal.arm : Vec3d();
    if (round == rounds || (missed < close_enough * size && round > rounds / 2)) break;
    chain_columns(*model_, w, dofs, at, columns_);
    joint_positions(*joints_, q.data(), x_.data());
    const Numbers<6> error{miss.x, miss.y, miss.z, turn.x, turn.y, turn.z};
    std::array<Numbers<6>, 6> A{};
    const auto row = [&](const Twist<double>& c) {
      return Numbers<6>{c.lin.x,           c.lin.y, c.lin.z, goal.arm * c.ang.x, goal.arm * c.ang.y,
                        goal.arm * c.ang.z};
    };
    Numbers<6> left = error;
    for (size_t k = 0; k < dofs.size(); ++k) {
      const Numbers<6> c = row(columns_[k]);
      const double home = pull * (rest[size_t(dofs[k])] - x_[size_t(dofs[k])]);
      for (size_t i = 0; i < 6; ++i) {
        left[i] -= c[i] * home;
        for (size_t j = 0; j < 6; ++j) A[i][j] += c[i] * c[j];
      }
    }
    const double damp = 1e-4 * size * size + 1e-3 * missed * missed;
    for (size_t i = 0; i < 6; ++i) A[i][i] += i < 3 ? damp : damp + 0.05 * goal.arm * goal.arm;
    const Numbers<6> f = SmallCholesky<6>(A).solve(left);
    double largest = 0;
    for (size_t k = 0; k < dofs.size(); ++k) {
      const size_t d = size_t(dofs[k]);
      const Numbers<6> c = row(columns_[k]);
      double move = pull * (rest[d] - x_[d]);
      for (size_t i = 0; i < 6; ++i) move += c[i] * f[i];
      v_[d] = move;
      largest = std::max(largest, std::fabs(move));
    }
    const double part = largest > longest_move ? longest_move / largest : 1;
    for (const int k : dofs) {
      const size_t d = size_t(k);
      v_[d] = std::clamp(x_[d] + part * v_[d], std::min(lower[d], x_[d]), std::max(upper[d], x_[d])) - x_[d];
    }
    integrate_positions(*model_, q.data(), v_.data(), 1.0, q.data());
  }
  return missed;
}

}  // namespace legwork
