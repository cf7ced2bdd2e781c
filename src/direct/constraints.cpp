// What the ground, holds and loops ask of the accelerations: rows J qdd = wanted, each with the force that
// goes with it.

#include <algorithm>
#include <cmath>

#include "direct/director.h"
#include "dynamics/dynamics.h"

namespace legwork {

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

void Director::add_loop_rows(const Loop& loop, int owner) {
  Constraints<double> c(system_.model, rows_of(loop));
  add_loop(loop, options.hold_time, w_, c);
  for (int i = 0; i < c.rows; ++i) {
    const Row<double>& row = c.row[size_t(i)];
    double want = row.target;
    if (row.a >= 0) want -= dot(bias_[size_t(row.a)], row.on_a);
    if (row.b >= 0) want -= dot(bias_[size_t(row.b)], row.on_b);
    double* J = constraint_row(want, owner);
    if (row.a >= 0) wrench_row(row.a, row.on_a, 1, J);
    if (row.b >= 0) wrench_row(row.b, row.on_b, 1, J);
  }
}

void Director::add_loops() {
  const Creature& body = system_.world.body;
  for (size_t l = 0; l < body.loops.size(); ++l) add_loop_rows(body.loops[l], loop_of + int(l));
}

// Equations between joints.
void Director::add_couplings() {
  const Creature& body = system_.world.body;
  for (size_t k = 0; k < body.couplings.size(); ++k) {
    Constraints<double> c(system_.model, 1, terms_of(body.couplings[k]));
    add_coupling(body.couplings[k], options.hold_time, x_.data(), v_.data(), c);
    double* J = constraint_row(c.row[0].target, coupling_of + int(k));
    for (int i = 0; i < c.row[0].count; ++i) J[c.terms[size_t(i)].dof] += c.terms[size_t(i)].factor;
  }
}

// Three rows for each touch, as the simulation has them: normal, tangent, tangent.
void Director::add_touches() {
  for (size_t i = 0; i < contacts_.touches.size(); ++i) {
    const RigidTouch& t = contacts_.touches[i];
    for (int k = 0; k < 3; ++k) {
      const Vec3d d = k == 0 ? t.normal : t.tangent[k - 1];
      const double wanted = sim_.rigid.on ? sim_.rigid.wanted[3 * i + size_t(k)]
                                          : touch_demand(t, k, options.hold_time, w_, bias_);
      double* J = constraint_row(wanted, touch_of + int(i));
      wrench_row(t.link, {cross(t.point - w_.p[size_t(t.link)], d), d}, 1, J);
      if (t.other >= 0) wrench_row(t.other, {cross(t.point - w_.p[size_t(t.other)], d), d}, -1, J);
      Constraint& c = constraints_.back();
      c.link = t.link, c.force = d, c.touch = int(i);
    }
  }
}

void Director::gather_constraints() {
  constraints_.clear(), Jc_.clear();
  for (const Hold& hold : holds_) add_hold(hold);
  add_loops();
  add_couplings();
  for (const Loop& grip : sim_.held) add_loop_rows(grip, grasp_of + grip.link);
  if (options.ground != Grade::held) add_touches();
  usable_.assign(contacts_.touches.size(), 1);
  overlooked_ = slides_ = false;
  for (size_t i = 0; i < usable_.size(); ++i) {
    const RigidTouch& t = contacts_.touches[i];
    usable_[i] = footing(t.link) != Footing::released;
    const double out = dot(t.slip, t.normal);
    if (options.ground == Grade::penalty) continue;
    if (out > still * units_.time) usable_[i] = 0;
    if (norm(t.slip - t.normal * out) > still * units_.time) slides_ = true;
    if (!usable_[i]) overlooked_ = true;
  }
}

// The velocity nearest to the present one, in the measure of kinetic energy, that holds, loops and the point
// of a new hold allow: an impact without rebound. A new hold still turns, since it levels in time.
void Director::settle_velocity(int new_link) {
  if (!started_) return;
  const int nv = system_.model.nv;
  const double before = energy();
  update_state();
  gather_constraints();
  mass_matrix(system_.model, w_, M_.data());
  scratch_.clear(nv);
  for (size_t i = 0; i < constraints_.size(); ++i) {
    const Constraint& c = constraints_[i];
    if (c.touch >= 0 || (c.link == new_link && norm(c.force) == 0)) continue;
    std::copy_n(Jc_.data() + i * nv, nv, scratch_.add_equality(0, 0));
  }
  for (int i = 0; i < nv; ++i)
    for (int j = 0; j < nv; ++j) {
      const double m = M_[size_t(i) * nv + j];
      if (j <= i) scratch_.hessian()[size_t(i) * nv + j] = m;
      scratch_.linear()[i] += m * v_[size_t(j)];
    }
  scratch_.dependent = 1e-9, scratch_.tolerance = 1;
  if (scratch_.solve(v_.data()) != QuadraticOutcome::solved) return;
  update_state();
  sim_.state.flows[flow_impacts] += before - energy();
}

}  // namespace legwork
