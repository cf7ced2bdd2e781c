#include "life/trunk.h"

#include <algorithm>
#include <cmath>

#include "creature/place.h"
#include "creature/tree.h"
#include "math/dense.h"
#include "math/real.h"

namespace legwork {

namespace {

constexpr int n = MomentumCycle::samples;
constexpr double reaching = 0.022;  // how far a hip goes along with its foot
constexpr double most_yaw = 0.12;   // rad
constexpr double list = 0.07;       // rad: under a girdle that stands on one leg
constexpr double against = 0.7;     // the yaw of arms' carrier beside the pelvis'
constexpr double firm = 0.05;       // cost of a joint's whole range beside a girdle's turn in rad
constexpr int smooth = 6;           // samples on each side over which lists are averaged

size_t wrap(int i) { return size_t((i % n + n) % n); }

// Left hip forward +, one per sample.
std::vector<double> yaw_of(const MomentumProblem& p, const TrunkEnd& end) {
  const auto ahead = [&](int l, double share) {
    const LegSupport& leg = p.legs[size_t(l)];
    const double reach = 0.5 * p.speed * p.period * leg.duty;
    return reach * cos(2 * pi * (share - leg.begin - 0.25 * (2 * leg.duty - 1)));
  };
  std::vector<double> yaw(size_t(n), 0.0);
  for (int i = 0; i < n; ++i)
    yaw[size_t(i)] = -reaching * (ahead(end.left, double(i) / n) - ahead(end.right, double(i) / n)) /
                     std::max(end.width, 1e-6);
  double most = 0;
  for (const double value : yaw) most = std::max(most, std::fabs(value));
  for (double& value : yaw) value *= most > most_yaw ? most_yaw / most : 1;
  return yaw;
}

// Left hip up +.
std::vector<double> list_of(const MomentumCycle& cycle, const TrunkEnd& end) {
  const std::vector<double>&left = cycle.press[size_t(end.left)], &right = cycle.press[size_t(end.right)];
  double mean = 0;
  for (int i = 0; i < n; ++i) mean += (left[size_t(i)] + right[size_t(i)]) / n;
  std::vector<double> raw(size_t(n), 0.0), even(size_t(n), 0.0);
  for (size_t i = 0; i < size_t(n); ++i)
    raw[i] = list * (left[i] - right[i]) / (left[i] + right[i] + 0.3 * mean);
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < n; ++i) {
      even[size_t(i)] = 0;
      for (int k = -smooth; k <= smooth; ++k) even[size_t(i)] += raw[wrap(i + k)] / (2 * smooth + 1);
    }
    raw = even;
  }
  return even;
}

}  // namespace

TrunkBend::TrunkBend(const Creature& c, const std::vector<double>& q, int root, std::vector<TrunkEnd> ends)
    : ends_(std::move(ends)) {
  const std::vector<int> begin = dof_begins(c);
  const std::vector<char> carries = root_dofs(c);
  const std::vector<const Dof*> all = c.dofs();
  const std::vector<Twist<double>> S = dof_directions(c, q);
  std::vector<std::vector<char>> below(ends_.size(), std::vector<char>(all.size(), 0));
  for (size_t e = 0; e < ends_.size(); ++e)
    for (int link = ends_[e].link; link >= 0 && link != root; link = c.links[size_t(link)].parent)
      for (int j = begin[size_t(link)]; j < begin[size_t(link) + 1]; ++j)
        below[e][size_t(j)] = !carries[size_t(j)];
  for (size_t j = 0; j < all.size(); ++j)
    for (const std::vector<char>& on : below)
      if (on[j] && norm(S[j].ang) > 0.5) {
        dofs_.push_back(int(j));
        break;
      }
  const Eigen::Index rows = Eigen::Index(3 * ends_.size()), joints = Eigen::Index(dofs_.size());
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(rows + joints, 3 + joints);
  for (size_t e = 0; e < ends_.size(); ++e)
    for (Eigen::Index k = 0; k < 3; ++k) {
      const Eigen::Index row = Eigen::Index(3 * e) + k;
      A(row, k) = 1;
      for (Eigen::Index j = 0; j < joints; ++j)
        if (below[e][size_t(dofs_[size_t(j)])]) A(row, 3 + j) = S[size_t(dofs_[size_t(j)])].ang[int(k)];
    }
  for (Eigen::Index j = 0; j < joints; ++j) {
    const Dof& dof = *all[size_t(dofs_[size_t(j)])];
    A(rows + j, 3 + j) = firm / std::clamp(0.5 * (dof.upper - dof.lower), 0.02, 1.0);
  }
  solution_.resize(3 + joints, rows);
  for (Eigen::Index r = 0; r < rows; ++r) {
    Eigen::VectorXd b = Eigen::VectorXd::Zero(rows + joints);
    b(r) = 1;
    solution_.col(r) = least_squares(A, b);
  }
}

TrunkBend::Bent TrunkBend::bend(const MomentumProblem& p, const MomentumCycle& cycle, double share) const {
  Eigen::MatrixXd wanted = Eigen::MatrixXd::Zero(Eigen::Index(3 * ends_.size()), n);
  for (size_t e = 0; e < ends_.size(); ++e) {
    const Eigen::Index row = Eigen::Index(3 * e);
    for (Eigen::Index i = 0; i < n; ++i)
      for (int k = 0; k < 3; ++k) wanted(row + k, i) = cycle.turn[size_t(i)][k];
    // arms' carrier turns against the girdle behind it
    const TrunkEnd& own = ends_[e].arms ? ends_.front() : ends_[e];
    if (own.arms) continue;
    const std::vector<double> yaw = yaw_of(p, own), lists = list_of(cycle, own);
    for (Eigen::Index i = 0; i < n; ++i) {
      wanted(row, i) += ends_[e].arms ? 0 : share * lists[size_t(i)];
      wanted(row + 2, i) += share * (ends_[e].arms ? -against : 1) * yaw[size_t(i)];
    }
  }
  const Eigen::MatrixXd found = solution_ * wanted;
  Bent bent;
  for (Eigen::Index i = 0; i < n; ++i) bent.root.push_back({found(0, i), found(1, i), found(2, i)});
  for (Eigen::Index j = 3; j < found.rows(); ++j) {
    std::vector<double> row;
    for (Eigen::Index i = 0; i < n; ++i) row.push_back(found(j, i));
    bent.joint.push_back(std::move(row));
  }
  return bent;
}

}  // namespace legwork
