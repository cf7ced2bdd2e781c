// One instant: the equations of motion, the algorithm's equations and the cost, for accelerations, torques
// and forces.

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "direct/director.h"
#include "dynamics/dynamics.h"

namespace legwork {

namespace {

// in units of the cost; forces in units of the weight
constexpr double regular_acceleration = 1e-7, regular_force = 6e-4;
constexpr double soft_force = 0.6;    // the same where contacts are soft, too
constexpr double soft_contact = 1e3;  // weight of contacts that cannot all hold
// How a foot comes down to the ground: weights, s, m/s. Lengths, times and speeds are those of a body that is
// not small; Director::Units scales them.
constexpr double flatten_weight = 10;  // for a foot that already touches with other points
constexpr double settle_weight = 1000, settle_time = 0.02, settle_slow = 0.15, settle_fast = 0.6;
constexpr double soft_range = 1e3;    // weight of joint ranges that cannot all be kept
constexpr double limit_time = 0.006;  // s: how early a joint heeds its range
constexpr double limit_reach = 300;   // rad/s^2: ranges that ask for less than this braking do not matter yet
constexpr double limit_most = 600;    // rad/s^2: they never ask for more
constexpr double top_speed = 60;      // rad/s

}  // namespace

// --- what acts

void Director::update_state() {
  sim_.refresh();
  find_bias();
}

void Director::find_bias() {
  const Model<double>& m = system_.model;
  for (int b = 0; b < m.nlink; ++b) {
    bias_[size_t(b)] = w_.bias[size_t(b)];
    if (const int p = m.parent[size_t(b)]; p >= 0)
      bias_[size_t(b)] += shift(bias_[size_t(p)], w_.r[size_t(b)]);
  }
}

// M, the bias h (gravity, velocities, everything known) and the passive torques in it.
void Director::gather_forces() {
  const Model<double>& m = system_.model;
  if (options.ground == Grade::penalty) {
    clear_forces(m, w_);
    for (const Push& push : sim_.pushes)
      if (time() >= push.start && time() < push.start + push.duration)
        add_force(w_, push.link, m.com[size_t(push.link)], push.force);
    if (!system_.attachments.empty())
      add_attachment_forces(m, system_.attachments, sim_.state.broken, 0.0, w_);
    std::fill(passive_.begin(), passive_.end(), 0);
    add_joint_forces(joints_, x_.data(), v_.data(), joints_.rest.data(), 0.0, false, passive_.data(),
                     w_.d_ext.data());
  } else {
    passive_ = sim_.tau;
  }
  for (int j = 0; j < m.nv; ++j)
    if (joint_friction_[size_t(j)] > 0)
      passive_[size_t(j)] -= joint_friction_[size_t(j)] * v_[size_t(j)] / (std::abs(v_[size_t(j)]) + 0.01);
  if (options.ground != Grade::penalty) sim_.tau = passive_;
  mass_matrix(m, w_, M_.data());
  inverse_dynamics<double>(m, nullptr, w_, h_.data());
  for (int j = 0; j < m.nv; ++j) h_[size_t(j)] -= passive_[size_t(j)];
}

// --- the problem

void Director::formulate(bool hard_equations, bool hard_contacts, bool hard_ranges) {
  const int nv = system_.model.nv, n = nv + int(constraints_.size());
  QuadraticProblem& p = problem_;
  p.clear(n);
  p.loosely_dependent = 1e-4 * units_.length, p.loose_weight = soft_contact;
  formulate_dynamics();
  formulate_constraints(hard_contacts);
  formulate_equations(hard_equations);
  formulate_smoothness();
  p.regularize(0, nv, regular_acceleration);
  p.regularize(nv, n, hard_contacts ? regular_force : soft_force);
  if (options.ground != Grade::held) formulate_standing();
  formulate_limits(hard_ranges);
}

void Director::formulate_dynamics() {
  const int nv = system_.model.nv, nc = int(constraints_.size());
  // joints without a motor: M qdd - J' lambda = -h
  for (int j = 0; j < nv; ++j) {
    if (actuated_[size_t(j)]) continue;
    double* a = problem_.add_equality(-h_[size_t(j)], dynamics_of + j);
    for (int i = 0; i < nv; ++i) a[i] = M_[size_t(j) * nv + i];
    for (int i = 0; i < nc; ++i)
      if (constraints_[size_t(i)].pushes) a[nv + i] = -Jc_[size_t(i) * nv + j] * units_.force;
  }
}

void Director::formulate_constraints(bool hard_contacts) {
  const int nv = system_.model.nv, nc = int(constraints_.size()), n = nv + nc;
  QuadraticProblem& p = problem_;
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
}

void Director::formulate_equations(bool hard_equations) {
  const int n = problem_.unknowns();
  for (size_t e = 0; e < equations_.size(); ++e) {
    const Equation& equation = equations_[e];
    const int rows = equation.quantity.size();
    rows_.resize(size_t(n) * 3);
    const Vec3d bias = form_rows(equation.quantity, rows_.data(), n), want = wanted(equation);
    for (int i = 0; i < rows; ++i) {
      const double value = equation.quantity.component(want, i) - bias[i];
      const double* a = rows_.data() + size_t(i) * n;
      if (equation.hard() && hard_equations)
        std::copy_n(a, n, problem_.add_equality(value, int(e)));
      else
        problem_.add_cost(a, value, equation.hard() ? 1e7 : equation.weight);
    }
  }
}

// Accelerations of all links, counted from those that lead back to the starting pose.
void Director::formulate_smoothness() {
  const int nv = system_.model.nv, n = problem_.unknowns();
  QuadraticProblem& p = problem_;
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
}

// A standing link's points that do not touch: down along the ground's normal, slower as they come near.
void Director::formulate_standing() {
  const int n = problem_.unknowns();
  for (size_t i = 0; i < system_.contacts.sites.size(); ++i) {
    const ContactSite<double>& site = system_.contacts.sites[i];
    if (!sole_[i] || footing(site.link) != Footing::stands) continue;
    bool touches = false, stands = false;
    for (const RigidTouch& t : contacts_.touches)
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
  QuadraticOutcome outcome = problem_.solve(y_.data());
  if (outcome != QuadraticOutcome::solved) {
    const bool any_hard =
        std::any_of(equations_.begin(), equations_.end(), [](const Equation& e) { return e.hard(); });
    if (outcome == QuadraticOutcome::conflict || any_hard) return explain(outcome), false;
    for (const bool hard_ranges : {true, false}) {
      formulate(true, false, hard_ranges);
      outcome = problem_.solve(y_.data());
      if (outcome == QuadraticOutcome::solved) break;
    }
    if (outcome != QuadraticOutcome::solved) return explain(outcome), false;
    overlooked_ = true;
  }
  std::copy_n(y_.begin(), nv, qdd_.begin());
  lambda_.assign(y_.begin() + nv, y_.end());
  for (double& f : lambda_) f *= units_.force;
  find_torques();
  return true;
}

// Whether the touches that the equations left aside go their way, too.
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

// Torques, accelerations and forces of this instant as the equations have it; solved_: the ground agrees.
bool Director::find_instant() {
  gather_forces();
  gather_constraints();
  const bool rigid = options.ground == Grade::unilateral;
  if (has_motors() || !rigid) {
    if (!solve_instant()) return false;
    solved_ = !rigid || agrees_with_physics();
  } else {
    solved_ = false;
    std::fill(tau_.begin(), tau_.end(), 0);
    std::fill(qdd_.begin(), qdd_.end(), 0);
    lambda_.assign(constraints_.size(), 0);
    ++solves;
  }
  size_t first = 0;
  while (first < constraints_.size() && constraints_[first].touch < 0) ++first;
  touch_force_.assign(lambda_.begin() + long(first), lambda_.end());
  max_equations = std::max(max_equations, equations());
  if (solved_) note_residuals(true);
  for (const double a : qdd_)
    if (!std::isfinite(a)) {
      fail(Status::diverged,
           "diverged at " + to_text(time()) + " s: accelerations are no longer finite; " + advise());
      for (std::vector<double>* none : {&tau_, &qdd_, &lambda_, &touch_force_})  // the last frame is finite
        std::fill(none->begin(), none->end(), 0);
      return false;
    }
  return true;
}

// How far the largest hard equation is from holding, with y as found.
double Director::residual(const Equation& e, const double* y) {
  const int n = system_.model.nv + int(constraints_.size());
  rows_.resize(std::max(rows_.size(), size_t(n) * 3));
  const Vec3d bias = form_rows(e.quantity, rows_.data(), n), want = wanted(e);
  double sum = 0;
  for (int i = 0; i < e.quantity.size(); ++i) {
    double a = bias[i] - e.quantity.component(want, i);
    for (int j = 0; j < n; ++j) a += rows_[size_t(i) * n + j] * y[j];
    sum += a * a;
  }
  return std::sqrt(sum);
}

void Director::note_residuals(bool moved_as_solved) {
  if (moved_as_solved) {
    max_residual = std::max(max_residual, problem_.residual(y_.data(), dynamics_of));
    return;
  }
  y_.assign(qdd_.begin(), qdd_.end());
  for (const double f : lambda_) y_.push_back(f / units_.force);
  for (const Equation& e : equations_)
    if (e.hard()) max_residual = std::max(max_residual, residual(e, y_.data()));
}

}  // namespace legwork
