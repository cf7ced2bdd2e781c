// An equation as rows of the instant: what its quantity is in terms of accelerations and forces, and what its
// law wants of it.

#include <algorithm>
#include <cmath>

#include "direct/director.h"
#include "dynamics/dynamics.h"

namespace legwork {

void Director::wrench_row(int link, const Wrench<double>& f, double weight, double* row) const {
  const Model<double>& m = system_.model;
  for (int b = link; b >= 0; b = m.parent[size_t(b)]) {
    const Wrench<double> g = shift_back(f, w_.p[size_t(link)] - w_.p[size_t(b)]);
    for (int j = m.dof_begin[size_t(b)]; j < m.dof_begin[size_t(b) + 1]; ++j)
      row[j] += weight * dot(w_.S[size_t(j)], g);
  }
}

// Adds the term's component along a world axis: row over (qdd, lambda), and what it is with all of them zero.
void Director::add_term(const Quantity::Term& t, const Vec3d& e, double* row, double& bias) const {
  const Model<double>& m = system_.model;
  const auto add_point = [&](int link, const Vec3d& r, const Vec3d& along, double weight) {
    wrench_row(link, {cross(r, along), along}, weight, row);
    const Twist<double> v = shift(w_.vel[size_t(link)], r);
    bias += weight * dot(along, shift(bias_[size_t(link)], r).lin + cross(v.ang, v.lin));
  };
  const int nv = m.nv;
  switch (t.type) {
    case QuantityType::point:
      add_point(t.index, w_.R[size_t(t.index)] * t.point, e, t.weight);
      break;
    case QuantityType::orientation:
      wrench_row(t.index, {e, {}}, t.weight, row);
      bias += t.weight * dot(e, bias_[size_t(t.index)].ang);
      break;
    case QuantityType::angle:
      row[t.index] += t.weight;
      break;
    case QuantityType::center_of_mass: {
      const double mass = own_mass();
      for (int b = 0; b < m.nlink; ++b)
        if (own_[size_t(b)] && m.mass[size_t(b)] > 0)
          add_point(b, w_.c[size_t(b)], e, t.weight * m.mass[size_t(b)] / mass);
      break;
    }
    case QuantityType::angular_momentum: {
      const Vec3d com = own_center();
      for (int b = 0; b < m.nlink; ++b) {
        if (!own_[size_t(b)]) continue;
        const Vec3d arm = w_.p[size_t(b)] + w_.c[size_t(b)] - com, turn = w_.I[size_t(b)] * e,
                    w = w_.vel[size_t(b)].ang;
        add_point(b, w_.c[size_t(b)], cross(e, arm) * m.mass[size_t(b)], t.weight);
        wrench_row(b, {turn, {}}, t.weight, row);
        bias += t.weight * (dot(turn, bias_[size_t(b)].ang) + dot(e, cross(w, w_.I[size_t(b)] * w)));
      }
      break;
    }
    case QuantityType::force:
      for (size_t i = 0; i < constraints_.size(); ++i)
        if (constraints_[i].link == t.index)
          row[nv + int(i)] += t.weight * units_.force * dot(constraints_[i].force, e);
      break;
    case QuantityType::torque:
      for (int j = 0; j < nv; ++j) row[j] += t.weight * M_[size_t(t.index) * nv + j];
      for (size_t i = 0; i < constraints_.size(); ++i)
        if (constraints_[i].pushes) row[nv + int(i)] -= t.weight * units_.force * Jc_[i * nv + t.index];
      bias += t.weight * h_[size_t(t.index)];
      break;
  }
}

// Rows over n unknowns for each component of the quantity, and what they are with all unknowns zero.
Vec3d Director::form_rows(const Quantity& quantity, double* rows, int n) const {
  std::fill(rows, rows + size_t(n) * quantity.size(), 0);
  Vec3d bias;
  for (int i = 0; i < quantity.size(); ++i)
    for (const Quantity::Term& t : quantity.terms)
      add_term(t, quantity.axis(i), rows + size_t(i) * n, bias[i]);
  return bias;
}

// The acceleration at the last instant, in world components.
Vec3d Director::acceleration(const Quantity& quantity) const {
  const int n = system_.model.nv + int(constraints_.size());
  std::vector<double> rows(size_t(n) * 3);
  Vec3d a = form_rows(quantity, rows.data(), n), out;
  for (int i = 0; i < quantity.size(); ++i) {
    for (int j = 0; j < system_.model.nv; ++j) a[i] += rows[size_t(i) * n + j] * qdd_[size_t(j)];
    for (size_t j = 0; j < std::min(lambda_.size(), constraints_.size()); ++j)
      a[i] += rows[size_t(i) * n + system_.model.nv + j] * lambda_[j] / units_.force;
    out += quantity.axis(i) * a[i];
  }
  return out;
}

Vec3d Director::present_acceleration(const Quantity& quantity) const {
  return started_ && solves > 0 ? acceleration(quantity) : Vec3d();
}

// What an equation demands: the wanted second derivative (or force), world components; a scalar's is x.
Vec3d Director::wanted(const Equation& e) const {
  const Law& law = e.law;
  if (law.type == LawType::equals) return law.value ? law.value(*this) : law.target;
  const double kv = 2 / e.tau, kp = 1 / (e.tau * e.tau);
  if (e.quantity.is_orientation()) {
    const Mat3d& R = w_.R[size_t(e.quantity.terms[0].index)];
    const Vec3d w = w_.vel[size_t(e.quantity.terms[0].index)].ang;
    const Mat3d target =
        law.type == LawType::pd && law.value ? rotation_matrix(law.value(*this)) : e.R_target;
    if (law.type == LawType::pd) return w * -kv - rotation_vector(R * transpose(target)) * kp;
    Vec3d r, dr, ddr;
    e.way.at(time(), r, dr, ddr);
    const Vec3d turn = turn_rate(r, ddr) + turn_bias(r, dr), w_way = turn_rate(r, dr);
    const Mat3d way = rotation_matrix(r) * e.R_target;
    return turn - (w - w_way) * kv - rotation_vector(R * transpose(way)) * kp;
  }
  const Vec3d x = value(e.quantity), v = rate(e.quantity);
  if (law.type == LawType::pd) return v * -kv - (x - (law.value ? law.value(*this) : law.target)) * kp;
  Vec3d xr, vr, ar;
  e.way.at(time(), xr, vr, ar);
  return ar - (v - vr) * kv - (x - xr) * kp;
}

}  // namespace legwork
