#include "walk/leg_kinematics.h"

#include <algorithm>
#include <cmath>

namespace legwork {

std::vector<Vec3d> LegKinematics::jacobian(const Leg& leg, const std::vector<int>& dofs) {
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

double LegKinematics::reach(const Leg& leg, const std::vector<int>& dofs, const Vec3d& goal, double size,
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

double LegKinematics::follow(const Leg& leg, const std::vector<int>& dofs, const Vec3d& goal, double size,
                             std::vector<double>& q) {
  set(q);
  const Vec3d from = sole(leg);
  const int parts = 1 + int(norm(goal - from) / (0.1 * size));
  double miss = 0;
  for (int k = 1; k <= parts; ++k)
    miss = reach(leg, dofs, from + (goal - from) * (double(k) / parts), size, q);
  return miss;
}

namespace {

// The middle of a foot's lowest contact points.
void find_sole(const Creature& c, const LegKinematics& kinematics, Leg& leg) {
  double lowest = unlimited;
  const auto height = [&](const ContactPoint& p) {
    return point_position(kinematics.w, p.link, p.pos).z - p.radius;
  };
  for (const ContactPoint& p : c.contacts)
    if (p.link == leg.foot) lowest = std::min(lowest, height(p));
  Vec3d sum;
  int count = 0;
  for (const ContactPoint& p : c.contacts) {
    if (p.link != leg.foot || height(p) > lowest + 0.05 * leg_length(c, leg)) continue;
    sum = sum + p.pos + transpose_times(kinematics.w.R[size_t(p.link)], Vec3d(0, 0, -p.radius));
    ++count;
  }
  if (count > 0) leg.sole = sum * (1.0 / count);
}

// Brings the legs' joints into their ranges; returns whether any was outside.
bool bring_inside(const Creature& c, LegKinematics& kinematics, std::vector<double>& q) {
  const std::vector<double> x = kinematics.x(q);
  std::vector<double> v(x.size(), 0);
  bool changed = false;
  for (const Leg& leg : c.legs)
    for (const int dof : leg_dofs(c, leg)) {
      const size_t d = size_t(dof);
      const double width = kinematics.upper[d] - kinematics.lower[d];
      if (x[d] >= kinematics.lower[d] && x[d] <= kinematics.upper[d]) continue;
      const double inside = width < 1e6 ? 0.15 * width : 0;
      v[d] =
          (x[d] < kinematics.lower[d] ? kinematics.lower[d] + inside : kinematics.upper[d] - inside) - x[d];
      changed = true;
    }
  integrate_positions(kinematics.model, q.data(), v.data(), 1.0, q.data());
  kinematics.set(q);
  return changed;
}

// Lets a leg down that lies flat; returns whether it did.
bool let_down(const Creature& c, const Leg& leg, LegKinematics& kinematics, std::vector<double>& q) {
  const Vec3d hip = kinematics.w.p[size_t(leg.hip)], sole = kinematics.sole(leg);
  const double length = leg_length(c, leg);
  if (hip.z - sole.z > 0.2 * length) return false;
  // keep the direction out from the hip, go down
  const Vec3d out(sole.x - hip.x, sole.y - hip.y, 0);
  const double far = std::max(norm(out), 1e-9);
  const Vec3d goal = hip + out * (std::min(far, 0.6 * length) / far) + Vec3d(0, 0, -0.55 * length);
  kinematics.reach(leg, leg_dofs(c, leg), goal, length, q);
  kinematics.set(q);
  return true;
}

}  // namespace

void find_stand(Creature& c) {
  Pose* stand = nullptr;
  for (Pose& pose : c.poses)
    if (pose.name == "stand") stand = &pose;
  if (!stand) return;
  LegKinematics kinematics(c);
  const auto find_soles = [&] {
    for (Leg& leg : c.legs)
      if (!leg.sole_given) find_sole(c, kinematics, leg);
  };
  bool changed = bring_inside(c, kinematics, stand->q);
  if (changed) find_soles();
  for (const Leg& leg : c.legs)
    if (let_down(c, leg, kinematics, stand->q)) changed = true;
  if (changed) find_soles();
}

}  // namespace legwork
