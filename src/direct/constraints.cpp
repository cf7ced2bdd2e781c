// What the ground, holds and loops ask of the accelerations: rows J qdd = wanted, each with the force that
// goes with it.

#include <algorithm>
#include <cmath>

#include "direct/director.h"
#include "dynamics/dynamics.h"
#include "math/small.h"

namespace legwork {

namespace {

// For a body that is not small; Director::Units scales them.
constexpr double gap_lever = 0.02;    // m
constexpr double most_braking = 100;  // m/s^2: no touch stops its slip faster

}  // namespace

double* Director::constraint_row(double value, int owner) {
  constraints_.push_back({owner, -1, {}, -1, value, true});
  Jc_.resize(Jc_.size() + size_t(system_.model.nv), 0);
  return Jc_.data() + Jc_.size() - system_.model.nv;
}

void Director::add_hold(const Hold& hold) {
  const int owner = hold_of + hold.link;
  const double kv = 2 / options.hold_time, kp = 1 / (options.hold_time * options.hold_time);
  const Model<double>& m = system_.model;
  if (inside_held(hold.link)) {
    // its parent is held: the joint between them stays as it is
    for (int j = m.dof_begin[size_t(hold.link)]; j < m.dof_begin[size_t(hold.link) + 1]; ++j) {
      constraint_row(-kv * v_[size_t(j)], owner)[j] = 1;
      constraints_.back().pushes = false;
    }
    return;
  }
  const Vec3d r = w_.R[size_t(hold.link)] * hold.point;
  const Twist<double> v = shift(w_.vel[size_t(hold.link)], r);
  const Twist<double> b = shift(bias_[size_t(hold.link)], r);
  const Vec3d want =
      v.lin * -kv - (w_.p[size_t(hold.link)] + r - hold.at) * kp - (b.lin + cross(v.ang, v.lin));
  const Vec3d turn = v.ang * -kv - rotation_vector(w_.R[size_t(hold.link)] * transpose(hold.R)) * kp - b.ang;
  const Vec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < 3; ++i) {
    wrench_row(hold.link, {cross(r, axes[i]), axes[i]}, 1, constraint_row(want[i], owner));
    constraints_.back().link = hold.link, constraints_.back().force = axes[i];
  }
  for (int i = 0; i < 3; ++i) {
    wrench_row(hold.link, {axes[i], {}}, 1, constraint_row(turn[i], owner));
    constraints_.back().link = hold.link;
  }
}

void Director::add_loops() {
  const Creature& body = system_.world.body;
  for (size_t l = 0; l < body.loops.size(); ++l) {
    Constraints<double> c(system_.model, rows_of(body.loops[l]));
    add_loop(body.loops[l], options.hold_time, w_, c);
    for (int i = 0; i < c.rows; ++i) {
      const Row<double>& row = c.row[size_t(i)];
      double want = row.target;
      if (row.a >= 0) want -= dot(bias_[size_t(row.a)], row.on_a);
      if (row.b >= 0) want -= dot(bias_[size_t(row.b)], row.on_b);
      double* J = constraint_row(want, loop_of + int(l));
      if (row.a >= 0) wrench_row(row.a, row.on_a, 1, J);
      if (row.b >= 0) wrench_row(row.b, row.on_b, 1, J);
    }
  }
}

// Three rows for each touch: normal, tangent, tangent. With n the normal of a face that turns with w_f and a
// relative velocity s: d2 gap/dt2 = n . (a_link - a_other) + 2 (w_f x n) . s; a ball's lowest point is
// another one at every instant, so that its tangential rows have no centripetal part.
void Director::add_touches() {
  const double kv = 2 / options.hold_time;
  const bool soft = options.ground == Grade::penalty;
  for (size_t i = 0; i < contacts_.touches.size(); ++i) {
    const Touch& t = contacts_.touches[i];
    const Vec3d directions[3] = {t.normal, t.tangent[0], t.tangent[1]};
    for (int k = 0; k < 3; ++k) {
      const Vec3d& d = directions[k];
      double bias = 0;
      const auto add = [&](int link, double sign, double* J) {
        const Vec3d r = t.point - w_.p[size_t(link)];
        wrench_row(link, {cross(r, d), d}, sign, J);
        const Vec3d center = link == t.link ? r + t.normal * t.radius : r;
        const Twist<double> v = shift(w_.vel[size_t(link)], center), b = shift(bias_[size_t(link)], center);
        bias += sign * dot(d, b.lin + cross(v.ang, v.lin) + cross(b.ang, r - center));
      };
      double* J = constraint_row(0, touch_of + int(i));
      add(t.link, 1, J);
      if (t.other >= 0) add(t.other, -1, J);
      if (k == 0 && t.face >= 0) bias += 2 * dot(cross(w_.vel[size_t(t.face)].ang, t.normal), t.slip);
      Constraint& c = constraints_.back();
      c.wanted = std::clamp(-kv * dot(d, t.slip), -most_braking, most_braking) - bias, c.link = t.link,
      c.force = d, c.touch = int(i);
    }
  }
  if (!soft) close_gaps(1 / (options.hold_time * options.hold_time));
}

// Touches take back their gaps, as far as the joints can: J (J' J + e^2)^-1 J' gap with e a small lever. A
// foot with fewer joints than its sole has freedoms cannot close them all, and what only a huge motion could
// close is left alone.
void Director::close_gaps(double rate) {
  const int nv = system_.model.nv;
  size_t first = 0;
  while (first < constraints_.size() && constraints_[first].touch < 0) ++first;
  const size_t rows = constraints_.size() - first;
  if (rows == 0) return;
  const double* J = Jc_.data() + first * size_t(nv);
  const double e = gap_lever * units_.length;
  factor_.assign(size_t(nv) * size_t(nv), 0);
  row_.assign(size_t(nv), 0);
  for (size_t r = 0; r < rows; ++r, J += nv) {
    const double gap = r % 3 == 0 ? contacts_.touches[r / 3].gap : 0;
    for (int i = 0; i < nv; ++i) {
      if (J[i] == 0) continue;
      row_[size_t(i)] += J[i] * gap;
      for (int j = 0; j <= i; ++j) factor_[size_t(i) * nv + j] += J[i] * J[j];
    }
  }
  for (int i = 0; i < nv; ++i) factor_[size_t(i) * nv + i] += e * e;
  factorize(factor_.data(), size_t(nv));
  solve_factored(factor_.data(), size_t(nv), row_.data());
  J = Jc_.data() + first * size_t(nv);
  for (size_t r = 0; r < rows; ++r, J += nv)
    for (int i = 0; i < nv; ++i) constraints_[first + r].wanted -= rate * J[i] * row_[size_t(i)];
}

void Director::gather_constraints() {
  constraints_.clear(), Jc_.clear();
  for (const Hold& hold : holds_) add_hold(hold);
  add_loops();
  if (options.ground != Grade::held) add_touches();
  usable_.assign(contacts_.touches.size(), 1);
  overlooked_ = slides_ = false;
  for (size_t i = 0; i < usable_.size(); ++i) {
    const Touch& t = contacts_.touches[i];
    usable_[i] = footing(t.link) != Footing::released;
    const double out = dot(t.slip, t.normal);
    if (options.ground == Grade::penalty) continue;
    if (out > still * units_.time) usable_[i] = 0;
    if (norm(t.slip - t.normal * out) > still * units_.time) slides_ = true;
    if (!usable_[i]) overlooked_ = true;
  }
}

}  // namespace legwork
