#include "control/whole_body.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "control/inverse_kinematics.h"
#include "ground/terrain.h"
#include "math/real.h"
#include "math/small.h"

namespace legwork {

namespace {

using Six = Numbers<6>;

constexpr double damp_place = 1e-3, damp_turn = 3e-3;  // shares of the reach and the arm, squared
// Weights of the parts of the wrench, forces in weights, moments in weights times heights.
constexpr double weight_along = 1, weight_up = 2, weight_tilt = 2, weight_yaw = 3;
constexpr double ease = 1e-4;           // weight of the squared forces, in weights, beside these
constexpr double quickest = 500;        // w^2: largest acceleration of a joint, rad or reaches
constexpr double quickest_swing = 30;   // w^2: largest acceleration of arms and tails against a turning
constexpr double foresight = 0.15;      // 1/w: joints brake that would leave their range within this time
constexpr double strongest_brake = 30;  // w^2: how hard they brake

Six six(const Twist<double>& t, double arm) {
  return {t.lin.x, t.lin.y, t.lin.z, arm * t.ang.x, arm * t.ang.y, arm * t.ang.z};
}

// x with A x = b, A n x n by rows: elimination with pivots.
void solve_general(std::array<Six, 6> A, Six b, Six& x) {
  for (size_t k = 0; k < 6; ++k) {
    size_t p = k;
    for (size_t i = k + 1; i < 6; ++i)
      if (std::fabs(A[i][k]) > std::fabs(A[p][k])) p = i;
    std::swap(A[k], A[p]), std::swap(b[k], b[p]);
    for (size_t i = k + 1; i < 6; ++i) {
      const double s = A[i][k] / A[k][k];
      for (size_t j = k; j < 6; ++j) A[i][j] -= s * A[k][j];
      b[i] -= s * b[k];
    }
  }
  for (size_t k = 6; k-- > 0;) {
    double sum = b[k];
    for (size_t j = k + 1; j < 6; ++j) sum -= A[k][j] * x[j];
    x[k] = sum / A[k][k];
  }
}

}  // namespace

// The root's equations of motion, one along or about each of its axes: the world's for a free root, its own
// for one in a plane, where those that are held have none.
struct WholeBody::RootAxes {
  std::array<Vec3d, 6> along{}, about{};  // world, one of the two a unit vector; both 0: held
  Mat3d axes;                             // in which a free root's turning is counted
  bool planar = false;

  RootAxes(const LeggedBody& b, const Workspace<double>& w) : axes(w.R[size_t(b.root)]), planar(b.planar()) {
    for (size_t k = 0; k < 6 && !planar; ++k) (k < 3 ? along[k] : about[k])[int(k % 3)] = 1;
    for (size_t k = 0; k < size_t(b.root_dofs) && planar; ++k) {
      const Twist<double>& S = w.S[size_t(b.root_v) + k];
      (dot(S.ang, S.ang) > 0 ? about[k] : along[k]) = dot(S.ang, S.ang) > 0 ? S.ang : S.lin;
    }
  }
  bool turns(size_t k) const { return dot(about[k], about[k]) > 0; }
  // From forces on the root's degrees of freedom.
  Six rows(const Six& t) const {
    if (planar) return t;
    const Vec3d n = axes * Vec3d(t[3], t[4], t[5]);
    return {t[0], t[1], t[2], n.x, n.y, n.z};
  }
  Six rows(const Vec3d& force, const Vec3d& moment) const {
    Six t{};
    for (size_t k = 0; k < 6; ++k) t[k] = turns(k) ? dot(about[k], moment) : dot(along[k], force);
    return t;
  }
  Vec3d force(const Six& t) const {
    Vec3d sum;
    for (size_t k = 0; k < 6; ++k) sum += along[k] * t[k];
    return sum;
  }
  Vec3d moment(const Six& t) const {
    Vec3d sum;
    for (size_t k = 0; k < 6; ++k) sum += about[k] * t[k];
    return sum;
  }
  // The part of a moment that is not held.
  Vec3d unheld(const Vec3d& n) const { return planar ? moment(rows({}, n)) : n; }
};

WholeBody::WholeBody(const LeggedBody& body) : body_(&body) {
  const size_t nv = size_t(body.system->model.nv);
  tau.assign(nv, 0), qdd.assign(nv, 0), c_.assign(nv, 0), tau_c_.assign(nv, 0);
  M_.assign(nv * nv, 0), B_.assign(nv * 6, 0);
  force.assign(body.system->contacts.sites.size(), {});
}

// B and c: how all joints accelerate, given the root's acceleration.
void WholeBody::follow_root(const std::vector<FootTask>& feet, const BodyTask& task, Workspace<double>& w) {
  const LeggedBody& b = *body_;
  const Model<double>& m = b.system->model;
  std::fill(B_.begin(), B_.end(), 0.0);
  std::copy(task.posture.begin(), task.posture.end(), c_.begin());
  const size_t of_root = size_t(b.root_dofs);
  for (size_t k = 0; k < of_root; ++k) c_[size_t(b.root_v) + k] = 0, B_[(size_t(b.root_v) + k) * 6 + k] = 1;
  for (size_t i = 0; i < b.legs.size(); ++i) {
    const LimbOfBody& leg = b.legs[i];
    const FootTask& foot = feet[i];
    const double arm = foot.arm;
    const Vec3d at = point_position(w, leg.foot, leg.sole);
    const Twist<double> bias = point_bias(m, w, leg.foot, leg.sole);
    Six left = six({foot.turning - bias.ang, foot.acceleration - bias.lin}, arm);
    chain_columns(m, w, leg.spine, at, columns_);
    for (size_t k = 0; k < leg.spine.size(); ++k) {
      const Six col = six(columns_[k], arm);
      for (size_t r = 0; r < 6; ++r) left[r] -= col[r] * c_[size_t(leg.spine[k])];
    }
    chain_columns(m, w, leg.dofs, at, columns_);
    chain_columns(m, w, root_dofs_, at, root_columns_);
    std::array<Six, 6> A{};
    for (size_t k = 0; k < leg.dofs.size(); ++k) {
      const Six col = six(columns_[k], arm);
      for (size_t r = 0; r < 6; ++r) {
        left[r] -= col[r] * c_[size_t(leg.dofs[k])];
        for (size_t s = 0; s <= r; ++s) A[r][s] += col[r] * col[s];
      }
    }
    const double place = damp_place * leg.reach * leg.reach, turn = damp_turn * arm * arm;
    for (size_t r = 0; r < 6; ++r) A[r][r] += r < 3 ? place : turn + 1e-9 * place;
    const SmallCholesky<6> factor(A);
    const Six push = factor.solve(left);
    Six by_root[6];
    for (size_t s = 0; s < of_root; ++s) by_root[s] = factor.solve(six(root_columns_[s], arm));
    for (size_t k = 0; k < leg.dofs.size(); ++k) {
      const size_t d = size_t(leg.dofs[k]);
      const Six col = six(columns_[k], arm);
      double* B = B_.data() + d * 6;
      double& c = c_[d];
      for (size_t r = 0; r < 6; ++r) {
        c += col[r] * push[r];
        for (size_t s = 0; s < of_root; ++s) B[s] -= col[r] * by_root[s][r];
      }
    }
  }
}

void WholeBody::gather(const Terrain& terrain, const std::vector<FootTask>& feet,
                       const Workspace<double>& w) {
  const LeggedBody& b = *body_;
  points_.clear();
  for (size_t i = 0; i < b.legs.size(); ++i) {
    if (!feet[i].bears) continue;
    const size_t first = points_.size();
    // the corners that are near the ground; if none is, all of them, but of a point's rim the lowest
    int lowest = -1;
    double least = unlimited;
    for (const int s : b.legs[i].sites) {
      const ContactSite<double>& site = b.system->contacts.sites[size_t(s)];
      const Vec3d center = point_position(w, site.link, site.pos);
      const double gap = center.z - site.radius - sample(terrain, center.x, center.y).height;
      if (gap < least) least = gap, lowest = s;
      if (gap <= lifted_corner * b.height) add_point(terrain, s, int(i), w);
    }
    if (points_.size() > first) continue;
    if (b.legs[i].size == 0) add_point(terrain, lowest, int(i), w);
    for (const int s : b.legs[i].sites)
      if (b.legs[i].size > 0) add_point(terrain, s, int(i), w);
  }
}

void WholeBody::add_point(const Terrain& terrain, int s, int leg, const Workspace<double>& w) {
  const ContactSite<double>& site = body_->system->contacts.sites[size_t(s)];
  const Vec3d center = point_position(w, site.link, site.pos);
  const Vec3d n = sample(terrain, center.x, center.y).normal;
  Point p;
  p.site = s, p.leg = leg;
  p.at = center - n * site.radius;
  const Vec3d x = std::fabs(n.x) < 0.9 ? Vec3d(1, 0, 0) : Vec3d(0, 0, -1);
  p.axes[0] = normalized(x - n * dot(x, n));
  p.axes[1] = cross(n, p.axes[0]);
  p.axes[2] = n;
  points_.push_back(p);
}

// Forces at the points that give the wanted wrench about the centre of mass.
void WholeBody::share(const std::vector<FootTask>& feet, const Wrench<double>& wanted, const Vec3d& com,
                      double friction) {
  const LeggedBody& b = *body_;
  const int n = int(points_.size()) * 3;
  problem_.clear(n);
  y_.assign(size_t(n), 0);
  row_.assign(size_t(n), 0);
  const double W = b.weight, h = b.height;
  const double target[6] = {wanted.lin.x / W,       wanted.lin.y / W,       wanted.lin.z / W,
                            wanted.ang.x / (W * h), wanted.ang.y / (W * h), wanted.ang.z / (W * h)};
  double weight[6] = {weight_along, weight_along, weight_up, weight_tilt, weight_tilt, weight_yaw};
  if (b.planar()) weight[1] = weight[3] = weight[5] = 0;  // what holds it in its plane bears that
  for (int r = 0; r < 6; ++r) {
    for (size_t k = 0; k < points_.size(); ++k)
      for (int a = 0; a < 3; ++a) {
        const Vec3d& e = points_[k].axes[a];
        row_[k * 3 + size_t(a)] = r < 3 ? e[r] : cross(points_[k].at - com, e)[r - 3] / h;
      }
    problem_.add_cost(row_.data(), target[r], weight[r]);
  }
  problem_.regularize(0, n, ease);
  for (size_t k = 0; k < points_.size(); ++k) {
    problem_.regularize(int(k) * 3, int(k) * 3 + 3, 300 * ease * feet[size_t(points_[k].leg)].ease);
    const Vec3d before = force[size_t(points_[k].site)] * (1 / W);
    for (int a = 0; a < 3; ++a)
      problem_.linear()[k * 3 + size_t(a)] += 0.5 * ease * dot(before, points_[k].axes[a]);
  }
  // an octagon inside the cone of friction
  constexpr double diagonal = 0.70710678118654752;
  constexpr double sides[8][2] = {{1, 0},  {diagonal, diagonal},   {0, 1},  {-diagonal, diagonal},
                                  {-1, 0}, {-diagonal, -diagonal}, {0, -1}, {diagonal, -diagonal}};
  for (size_t k = 0; k < points_.size(); ++k) {
    problem_.add_inequality(0, int(k))[k * 3 + 2] = 1;
    for (const auto& side : sides) {
      double* a = problem_.add_inequality(0, int(k));
      a[k * 3] = -side[0], a[k * 3 + 1] = -side[1], a[k * 3 + 2] = friction;
    }
  }
  problem_.solve(y_.data());
  std::fill(force.begin(), force.end(), Vec3d());
  for (size_t k = 0; k < points_.size(); ++k) {
    const double* y = y_.data() + k * 3;
    force[size_t(points_[k].site)] =
        (points_[k].axes[0] * y[0] + points_[k].axes[1] * y[1] + points_[k].axes[2] * y[2]) * W;
  }
}

// Accelerations of the joints outside the legs whose reaction gives the body the moment that it lacks.
void WholeBody::counter_swing(const RootAxes& root, const Vec3d& from_origin, const Vec3d& lacking,
                              Numbers<6>& bias) {
  const LeggedBody& b = *body_;
  if (b.posture.empty()) return;
  const size_t nv = size_t(b.system->model.nv);
  const auto column = [&](size_t d) {
    Six t{};
    for (size_t k = 0; k < size_t(b.root_dofs); ++k) t[k] = M_[(size_t(b.root_v) + k) * nv + d];
    return root.rows(t);
  };
  // a joint's share in the moment about the centre of mass
  const auto share = [&](size_t d) {
    const Six t = column(d);
    return root.unheld(root.moment(t) - cross(from_origin, root.force(t)));
  };
  double rows[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (const int k : b.posture) {
    const Vec3d n = share(size_t(k));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) rows[i][j] += n[i] * n[j];
  }
  const double unit = 0.02 * b.mass * b.height * b.height;  // what is small beside the body's own inertia
  for (int i = 0; i < 3; ++i) rows[i][i] += unit * unit;
  const SmallCholesky<3> factor(
      {{{rows[0][0], 0, 0}, {rows[1][0], rows[1][1], 0}, {rows[2][0], rows[2][1], rows[2][2]}}});
  const Numbers<3> y = factor.solve({lacking.x, lacking.y, lacking.z});
  for (const int k : b.posture) {
    const size_t d = size_t(k);
    const Vec3d n = share(d);
    const double most = quickest_swing * b.rate * b.rate;
    const double more = std::clamp(-(n.x * y[0] + n.y * y[1] + n.z * y[2]), -most, most);
    c_[d] += more;
    const Six pull = column(d);
    for (size_t i = 0; i < 6; ++i) bias[i] += pull[i] * more;
  }
}

// Joints brake before they leave their range.
void WholeBody::respect_ranges(const std::vector<double>& x, const std::vector<double>& v) {
  const LeggedBody& b = *body_;
  const double T = foresight / b.rate, quick = quickest * b.rate * b.rate,
               brake = strongest_brake * b.rate * b.rate;
  for (size_t d = 0; d < qdd.size(); ++d) {
    if (b.of_root(int(d))) continue;
    const double most = std::clamp(2 * (b.upper[d] - x[d] - v[d] * T) / (T * T), -brake, quick);
    const double least = std::clamp(2 * (b.lower[d] - x[d] - v[d] * T) / (T * T), -quick, brake);
    qdd[d] = least < most ? std::clamp(qdd[d], least, most) : 0.5 * (least + most);
  }
}

void WholeBody::solve(const Terrain& terrain, const std::vector<FootTask>& feet, const BodyTask& task,
                      const std::vector<double>& x, const std::vector<double>& v, Workspace<double>& w) {
  const LeggedBody& b = *body_;
  const Model<double>& m = b.system->model;
  const size_t nv = size_t(m.nv), root = size_t(b.root_v), of_root = size_t(b.root_dofs);
  const Vec3d origin = w.p[size_t(b.root)], com = center_of_mass(m, w);
  if (root_dofs_.empty())
    for (size_t k = 0; k < of_root; ++k) root_dofs_.push_back(int(root + k));
  follow_root(feet, task, w);
  clear_forces(m, w);
  mass_matrix(m, w, M_.data());
  inverse_dynamics(m, c_.data(), w, tau_c_.data());

  // the wrench on the body about the root's origin is A a + bias
  const RootAxes axes(b, w);
  std::array<Six, 6> A{};
  Six column{};
  for (size_t s = 0; s < of_root; ++s) {
    for (size_t r = 0; r < of_root; ++r) {
      const double* row = M_.data() + (root + r) * nv;
      double sum = 0;
      for (size_t d = 0; d < nv; ++d) sum += row[d] * B_[d * 6 + s];
      column[r] = sum;
    }
    const Six rows = axes.rows(column);
    for (size_t r = 0; r < 6; ++r) A[r][s] = rows[r];
  }
  for (size_t r = of_root; r < 6; ++r) A[r][r] = 1;
  for (size_t r = 0; r < of_root; ++r) column[r] = tau_c_[root + r];
  Six bias = axes.rows(column);

  // the root's acceleration that is wanted: its turning as asked, its origin so that the centre of mass goes
  // along
  const Vec3d F = (task.acceleration - m.gravity) * b.mass;
  std::array<Six, 6> wanted = A;
  Six wish = axes.rows(F, {});
  for (size_t r = 0; r < of_root; ++r) {
    if (!axes.turns(r)) {
      wish[r] -= bias[r];
      continue;
    }
    wanted[r] = {}, wanted[r][r] = 1;
    wish[r] = dot(w.S[root + r].ang, task.turning);
  }
  solve_general(wanted, wish, wish);
  Six wrench = bias;
  for (size_t r = 0; r < 6; ++r)
    for (size_t s = 0; s < 6; ++s) wrench[r] += A[r][s] * wish[s];
  const Vec3d moment = axes.moment(wrench) - cross(com - origin, F);

  gather(terrain, feet, w);
  share(feet, {moment, F}, com, task.friction);

  // what the ground cannot turn, arms, neck and tail turn against as far as they can
  Vec3d lacking = moment;
  for (const Point& p : points_) lacking -= cross(p.at - com, force[size_t(p.site)]);
  counter_swing(axes, com - origin, axes.unheld(lacking), bias);

  // what the forces give settles the accelerations
  Six given{};
  for (size_t r = 0; r < 6; ++r) given[r] = -bias[r];
  for (const Point& p : points_) {
    const Vec3d f = force[size_t(p.site)];
    const Six push = axes.rows(f, cross(p.at - origin, f));
    for (size_t r = 0; r < 6; ++r) given[r] += push[r];
  }
  Six a{};
  solve_general(A, given, a);
  for (size_t d = 0; d < nv; ++d) {
    qdd[d] = c_[d];
    for (size_t s = 0; s < 6; ++s) qdd[d] += B_[d * 6 + s] * a[s];
  }
  respect_ranges(x, v);
  inverse_dynamics(m, qdd.data(), w, tau.data());
  for (const Point& p : points_) {
    const Vec3d f = force[size_t(p.site)];
    for (int link = b.system->contacts.sites[size_t(p.site)].link; link >= 0; link = m.parent[size_t(link)])
      for (int d = m.dof_begin[size_t(link)]; d < m.dof_begin[size_t(link) + 1]; ++d) {
        const Twist<double>& S = w.S[size_t(d)];
        tau[size_t(d)] -= dot(f, S.lin + cross(S.ang, p.at - w.p[size_t(link)]));
      }
  }
  for (size_t d = 0; d < nv; ++d)
    tau[d] = b.of_root(int(d)) ? 0 : std::clamp(tau[d], -b.most_torque[d], b.most_torque[d]);
}

}  // namespace legwork
