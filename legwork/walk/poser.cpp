#include "legwork/walk/poser.h"

#include <algorithm>
#include <cmath>

namespace legwork {

std::vector<Vec3d> Poser::jacobian(const Leg& leg, const std::vector<int>& dofs) {
  const size_t nv = size_t(model.nv);
  std::vector<double> J(6 * nv);
  point_jacobian(model, w, leg.foot, leg.sole, J.data());
  std::vector<Vec3d> out;
  for (const int dof : dofs) {
    const size_t d = size_t(dof);
    out.push_back({J[3 * nv + d], J[4 * nv + d], J[5 * nv + d]});
  }
  return out;
}

double Poser::reach(const Leg& leg, const std::vector<int>& dofs, const Vec3d& goal, double size,
                    std::vector<double>& q) {
  std::vector<double> v(size_t(model.nv), 0), x(size_t(model.nv));
  const double across = dofs.size() < 3 ? 0.03 : 1;
  const auto weighted = [&](const Vec3d& d) { return Vec3d(d.x, across * d.y, d.z); };
  for (int round = 0; round < 80; ++round) {
    set(q);
    const Vec3d miss = weighted(goal - sole(leg));
    if (norm(miss) < 1e-5 * size) break;
    std::vector<Vec3d> J = jacobian(leg, dofs);
    for (Vec3d& column : J) column = weighted(column);
    // dx = J^T (J J^T + damp)^-1 miss
    const double damp = 1e-4 * size * size + 1e-3 * dot(miss, miss);
    Vec3d A[3] = {{damp, 0, 0}, {0, damp, 0}, {0, 0, damp}};
    for (const Vec3d& column : J)
      for (int r = 0; r < 3; ++r) A[r] = A[r] + column * column[r];
    const Vec3d c12 = cross(A[1], A[2]), c20 = cross(A[2], A[0]), c01 = cross(A[0], A[1]);
    const Vec3d f = (c12 * miss.x + c20 * miss.y + c01 * miss.z) * (1 / dot(A[0], c12));
    double largest = 0;
    for (const Vec3d& column : J) largest = std::max(largest, std::fabs(dot(column, f)));
    const double part = largest > 0.3 ? 0.3 / largest : 1;
    joint_positions(joints, q.data(), x.data());
    for (size_t k = 0; k < dofs.size(); ++k) {
      const size_t d = size_t(dofs[k]);
      const double to =
          std::clamp(x[d] + part * dot(J[k], f), std::min(lower[d], x[d]), std::max(upper[d], x[d]));
      v[d] = to - x[d];
    }
    integrate_positions(model, q.data(), v.data(), 1.0, q.data());
  }
  set(q);
  return norm(weighted(goal - sole(leg)));
}

double Poser::follow(const Leg& leg, const std::vector<int>& dofs, const Vec3d& goal, double size,
                     std::vector<double>& q) {
  set(q);
  const Vec3d from = sole(leg);
  const int parts = 1 + int(norm(goal - from) / (0.1 * size));
  double miss = 0;
  for (int k = 1; k <= parts; ++k)
    miss = reach(leg, dofs, from + (goal - from) * (double(k) / parts), size, q);
  return miss;
}

std::vector<int> leg_dofs(const Creature& c, const Leg& leg) {
  std::vector<int> first(c.links.size() + 1, 0);
  for (size_t b = 0; b < c.links.size(); ++b) {
    first[b + 1] = first[b];
    for (const Joint& joint : c.links[b].joints) first[b + 1] += nv(joint);
  }
  std::vector<int> dofs;
  for (int link = leg.foot;; link = c.links[size_t(link)].parent) {
    for (int d = first[size_t(link) + 1] - 1; d >= first[size_t(link)]; --d) dofs.push_back(d);
    if (link == leg.hip) break;
  }
  std::reverse(dofs.begin(), dofs.end());
  return dofs;
}

}  // namespace legwork
