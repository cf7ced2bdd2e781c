#include "control/inverse_kinematics.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"
#include "math/small.h"

namespace legwork {

namespace {

constexpr int rounds = 80;
constexpr double margin = 0.03;  // share of a joint's range that is left free at its ends
constexpr double pull = 1e-4;    // what a radian from the rest counts beside a miss by the size, both squared
constexpr double close_enough = 1e-9;  // share of the cost by which a round still pays
constexpr double heading_share = 0.2;  // what the foot's heading counts beside its tilt
constexpr double stiffest = 1e3;       // damping beyond which no step is tried

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
    : w(model),
      model_(&model),
      joints_(&joints),
      x_(size_t(model.nv)),
      v_(size_t(model.nv)),
      tried_(size_t(model.nq)),
      ended_(size_t(model.nv)) {
  for (size_t d = 0; d < x_.size(); ++d) {
    const double low = joints.lower[d], high = joints.upper[d];
    const double free = high - low < 1e6 ? margin * (high - low) : 0;
    lower.push_back(low + free), upper.push_back(high - free);
  }
}

FootSolver::Miss FootSolver::look(const FootGoal& goal, const std::vector<int>& dofs,
                                  const std::vector<double>& rest, double size,
                                  const std::vector<double>& q) {
  update_positions(*model_, q.data(), w);
  joint_positions(*joints_, q.data(), x_.data());
  const Vec3d miss = goal.place - point_position(w, goal.foot, goal.sole);
  Vec3d turn = goal.arm > 0 ? turn_between(w.R[size_t(goal.foot)], goal.axes) * goal.arm : Vec3d();
  turn.z *= heading_share;
  Miss m;
  m.error = {miss.x, miss.y, miss.z, turn.x, turn.y, turn.z};
  for (double& e : m.error) e /= size, m.cost += e * e;
  for (const int d : dofs) {
    const double away = x_[size_t(d)] - rest[size_t(d)];
    m.cost += pull * away * away;
  }
  m.place = norm(miss);
  return m;
}

// The step that lowers the cost by a model that is linear in it, damped; joints that would leave their range
// stay at its end.
void FootSolver::find_step(const FootGoal& goal, const std::vector<int>& dofs,
                           const std::vector<double>& rest, double size, const Miss& miss, double damping) {
  std::fill(v_.begin(), v_.end(), 0.0);
  std::fill(ended_.begin(), ended_.end(), char(0));
  const double weight = pull + damping;
  const auto row = [&](const Twist<double>& c) {
    const double a = goal.arm / size;
    return Numbers<6>{c.lin.x / size, c.lin.y / size, c.lin.z / size,
                      a * c.ang.x,    a * c.ang.y,    heading_share * a * c.ang.z};
  };
  for (int pass = 0; pass < 3; ++pass) {
    Numbers<6> left = miss.error;
    std::array<Numbers<6>, 6> A{};
    for (size_t i = 0; i < 6; ++i) A[i][i] = weight;
    for (size_t k = 0; k < dofs.size(); ++k) {
      const size_t d = size_t(dofs[k]);
      const Numbers<6> c = row(columns_[k]);
      const double home = ended_[d] ? v_[d] : pull / weight * (rest[d] - x_[d]);
      for (size_t i = 0; i < 6; ++i) {
        left[i] -= c[i] * home;
        for (size_t j = 0; j < 6 && !ended_[d]; ++j) A[i][j] += c[i] * c[j];
      }
    }
    const Numbers<6> f = SmallCholesky<6>(A).solve(left);
    bool more = false;
    for (size_t k = 0; k < dofs.size(); ++k) {
      const size_t d = size_t(dofs[k]);
      if (ended_[d]) continue;
      const Numbers<6> c = row(columns_[k]);
      v_[d] = pull / weight * (rest[d] - x_[d]);
      for (size_t i = 0; i < 6; ++i) v_[d] += c[i] * f[i];
      const double end =
          std::clamp(x_[d] + v_[d], std::min(lower[d], x_[d]), std::max(upper[d], x_[d])) - x_[d];
      if (end != v_[d]) v_[d] = end, ended_[d] = 1, more = true;
    }
    if (!more) return;
  }
}

double FootSolver::place(const std::vector<int>& dofs, const FootGoal& goal, const std::vector<double>& rest,
                         double size, std::vector<double>& q) {
  Miss miss = look(goal, dofs, rest, size, q);
  double damping = 1e-2;
  for (int round = 0; round < rounds && damping < stiffest; ++round) {
    chain_columns(*model_, w, dofs, point_position(w, goal.foot, goal.sole), columns_);
    find_step(goal, dofs, rest, size, miss, damping);
    integrate_positions(*model_, q.data(), v_.data(), 1.0, tried_.data());
    const Miss next = look(goal, dofs, rest, size, tried_);
    if (next.cost < miss.cost) {
      const bool done = next.cost > (1 - close_enough) * miss.cost;
      miss = next, q = tried_, damping *= 0.3;
      if (done) break;
    } else {
      damping *= 4;
      look(goal, dofs, rest, size, q);
    }
  }
  look(goal, dofs, rest, size, q);
  return miss.place;
}

}  // namespace legwork
