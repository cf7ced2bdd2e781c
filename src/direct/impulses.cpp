// Impulses: holds that begin, impacts, and steps in which contacts change too often to be followed one by
// one.

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "direct/director.h"
#include "dynamics/dynamics.h"

namespace legwork {

namespace {

// For a body that is not small; Director::Units scales them.
constexpr double loose_reach = 3e-4,
                 impulse_reach = 2e-3;  // m: closer than this, points touch after a step by impulses, which
                                        // is less exact, and during it
constexpr double hard_touch = 1e-5;     // m/s: faster than this, touching is an impact
constexpr double impulse_step = 1e-3;   // s: where contacts change too often to be followed one by one

}  // namespace

// The cost of a velocity of scratch_: how far from v it is in the measure of kinetic energy, with the
// firmness of the joints where asked.
void Director::measure_kinetic_energy(const std::vector<double>& v, bool firm) {
  const int nv = system_.model.nv;
  for (int i = 0; i < nv; ++i)
    for (int j = 0; j < nv; ++j) {
      const double m = M_[size_t(i) * nv + j] + (firm && i == j ? firm_[size_t(i)] : 0);
      if (j <= i) scratch_.hessian()[size_t(i) * nv + j] = m;
      scratch_.linear()[i] += m * v[size_t(j)];
    }
}

// The velocity nearest to the present one, in the measure of kinetic energy, that holds, loops and the point
// of a new hold allow: an impact without rebound. A new hold still turns, since it levels in time.
void Director::settle_velocity(int new_link) {
  if (!started_) return;
  const int nv = system_.model.nv;
  const double before = energy();
  gather_forces();
  gather_constraints();
  scratch_.clear(nv);
  for (size_t i = 0; i < constraints_.size(); ++i) {
    const Constraint& c = constraints_[i];
    if (c.touch >= 0 || (c.link == new_link && norm(c.force) == 0)) continue;
    std::copy_n(Jc_.data() + i * nv, nv, scratch_.add_equality(0, 0));
  }
  measure_kinetic_energy(v_, false);
  scratch_.dependent = 1e-9, scratch_.tolerance = 1;
  if (scratch_.solve(v_.data()) != Outcome::solved) return;
  update_state();
  account.impacts += before - energy();
}

// Impulses where something touches faster than it may.
void Director::impact() {
  bool any = false;
  for (const Touch& t : contacts_.touches) any = any || dot(t.slip, t.normal) < -hard_touch;
  if (!any) return;
  const int nv = system_.model.nv;
  const double before = energy();
  gather_forces();
  gather_constraints();
  const int nc = int(constraints_.size());
  const int two_sided = two_sided_rows();
  ContactProblem& p = begin_contact_problem();
  for (int i = 0; i < nc; ++i) {
    const Constraint& c = constraints_[size_t(i)];
    double speed = 0;
    for (int j = 0; j < nv; ++j) speed += Jc_[size_t(i) * nv + j] * v_[size_t(j)];
    const bool normal = c.touch >= 0 && (i - two_sided) % 3 == 0;
    p.b[size_t(i)] = speed * (normal && speed < -0.05 * units_.time ? 1 + options.restitution : 1);
  }
  const double missed = solve_contacts(p, scratch_);
  const std::vector<double> v_before = v_;
  for (int i = 0; i < nc; ++i)
    for (int j = 0; j < nv; ++j) v_[size_t(j)] += response_[size_t(i) * nv + j] * p.f[size_t(i)];
  update_state();
  if (missed > 1e-3 || energy() > before + 1e-9 * (1 + before)) {
    // wedged: everything that touches stops, which never gains energy
    v_ = v_before;
    scratch_.clear(nv);
    for (int i = 0; i < nc; ++i)
      std::copy_n(Jc_.data() + size_t(i) * nv, nv, scratch_.add_equality(0, 0, unlimited));
    measure_kinetic_energy(v_, false);
    scratch_.solve(v_.data());
    update_state();
  }
  contacts_.update(system_, w_, reach());
  account.impacts += before - energy();
  evaluate();
}

// v becomes a velocity whose rows are as wanted_ (exactly for the two-sided ones, at least for the normals of
// touches), lambda_ the impulses that do it: by Coulomb's law; and where that finds no solution (touches
// wedged against each other) as the velocity nearest to v in the measure of kinetic energy with n v + mu |t
// v| >= wanted for four directions t. That is convex and never gains energy (Anitescu, 2006), but what slides
// rises by mu times its slip.
bool Director::push_apart(int two_sided, std::vector<double>& v) {
  const int nv = system_.model.nv, nc = int(constraints_.size());
  ContactProblem& p = begin_contact_problem();
  for (int i = 0; i < nc; ++i) {
    const double* J = Jc_.data() + size_t(i) * nv;
    p.b[size_t(i)] = -wanted_[size_t(i)];
    for (int j = 0; j < nv; ++j) p.b[size_t(i)] += J[j] * v[size_t(j)];
  }
  if (solve_contacts(p, scratch_) < 1e-4) {
    lambda_ = p.f;
    for (int i = 0; i < nc; ++i)
      for (int j = 0; j < nv; ++j) v[size_t(j)] += response_[size_t(i) * nv + j] * p.f[size_t(i)];
    return true;
  }
  return push_apart_convex(two_sided, v);
}

bool Director::push_apart_convex(int two_sided, std::vector<double>& v) {
  const int nv = system_.model.nv, nc = int(constraints_.size());
  const double mu = system_.contacts.options.friction / std::sqrt(2.0);
  scratch_.clear(nv);
  scratch_.dependent = 1e-9, scratch_.tolerance = 1e-6;
  measure_kinetic_energy(v, true);
  for (int i = 0; i < two_sided; ++i)
    std::copy_n(Jc_.data() + size_t(i) * nv, nv, scratch_.add_equality(wanted_[size_t(i)], i, 1));
  for (int i = two_sided; i < nc; i += 3)
    for (const double s1 : {mu, -mu})
      for (const double s2 : {mu, -mu}) {
        double* a = scratch_.add_inequality(wanted_[size_t(i)], i);
        const double* J = Jc_.data() + size_t(i) * nv;
        for (int j = 0; j < nv; ++j) a[j] = J[j] + s1 * J[nv + j] + s2 * J[2 * nv + j];
      }
  if (scratch_.solve(v.data()) != Outcome::solved) return false;
  lambda_.assign(size_t(nc), 0);
  for (int k = 0; k < scratch_.active(); ++k) {
    const int row = scratch_.pushing_row(k), i = two_sided + 3 * (row / 4);
    const double f = scratch_.push(k);
    lambda_[size_t(i)] += f;
    lambda_[size_t(i) + 1] += row % 4 < 2 ? mu * f : -mu * f;
    lambda_[size_t(i) + 2] += row % 2 == 0 ? mu * f : -mu * f;
  }
  return true;
}

// What the rows' velocities are to be at the end of a step: wanted_.
void Director::want_impulses(double h, int two_sided) {
  const int nv = system_.model.nv, nc = int(constraints_.size());
  wanted_.assign(size_t(nc), 0);
  for (int i = 0; i < nc; ++i) {
    const Constraint& c = constraints_[size_t(i)];
    double before = 0;
    for (int j = 0; j < nv; ++j) before += Jc_[size_t(i) * nv + j] * v_[size_t(j)];
    if (c.touch < 0) wanted_[size_t(i)] = before + h * c.wanted;
    if (c.touch < 0 || (i - two_sided) % 3 != 0) continue;
    // up to the ground and not beyond; what is below it comes out slowly
    const double gap = contacts_.touches[size_t(c.touch)].gap;
    wanted_[size_t(i)] = gap > 0 ? -gap / h : std::min(0.1 * units_.time, -0.2 * gap / h);
    // what the equations pushed on bears as they meant, though a hair's breadth above the ground
    if (options.firmness > 0 && gap > 0 && gap < loose_reach * units_.length && usable_[size_t(c.touch)]) {
      double meant = before;
      for (int j = 0; j < nv; ++j) meant += h * Jc_[size_t(i) * nv + j] * meant_[size_t(j)];
      wanted_[size_t(i)] = std::max(wanted_[size_t(i)], std::min(meant, 0.0));
    }
    if (before < -0.05 * units_.time)
      wanted_[size_t(i)] = std::max(wanted_[size_t(i)], -options.restitution * before);
  }
}

// Work over a step from v_ to v1, with the mean velocity; tau_ becomes what firm joints gave.
void Director::account_for_impulses(double h, const std::vector<double>& v1) {
  const int nv = system_.model.nv, nc = int(constraints_.size());
  for (int j = 0; j < nv; ++j) {
    const double mean = 0.5 * (v_[size_t(j)] + v1[size_t(j)]);
    tau_[size_t(j)] += firm_[size_t(j)] * (meant_[size_t(j)] - (v1[size_t(j)] - v_[size_t(j)]) / h);
    account.torques += h * tau_[size_t(j)] * mean, account.passive += h * passive_[size_t(j)] * mean;
    for (int i = 0; i < nc; ++i)
      if (constraints_[size_t(i)].pushes)
        account.ground += lambda_[size_t(i)] * Jc_[size_t(i) * nv + j] * mean;
  }
  for (size_t b = 0; b < outside_.size(); ++b) {
    account.outside += h * dot(w_.vel[b], outside_[b]);
    account.passive += h * dot(w_.vel[b], w_.f_ext[b] - outside_[b]);
  }
}

// The touches after a step, with the forces of those that pushed during it.
void Director::take_over_forces(int two_sided) {
  const std::vector<Touch> pushed = contacts_.touches;
  contacts_.update(system_, w_, loose_reach * units_.length);
  touch_force_.assign(3 * contacts_.touches.size(), 0);
  for (size_t i = 0; i < contacts_.touches.size(); ++i)
    for (size_t k = 0; k < pushed.size(); ++k)
      if (pushed[k].site >= 0 && pushed[k].site == contacts_.touches[i].site)
        std::copy_n(lambda_.begin() + two_sided + 3 * long(k), 3, touch_force_.begin() + 3 * long(i));
}

// A step with the torques of its start and the impulses that keep every point near the ground out of it at
// its end (Moreau). Touches come and go within the step, however many; errors are of first order in h.
bool Director::advance_by_impulses(double h) {
  note_sites();
  if (!evaluate()) return false;
  const size_t nv = v_.size();
  contacts_.update(system_, w_, impulse_reach * units_.length);
  const std::vector<double> tau = meant_tau_, v0 = v_;
  gather_constraints();
  const int two_sided = two_sided_rows();
  tau_ = tau;
  free_acceleration();
  std::vector<double>& v1 = qdd_;
  for (size_t j = 0; j < nv; ++j) v1[j] = v0[j] + h * v1[j];
  want_impulses(h, two_sided);
  if (!push_apart(two_sided, v1)) {
    fail(Status::diverged, "diverged at " + to_text(time_) + " s: no impulses keep the contacts apart");
    return false;
  }
  account_for_impulses(h, v1);
  for (double& f : lambda_) f /= h;
  v_ = v1;
  integrate_positions(system_.model, q_.data(), v_.data(), h, q_.data());
  for (size_t j = 0; j < nv; ++j) qdd_[j] = (v_[j] - v0[j]) / h;
  time_ += h;
  update_state();
  take_over_forces(two_sided);
  return true;
}

bool Director::step_by_impulses(double h) {
  if (!advance_by_impulses(std::min(h, impulse_step * units_.time))) return false;
  last_event_ = time_;
  note_contacts();
  return still_well();
}

}  // namespace legwork
