// One instant: the equations of motion, the algorithm's equations and the cost, for accelerations, torques
// and forces.

#include <algorithm>
#include <cmath>

#include "legwork/base/text.h"
#include "legwork/direct/director.h"
#include "legwork/dynamics/dynamics.h"

namespace legwork {

namespace {

// in units of the cost; forces in units of the weight
constexpr double regular_acceleration = 1e-7, regular_force = 6e-4;
constexpr double soft_force = 0.6;    // the same where contacts are soft, too
constexpr double soft_contact = 1e3;  // weight of contacts that cannot all hold
// of a foot that comes down to the ground: 1, s, m/s. Lengths, times and speeds here are those of a body that
// is not small (Director::Units)
constexpr double flatten_weight = 10;  // the same of a foot that touches with other points
constexpr double settle_weight = 1000, settle_time = 0.02, settle_slow = 0.15, settle_fast = 0.6;
constexpr double soft_range = 1e3;    // weight of joint ranges that cannot all be kept
constexpr double limit_time = 0.006;  // s: how early a joint heeds its range
constexpr double limit_reach = 300;   // rad/s^2: ranges that ask for less than this braking do not matter yet
constexpr double limit_most = 600;    // rad/s^2: they never ask for more
constexpr double top_speed = 60;      // rad/s
constexpr double gap_lever = 0.02;    // m
constexpr double most_braking = 100;  // m/s^2: no touch stops its slip faster
constexpr double still = 0.02;        // m/s: slower than this a contact holds instead of sliding

// Owners of rows, for messages: an equation's index, or one of these plus an index.
enum Owner {
  dynamics_of = 1 << 20,
  hold_of = 2 << 20,
  loop_of = 3 << 20,
  touch_of = 4 << 20,
  torque_of = 5 << 20,
  range_of = 6 << 20
};

// Cholesky, lower triangle of A (n x n).
void factorize(std::vector<double>& A, int n) {
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) {
      double sum = A[size_t(i) * n + j];
      for (int k = 0; k < j; ++k) sum -= A[size_t(i) * n + k] * A[size_t(j) * n + k];
      A[size_t(i) * n + j] = i == j ? std::sqrt(sum) : sum / A[size_t(j) * n + j];
    }
}
void solve_factored(const std::vector<double>& A, int n, double* x) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= A[size_t(i) * n + k] * x[k];
    x[i] /= A[size_t(i) * n + i];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) x[i] -= A[size_t(k) * n + i] * x[k];
    x[i] /= A[size_t(i) * n + i];
  }
}

}  // namespace

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
      const double mass = total_mass(m);
      for (int b = 0; b < m.nlink; ++b)
        if (m.mass[size_t(b)] > 0) add_point(b, w_.c[size_t(b)], e, t.weight * m.mass[size_t(b)] / mass);
      break;
    }
    case QuantityType::angular_momentum: {
      const Vec3d com = legwork::center_of_mass(m, w_);
      for (int b = 0; b < m.nlink; ++b) {
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
  const Vec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  std::fill(rows, rows + size_t(n) * quantity.size(), 0);
  Vec3d bias;
  for (int i = 0; i < quantity.size(); ++i)
    for (const Quantity::Term& t : quantity.terms)
      add_term(t, axes[quantity.scalar() ? 0 : quantity.axes[size_t(i)]], rows + size_t(i) * n, bias[i]);
  return bias;
}

// Of the last instant, in world components.
Vec3d Director::acceleration(const Quantity& quantity) const {
  const int n = system_.model.nv + int(constraints_.size());
  std::vector<double> rows(size_t(n) * 3);
  Vec3d a = form_rows(quantity, rows.data(), n), out;
  for (int i = 0; i < quantity.size(); ++i) {
    for (int j = 0; j < system_.model.nv; ++j) a[i] += rows[size_t(i) * n + j] * qdd_[size_t(j)];
    for (size_t j = 0; j < std::min(lambda_.size(), constraints_.size()); ++j)
      a[i] += rows[size_t(i) * n + system_.model.nv + j] * lambda_[j] / units_.force;
    out[quantity.scalar() ? 0 : quantity.axes[size_t(i)]] = a[i];
  }
  return out;
}

Vec3d Director::present_acceleration(const Quantity& quantity) const {
  return started_ && solves > 0 ? acceleration(quantity) : Vec3d();
}

// What an equation asks: the wanted second derivative (or force), world components; of scalars x.
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
    e.way.at(time_, r, dr, ddr);
    const Vec3d turn = turn_rate(r, ddr) + turn_bias(r, dr), w_way = turn_rate(r, dr);
    const Mat3d way = rotation_matrix(r) * e.R_target;
    return turn - (w - w_way) * kv - rotation_vector(R * transpose(way)) * kp;
  }
  const Vec3d x = value(e.quantity), v = rate(e.quantity);
  if (law.type == LawType::pd) return v * -kv - (x - (law.value ? law.value(*this) : law.target)) * kp;
  Vec3d xr, vr, ar;
  e.way.at(time_, xr, vr, ar);
  return ar - (v - vr) * kv - (x - xr) * kp;
}

// --- what acts

void Director::update_state() {
  const Model<double>& m = system_.model;
  update_positions(m, q_.data(), w_);
  update_velocities(m, q_.data(), v_.data(), w_);
  joint_positions(joints_, q_.data(), x_.data());
  for (int b = 0; b < m.nlink; ++b) {
    bias_[size_t(b)] = w_.bias[size_t(b)];
    if (const int p = m.parent[size_t(b)]; p >= 0)
      bias_[size_t(b)] += shift(bias_[size_t(p)], w_.r[size_t(b)]);
  }
}

// M, the bias h (gravity, velocities, everything known) and the passive torques in it.
void Director::gather_forces() {
  const Model<double>& m = system_.model;
  clear_forces(m, w_);
  for (const Push& push : pushes)
    if (time_ >= push.start && time_ < push.start + push.duration)
      add_force(w_, push.link, m.com[size_t(push.link)], push.force);
  std::copy(w_.f_ext.begin(), w_.f_ext.end(), outside_.begin());
  if (!system_.attachments.empty()) add_attachment_forces(m, system_.attachments, broken_, 0.0, w_);
  std::fill(passive_.begin(), passive_.end(), 0);
  std::vector<double>& rest = joints_.rest;
  add_joint_forces(joints_, x_.data(), v_.data(), rest.data(), 0.0, false, passive_.data(), w_.d_ext.data());
  for (int j = 0; j < m.nv; ++j)
    if (joint_friction_[size_t(j)] > 0)
      passive_[size_t(j)] -= joint_friction_[size_t(j)] * v_[size_t(j)] / (std::abs(v_[size_t(j)]) + 0.01);
  mass_matrix(m, w_, M_.data());
  inverse_dynamics<double>(m, nullptr, w_, h_.data());
  for (int j = 0; j < m.nv; ++j) h_[size_t(j)] -= passive_[size_t(j)];
}

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
  factorize(factor_, nv);
  solve_factored(factor_, nv, row_.data());
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

// --- the problem

void Director::formulate(bool hard_equations, bool hard_contacts, bool hard_ranges) {
  const int nv = system_.model.nv, nc = int(constraints_.size()), n = nv + nc;
  QuadraticProblem& p = problem_;
  p.clear(n);
  p.loosely_dependent = 1e-4 * units_.length, p.loose_weight = soft_contact;
  // joints without a motor: M qdd - J' lambda = -h
  for (int j = 0; j < nv; ++j) {
    if (actuated_[size_t(j)]) continue;
    double* a = p.add_equality(-h_[size_t(j)], dynamics_of + j);
    for (int i = 0; i < nv; ++i) a[i] = M_[size_t(j) * nv + i];
    for (int i = 0; i < nc; ++i)
      if (constraints_[size_t(i)].pushes) a[nv + i] = -Jc_[size_t(i) * nv + j] * units_.force;
  }
  const double mu = system_.contacts.options.friction;
  const auto skipped = [&](const Constraint& c) { return c.touch >= 0 && !usable_[size_t(c.touch)]; };
  for (int i = 0; i < nc; ++i) {
    const Constraint& c = constraints_[size_t(i)];
    const double* J = Jc_.data() + size_t(i) * nv;
    if (skipped(c) || !c.pushes) p.add_equality(0, c.owner)[nv + i] = 1;
    if (skipped(c)) continue;
    if (c.touch >= 0 && !hard_contacts) {
      row_.assign(size_t(n), 0);
      std::copy_n(J, nv, row_.begin());
      p.add_cost(row_.data(), c.wanted, soft_contact);
    } else {
      // redundant rows differ by what they take back of their drift
      std::copy_n(J, nv, p.add_equality(c.wanted, c.owner, c.touch >= 0 ? unlimited : 1e-2));
    }
    if (c.touch < 0 || (i > 0 && constraints_[size_t(i) - 1].touch == c.touch)) continue;
    // the first of a touch's three rows: no pull, and friction inside a pyramid inside the cone
    p.add_inequality(0, c.owner)[nv + i] = 1;
    for (int k = 1; k <= 2; ++k)
      for (const double sign : {1.0, -1.0}) {
        double* a = p.add_inequality(0, c.owner);
        a[nv + i] = mu / std::sqrt(2.0), a[nv + i + k] = sign;
      }
  }
  // equations and cost
  for (size_t e = 0; e < equations_.size(); ++e) {
    const Equation& equation = equations_[e];
    const int rows = equation.quantity.size();
    rows_.resize(size_t(n) * 3);
    const Vec3d bias = form_rows(equation.quantity, rows_.data(), n), want = wanted(equation);
    for (int i = 0; i < rows; ++i) {
      const double value = want[equation.quantity.scalar() ? 0 : equation.quantity.axes[size_t(i)]] - bias[i];
      const double* a = rows_.data() + size_t(i) * n;
      if (equation.hard() && hard_equations)
        std::copy_n(a, n, p.add_equality(value, int(e)));
      else
        p.add_cost(a, value, equation.hard() ? 1e7 : equation.weight);
    }
  }
  const bool no_cost =
      std::none_of(equations_.begin(), equations_.end(), [](const Equation& e) { return e.cost; });
  if (const double weight = smoothness_ > 0 ? smoothness_ : no_cost ? 1e-3 : 0; weight > 0) {
    update_positions(unit_model_, q_.data(), unit_w_);
    update_velocities(unit_model_, q_.data(), v_.data(), unit_w_);
    clear_forces(unit_model_, unit_w_);
    rows_.resize(std::max(rows_.size(), size_t(nv) * nv));
    mass_matrix(unit_model_, unit_w_, rows_.data());
    row_.resize(size_t(std::max(n, nv)));
    inverse_dynamics<double>(unit_model_, nullptr, unit_w_, row_.data());
    if (posture_ > 0) {
      difference_positions(system_.model, q_.data(), q_start_.data(), back_.data());
      for (int j = 0; j < nv; ++j)
        back_[size_t(j)] = (back_[size_t(j)] / posture_ - 2 * v_[size_t(j)]) / posture_;
    }
    for (int i = 0; i < nv; ++i) {
      for (int j = 0; j <= i; ++j) p.hessian()[size_t(i) * n + j] += weight * rows_[size_t(i) * nv + j];
      p.linear()[i] -= weight * row_[size_t(i)];
      for (int j = 0; j < nv && posture_ > 0; ++j)
        p.linear()[i] += weight * rows_[size_t(i) * nv + j] * back_[size_t(j)];
    }
  }
  p.regularize(0, nv, regular_acceleration);
  p.regularize(nv, n, hard_contacts ? regular_force : soft_force);
  if (options.ground != Grade::held) formulate_standing();
  formulate_limits(hard_ranges);
}

// A standing link's points that do not touch: down along the ground's normal, slower as they come near.
void Director::formulate_standing() {
  const int n = problem_.unknowns();
  for (size_t i = 0; i < system_.contacts.sites.size(); ++i) {
    const ContactSite<double>& site = system_.contacts.sites[i];
    if (!sole_[i] || footing(site.link) != Footing::stands) continue;
    bool touches = false, stands = false;
    for (const Touch& t : contacts_.touches)
      touches = touches || t.site == int(i), stands = stands || t.link == site.link;
    if (touches) continue;
    const GroundDepth ground =
        ground_depth(system_.world.terrain, point_position(w_, site.link, site.pos), site.radius);
    const Quantity::Term term{QuantityType::point, site.link, site.pos, 1};
    row_.assign(size_t(n), 0);
    double bias = 0;
    add_term(term, ground.normal, row_.data(), bias);
    const double speed = dot(ground.normal, point_velocity(w_, site.link, site.pos));
    const double time = settle_time * units_.time, unit = units_.length / units_.time;
    const double want = -std::clamp(-ground.depth / time, settle_slow * unit, settle_fast * unit);
    problem_.add_cost(row_.data(), (want - speed) / time - bias, stands ? flatten_weight : settle_weight);
  }
}

void Director::formulate_limits(bool hard_ranges) {
  const int nv = system_.model.nv, n = problem_.unknowns();
  for (int j = 0; j < nv; ++j) {
    if (!actuated_[size_t(j)]) continue;
    if (std::isfinite(limit_[size_t(j)])) {
      Quantity torque{{{QuantityType::torque, j, {}, 1}}};
      rows_.resize(std::max(rows_.size(), size_t(n) * 3));
      const double bias = form_rows(torque, rows_.data(), n).x;
      for (const double sign : {1.0, -1.0}) {
        double* a = problem_.add_inequality(-limit_[size_t(j)] - sign * bias, torque_of + j);
        for (int i = 0; i < n; ++i) a[i] = sign * rows_[size_t(i)];
      }
    }
    // the braking that keeps it inside its range
    const double time = limit_time * units_.time, x = x_[size_t(j)], v = v_[size_t(j)], kv = 2 / time,
                 kp = 1 / (time * time), unit = 1 / (units_.time * units_.time);
    const double up = -kv * v - kp * (x - lower_[size_t(j)]), down = kv * v - kp * (upper_[size_t(j)] - x);
    const auto keep = [&](double least, double sign) {
      if (least < -limit_reach * unit) return;
      least = std::min(least, limit_most * unit);
      if (hard_ranges) {
        problem_.add_inequality(least, range_of + j)[j] = sign;
      } else if (least > 0) {
        row_.assign(size_t(n), 0);
        row_[size_t(j)] = sign;
        problem_.add_cost(row_.data(), least, soft_range);
      }
    };
    keep(up, 1), keep(down, -1);
    // no muscle turns a joint faster than this: what would run away, near a singular pose, does not
    const double top = top_speed / units_.time;
    if (std::abs(v) > 0.5 * top) keep((std::abs(v) - top) / time, v > 0 ? -1 : 1);
  }
}

// tau = M qdd + h - J' lambda
void Director::find_torques() {
  const int nv = system_.model.nv;
  for (int j = 0; j < nv; ++j) {
    double sum = h_[size_t(j)];
    for (int i = 0; i < nv; ++i) sum += M_[size_t(j) * nv + i] * qdd_[size_t(i)];
    for (size_t i = 0; i < constraints_.size(); ++i)
      if (constraints_[i].pushes) sum -= Jc_[i * nv + j] * lambda_[i];
    tau_[size_t(j)] = actuated_[size_t(j)] ? sum : 0;
  }
}

bool Director::solve_instant() {
  const int nv = system_.model.nv;
  ++solves;
  // what slides shall stop, as far as friction can
  formulate(true, !slides_);
  y_.resize(size_t(problem_.unknowns()));
  Outcome outcome = problem_.solve(y_.data());
  if (outcome != Outcome::solved) {
    const bool any_hard =
        std::any_of(equations_.begin(), equations_.end(), [](const Equation& e) { return e.hard(); });
    if (outcome == Outcome::conflict || any_hard) return explain(outcome), false;
    for (const bool hard_ranges : {true, false}) {
      formulate(true, false, hard_ranges);
      outcome = problem_.solve(y_.data());
      if (outcome == Outcome::solved) break;
    }
    if (outcome != Outcome::solved) return explain(outcome), false;
    overlooked_ = true;
  }
  std::copy_n(y_.begin(), nv, qdd_.begin());
  lambda_.assign(y_.begin() + nv, y_.end());
  for (double& f : lambda_) f *= units_.force;
  find_torques();
  meant_ = qdd_, meant_tau_ = tau_;
  return true;
}

// --- what the torques do on rigid ground

bool Director::agrees_with_physics() const {
  if (slides_) return false;
  if (!overlooked_) return true;
  const int nv = system_.model.nv;
  for (size_t i = 0; i < constraints_.size(); ++i) {
    const Constraint& c = constraints_[i];
    if (c.touch < 0 || usable_[size_t(c.touch)] || (i > 0 && constraints_[i - 1].touch == c.touch)) continue;
    double a = 0;
    for (int j = 0; j < nv; ++j) a += Jc_[i * nv + j] * qdd_[size_t(j)];
    if (a < c.wanted - 1e-9 * (1 + std::abs(c.wanted))) return false;
  }
  return true;
}

// Every row (nv numbers) becomes (M + firmness)^-1 times it.
void Director::respond(std::vector<double>& rows) {
  const int nv = system_.model.nv;
  factor_ = M_;
  for (int j = 0; j < nv; ++j) factor_[size_t(j) * nv + j] += firm_[size_t(j)];
  factorize(factor_, nv);
  for (size_t i = 0; i + size_t(nv) <= rows.size(); i += size_t(nv))
    solve_factored(factor_, nv, rows.data() + i);
}

// qdd without constraints: M qdd + h = tau + firmness (meant - qdd).
void Director::free_acceleration() {
  for (size_t j = 0; j < qdd_.size(); ++j) qdd_[j] = tau_[j] + firm_[j] * meant_[j] - h_[j];
  respond(qdd_);
}

void Director::resist(const std::vector<double>& qdd) {
  for (size_t j = 0; j < qdd.size(); ++j) tau_[j] += firm_[j] * (meant_[j] - qdd[j]);
}

// qdd and lambda that the torques give; two-sided rows are loops and holds.
void Director::physics() {
  const int nv = system_.model.nv, nc = int(constraints_.size());
  int two_sided = 0;
  while (two_sided < nc && constraints_[size_t(two_sided)].touch < 0) ++two_sided;
  ContactProblem& p = contact_problem_;
  p.resize(two_sided, int(contacts_.touches.size()));
  free_acceleration();
  response_ = Jc_;
  respond(response_);
  for (int i = 0; i < nc; ++i) {
    const double* J = Jc_.data() + size_t(i) * nv;
    p.b[size_t(i)] = -constraints_[size_t(i)].wanted;
    for (int j = 0; j < nv; ++j) p.b[size_t(i)] += J[j] * qdd_[size_t(j)];
    for (int k = 0; k < nc; ++k)
      for (int j = 0; j < nv; ++j) p.A[size_t(i) * nc + k] += J[j] * response_[size_t(k) * nv + j];
  }
  for (size_t i = 0; i < contacts_.touches.size(); ++i) {
    const Touch& t = contacts_.touches[i];
    p.mu[i] = system_.contacts.options.friction;
    const double a = dot(t.slip, t.tangent[0]), b = dot(t.slip, t.tangent[1]), s = std::sqrt(a * a + b * b);
    p.sliding[i] = s > still * units_.time;
    if (p.sliding[i]) p.slide[2 * i] = a / s, p.slide[2 * i + 1] = b / s;
  }
  if (int(lambda_.size()) == nc) p.f = lambda_;
  double size = 0;
  for (const double b : p.b) size = std::max(size, std::abs(b));
  // touches wedged against each other: the convex problem, whose forces are bounded by what they stop
  if (!(solve_contacts(p, scratch_) < 1e-3 * (1 + size))) {
    wanted_.clear();
    for (const Constraint& c : constraints_) wanted_.push_back(c.wanted);
    if (push_apart_convex(two_sided, qdd_)) return resist(qdd_);
  }
  lambda_ = p.f;
  for (int i = 0; i < nc; ++i)
    for (int j = 0; j < nv; ++j) qdd_[size_t(j)] += response_[size_t(i) * nv + j] * lambda_[size_t(i)];
  resist(qdd_);
}

bool Director::evaluate() {
  update_state();
  gather_forces();
  gather_constraints();
  const bool directed = std::any_of(actuated_.begin(), actuated_.end(), [](char a) { return a; });
  const bool rigid = options.ground == Grade::unilateral;
  bool as_solved = true;
  if (directed || !rigid) {
    if (!solve_instant()) return false;
    if (rigid && !agrees_with_physics()) physics(), as_solved = false, astray_ = true;
  } else {
    as_solved = false;
    std::fill(tau_.begin(), tau_.end(), 0);
    lambda_.clear();
    ++solves;
    physics();
  }
  touch_force_.assign(3 * contacts_.touches.size(), 0);
  size_t first = 0;
  while (first < constraints_.size() && constraints_[first].touch < 0) ++first;
  for (size_t i = first; i < constraints_.size(); ++i) touch_force_[i - first] = lambda_[i];
  note_residuals(as_solved);
  for (const double a : qdd_)
    if (!std::isfinite(a)) {
      fail(Status::diverged,
           "diverged at " + to_text(time_) + " s: accelerations are no longer finite; " + advise());
      return false;
    }
  return true;
}

bool Director::solve() {
  if (!started_) start();
  if (options.ground != Grade::held) contacts_.update(system_, w_, 1e-6);
  return evaluate();
}

// How far the largest hard equation is from holding, with y as found.
double Director::residual(const Equation& e, const double* y) {
  const int n = system_.model.nv + int(constraints_.size());
  rows_.resize(std::max(rows_.size(), size_t(n) * 3));
  const Vec3d bias = form_rows(e.quantity, rows_.data(), n), want = wanted(e);
  double sum = 0;
  for (int i = 0; i < e.quantity.size(); ++i) {
    double a = bias[i] - want[e.quantity.scalar() ? 0 : e.quantity.axes[size_t(i)]];
    for (int j = 0; j < n; ++j) a += rows_[size_t(i) * n + j] * y[j];
    sum += a * a;
  }
  return std::sqrt(sum);
}

void Director::note_residuals(bool moved_as_solved) {
  max_equations = std::max(max_equations, equations());
  if (moved_as_solved) {
    max_residual = std::max(max_residual, problem_.residual(y_.data(), dynamics_of));
    return;
  }
  y_.assign(qdd_.begin(), qdd_.end());
  for (const double f : lambda_) y_.push_back(f / units_.force);
  for (const Equation& e : equations_)
    if (e.hard()) max_residual = std::max(max_residual, residual(e, y_.data()));
}

// --- when it cannot be done

std::string Director::owner_name(int owner) const {
  const Creature& body = system_.world.body;
  const auto dof = [&](int i) { return "'" + body.dofs()[size_t(i)]->name + "'"; };
  if (owner < 0) return "the limits";
  const int index = owner & ((1 << 20) - 1);
  switch (owner & ~((1 << 20) - 1)) {
    case dynamics_of:
      return "the motion of " + dof(index) + ", which no torque drives";
    case hold_of:
      return "the hold of '" + body.links[size_t(index)].name + "'";
    case loop_of:
      return "the loop '" + body.loops[size_t(index)].name + "'";
    case torque_of:
      return "the torque limit of " + dof(index);
    case range_of:
      return "the range of " + dof(index);
    case touch_of: {
      const Touch& t = contacts_.touches[size_t(index)];
      return "the ground under '" +
             (t.site >= 0 ? body.contacts[size_t(t.site)].name : body.links[size_t(t.link)].name) + "'";
    }
    default:
      return "'" + equations_[size_t(owner)].name + "'";
  }
}

// The smallest violation: all equations soft and heavy, everything else as it is.
std::string Director::explain_violation() {
  formulate(false, true);
  if (problem_.solve(y_.data()) != Outcome::solved) {
    formulate(false, false);
    if (problem_.solve(y_.data()) != Outcome::solved) return "";
  }
  std::string text;
  for (const Equation& e : equations_) {
    const double missed = e.hard() ? residual(e, y_.data()) : 0;
    if (missed > 1e-3)
      text += (text.empty() ? "'" : ", '") + e.name + "' misses by at least " +
              to_text(std::round(missed * 1e4) / 1e4);
  }
  return text;
}

void Director::explain(Outcome outcome) {
  const QuadraticProblem::Clash clash = problem_.clash();
  if (std::isnan(clash.gap))
    return fail(Status::diverged,
                "diverged at " + to_text(time_) + " s: accelerations are no longer finite; " + advise());
  const std::string when = "at " + to_text(std::round(time_ * 1e9) / 1e9) + " s: ";
  std::vector<std::string> names;
  for (const int owner : clash.against) {
    const std::string name = owner_name(owner);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (outcome == Outcome::conflict) {
    const bool equation = clash.owner < dynamics_of;
    fail(Status::stopped,
         "contradiction " + when + (equation ? "equation " : "") + owner_name(clash.owner) +
             " cannot hold, it misses by " + to_text(std::abs(clash.gap)) +
             (names.empty() ? ", since nothing can move it" : ", against " + join(names, ", ")) +
             "; remove one of them or give it a weight");
    return;
  }
  const std::string who = owner_name(clash.owner);
  const std::string missed = explain_violation();
  fail(Status::stopped, "infeasible " + when + who + (names.empty() ? "" : " with " + join(names, ", ")) +
                            " cannot give what the equations ask; " + (missed.empty() ? "" : missed + "; ") +
                            "give equations a weight, or ask for less");
}

void Director::fail(Status status, const std::string& text) {
  if (status_ != Status::ok) return;
  status_ = status, status_text_ = text, status_time_ = time_;
}

}  // namespace legwork
