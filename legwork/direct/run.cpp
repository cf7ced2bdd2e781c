// Time: Runge-Kutta steps between events, impacts, the account of energy, and the motion that comes of it.

#include <algorithm>
#include <chrono>
#include <cmath>

#include "legwork/base/text.h"
#include "legwork/creature/place.h"
#include "legwork/direct/director.h"
#include "legwork/dynamics/dynamics.h"
#include "legwork/motion/record.h"

namespace legwork {

namespace {

// of a body that is not small (Director::Units)
constexpr double full_reach = 2e-5;  // m: closer than this, points touch
constexpr double loose_reach = 3e-4,
                 impulse_reach =
                     2e-3;  // m: the same after a step by impulses, which is less exact, and during it
constexpr double hard_touch = 1e-5;    // m/s: faster than this, touching is an impact
constexpr double too_fast = 1e4;       // m/s or rad/s
constexpr double runaway = 1000;       // the same of joints: no muscle turns one so fast
constexpr double at_end = 0.02;        // rad or m: so near to the end of its range a joint is at it
constexpr double impulse_step = 1e-3;  // s: where contacts change too often to be followed one by one ...
constexpr double busy_span = 0.02;     // s: ... which is when there were ...
constexpr int busy_changes = 3;        // ... so many changes within the span
constexpr int flows = 4;               // of the account: torques, ground, passive, outside

// dq/dt of all coordinates (the quaternion's derivative is linear in it, so that Runge-Kutta keeps its
// order).
void position_rates(const Model<double>& m, const double* q, const double* v, double* rate) {
  for (const Screw<double>& s : m.screws) {
    const bool ball = s.type == ScrewType::ball, whole = s.type == ScrewType::free;
    const int scalars = ball ? 0 : whole ? 3 : s.type == ScrewType::path ? s.paths : 1;
    for (int i = 0; i < scalars; ++i) rate[s.q + i] = v[s.v + i];
    if (!ball && !whole) continue;
    const double *a = q + s.q + scalars, *w = v + s.v + scalars;
    const Quatd d = Quatd(a[0], a[1], a[2], a[3]) * Quatd(0, w[0], w[1], w[2]);
    double* r = rate + s.q + scalars;
    r[0] = 0.5 * d.w, r[1] = 0.5 * d.x, r[2] = 0.5 * d.y, r[3] = 0.5 * d.z;
  }
}

}  // namespace

double Director::reach() const { return full_reach * units_.length; }

void Director::start(const std::vector<double>& q, const std::vector<double>& v) {
  if (options.ground != Grade::held && q.empty() && !contacts_.has_pairs()) {
    SimOptions placed;  // the lowest point on the ground, whatever its form
    placed.pose = options.pose, placed.height = 0;
    q_ = start_of(system_, placed).q;
    stand_on_ground();
  }
  if (!q.empty()) q_ = q;
  if (!v.empty()) v_ = v;
  const Creature& body = system_.world.body;
  if (!body.loops.empty()) {
    const double gap = close_loops(system_.model, body.loops, q_);
    if (gap > 1e-6)
      throw Error(body.where, body.name,
                  "its loops stay open by " + to_text(gap) +
                      " m in the starting pose; choose a pose where they meet");
  }
  time_ = phase_start_ = 0;
  q_start_ = q_;
  stand_height_ = place(system_.world.body, system_.world.body.pose("stand"))[0].p.z;
  last_event_ = busy_until_ = -unlimited;
  update_state();
  if (options.ground == Grade::penalty) {
    StepOptions step = choose_step(system_);
    step.dt = std::min(step.dt, options.dt);
    penalty_ = std::make_unique<Simulation<double>>(system_, step);
    penalty_->reset(q_, v_);
    penalty_->pushes = pushes;
  }
  started_ = true;
  if (initialize) initialize(*this);
  if (options.ground != Grade::held) contacts_.update(system_, w_, reach());
  energy_start_ = energy();
  account = {};
}

double Director::energy() const {
  return kinetic_energy(system_.model, v_.data(), w_) + potential_energy(system_.model, w_);
}

double Director::unexplained() const {
  const Account& a = account;
  return energy() - energy_start_ - (a.torques + a.ground + a.passive + a.outside - a.impacts);
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
  for (int i = 0; i < nv; ++i)
    for (int j = 0; j < nv; ++j) {
      if (j <= i) scratch_.hessian()[size_t(i) * nv + j] = M_[size_t(i) * nv + j];
      scratch_.linear()[i] += M_[size_t(i) * nv + j] * v_[size_t(j)];
    }
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
  int two_sided = 0;
  while (two_sided < nc && constraints_[size_t(two_sided)].touch < 0) ++two_sided;
  ContactProblem& p = contact_problem_;
  p.resize(two_sided, int(contacts_.touches.size()));
  for (int i = 0; i < nc; ++i) {
    const Constraint& c = constraints_[size_t(i)];
    double speed = 0;
    for (int j = 0; j < nv; ++j) speed += Jc_[size_t(i) * nv + j] * v_[size_t(j)];
    const bool normal = c.touch >= 0 && (i - two_sided) % 3 == 0;
    p.b[size_t(i)] = speed * (normal && speed < -0.05 * units_.time ? 1 + options.restitution : 1);
  }
  response_ = Jc_;
  respond(response_);
  for (int i = 0; i < nc; ++i)
    for (int k = 0; k < nc; ++k)
      for (int j = 0; j < nv; ++j)
        p.A[size_t(i) * nc + k] += Jc_[size_t(i) * nv + j] * response_[size_t(k) * nv + j];
  for (double& mu : p.mu) mu = system_.contacts.options.friction;
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
    for (int i = 0; i < nv; ++i)
      for (int j = 0; j < nv; ++j) {
        if (j <= i) scratch_.hessian()[size_t(i) * nv + j] = M_[size_t(i) * nv + j];
        scratch_.linear()[i] += M_[size_t(i) * nv + j] * v_[size_t(j)];
      }
    scratch_.solve(v_.data());
    update_state();
  }
  contacts_.update(system_, w_, reach());
  account.impacts += before - energy();
  evaluate();
}

// k = d(q, v, account)/dt
bool Director::derivative(std::vector<double>& k) {
  if (!evaluate()) return false;
  const size_t nq = q_.size(), nv = v_.size();
  k.resize(nq + nv + flows);
  position_rates(system_.model, q_.data(), v_.data(), k.data());
  std::copy(qdd_.begin(), qdd_.end(), k.begin() + long(nq));
  double* flow = k.data() + nq + nv;
  std::fill(flow, flow + flows, 0);
  for (size_t j = 0; j < nv; ++j) flow[0] += tau_[j] * v_[j], flow[2] += passive_[j] * v_[j];
  for (size_t i = 0; i < constraints_.size(); ++i) {
    if (!constraints_[i].pushes) continue;
    double speed = 0;
    for (size_t j = 0; j < nv; ++j) speed += Jc_[i * nv + j] * v_[j];
    flow[1] += lambda_[i] * speed;
  }
  for (size_t b = 0; b < outside_.size(); ++b) {
    flow[3] += dot(w_.vel[b], outside_[b]);
    flow[2] += dot(w_.vel[b], w_.f_ext[b] - outside_[b]);
  }
  return true;
}

void Director::set_state(const std::vector<double>& y) {
  std::copy_n(y.begin(), q_.size(), q_.begin());
  std::copy_n(y.begin() + long(q_.size()), v_.size(), v_.begin());
  normalize_positions(system_.model, q_.data());
  const double* a = y.data() + q_.size() + v_.size();
  account.torques = a[0], account.ground = a[1], account.passive = a[2], account.outside = a[3];
}

// One step of the classical Runge-Kutta method from y0_ at time t0, touches as they are at its start (those
// between boxes are looked for at every stage).
bool Director::advance(double h) {
  const double t0 = time_;
  if (!derivative(k_[0])) return false;
  y1_.resize(y0_.size());
  const std::vector<Touch> at_start = contacts_.touches;
  const auto follow = [&] {
    if (options.ground == Grade::held) return;
    contacts_.update(system_, w_, contacts_.has_pairs() ? reach() : 1e-3 * units_.length);
    if (contacts_.has_pairs()) return;
    std::erase_if(contacts_.touches, [&](const Touch& t) {
      return std::none_of(at_start.begin(), at_start.end(), [&](const Touch& s) { return s.site == t.site; });
    });
  };
  for (int s = 1; s < 4; ++s) {
    const double part = s < 3 ? 0.5 * h : h;
    for (size_t i = 0; i < y1_.size(); ++i) y1_[i] = y0_[i] + part * k_[s - 1][i];
    set_state(y1_);
    time_ = t0 + part;
    update_state();
    follow();
    if (!derivative(k_[s])) return false;
  }
  for (size_t i = 0; i < y1_.size(); ++i)
    y1_[i] = y0_[i] + h / 6 * ((k_[0][i] + k_[3][i]) + 2 * (k_[1][i] + k_[2][i]));
  set_state(y1_);
  time_ = t0 + h;
  update_state();
  if (options.ground != Grade::held) contacts_.update(system_, w_, reach());
  return true;
}

// What the boxes' touches amount to, for changes of contact between bodies.
std::string Director::relation() const {
  if (!contacts_.has_pairs()) return {};
  std::vector<Vec3d> carrying;
  for (size_t i = 0; i < contacts_.touches.size(); ++i) {
    const Touch& t = contacts_.touches[i];
    if (t.site < 0 && 3 * i < touch_force_.size() && touch_force_[3 * i] > 1e-9) carrying.push_back(t.point);
  }
  if (carrying.size() < 2) return carrying.empty() ? "apart" : "point";
  Vec3d far;
  for (const Vec3d& p : carrying)
    if (norm(p - carrying[0]) > norm(far)) far = p - carrying[0];
  double off = 0;
  for (const Vec3d& p : carrying)
    off = std::max(off, norm(cross(far, p - carrying[0])) / std::max(norm(far), 1e-12));
  return off > 1e-6 ? "face" : "edge";
}

// Above zero when something has come: what is awaited (if it had not come before), or a new touch, by its
// depth.
double Director::event_value(bool listening) const {
  double value = listening ? awaited_(*this) : -unlimited;
  if (options.ground != Grade::unilateral) return value;
  value = std::max(value, -contacts_.nearest);
  for (const Touch& t : contacts_.touches)
    if (t.site >= 0 ? open_[size_t(t.site)] : t.gap < -reach()) value = std::max(value, -t.gap);
  return value;
}

// v becomes a velocity whose rows are as wanted_ (exactly for the two-sided ones, at least for the normals of
// touches), lambda_ the impulses that do it: by Coulomb's law; and where that finds no solution (touches
// wedged against each other) as the velocity nearest to v in the measure of kinetic energy with n v + mu |t
// v| >= wanted for four directions t. That is convex and never gains energy (Anitescu, 2006), but what slides
// rises by mu times its slip.
bool Director::push_apart(int two_sided, std::vector<double>& v) {
  const int nv = system_.model.nv, nc = int(constraints_.size());
  ContactProblem& p = contact_problem_;
  p.resize(two_sided, int(contacts_.touches.size()));
  response_ = Jc_;
  respond(response_);
  for (int i = 0; i < nc; ++i) {
    const double* J = Jc_.data() + size_t(i) * nv;
    p.b[size_t(i)] = -wanted_[size_t(i)];
    for (int j = 0; j < nv; ++j) p.b[size_t(i)] += J[j] * v[size_t(j)];
    for (int k = 0; k < nc; ++k)
      for (int j = 0; j < nv; ++j) p.A[size_t(i) * nc + k] += J[j] * response_[size_t(k) * nv + j];
  }
  for (double& mu : p.mu) mu = system_.contacts.options.friction;
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
  for (int i = 0; i < nv; ++i)
    for (int j = 0; j < nv; ++j) {
      const double m = M_[size_t(i) * nv + j] + (i == j ? firm_[size_t(i)] : 0);
      if (j <= i) scratch_.hessian()[size_t(i) * nv + j] = m;
      scratch_.linear()[i] += m * v[size_t(j)];
    }
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

// A step with the torques of its start and the impulses that keep every point near the ground out of it at
// its end (Moreau). Touches come and go within the step, however many; errors are of first order in h.
bool Director::advance_by_impulses(double h) {
  note_sites();
  if (!evaluate()) return false;
  const int nv = system_.model.nv;
  const std::vector<double> tau = meant_tau_, v0 = v_;
  contacts_.update(system_, w_, impulse_reach * units_.length);
  gather_constraints();
  const int nc = int(constraints_.size());
  int two_sided = 0;
  while (two_sided < nc && constraints_[size_t(two_sided)].touch < 0) ++two_sided;
  tau_ = tau;
  free_acceleration();
  std::vector<double>& free = qdd_;
  for (int j = 0; j < nv; ++j) free[size_t(j)] = v0[size_t(j)] + h * free[size_t(j)];
  wanted_.assign(size_t(nc), 0);
  for (int i = 0; i < nc; ++i) {
    const Constraint& c = constraints_[size_t(i)];
    double before = 0;
    for (int j = 0; j < nv; ++j) before += Jc_[size_t(i) * nv + j] * v0[size_t(j)];
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
  if (!push_apart(two_sided, free)) {
    fail(Status::diverged, "diverged at " + to_text(time_) + " s: no impulses keep the contacts apart");
    return false;
  }
  // work over the step, with the mean velocity
  for (int j = 0; j < nv; ++j) {
    const double mean = 0.5 * (v0[size_t(j)] + free[size_t(j)]);
    tau_[size_t(j)] += firm_[size_t(j)] * (meant_[size_t(j)] - (free[size_t(j)] - v0[size_t(j)]) / h);
    account.torques += h * tau_[size_t(j)] * mean, account.passive += h * passive_[size_t(j)] * mean;
    for (int i = 0; i < nc; ++i)
      if (constraints_[size_t(i)].pushes)
        account.ground += lambda_[size_t(i)] * Jc_[size_t(i) * nv + j] * mean;
  }
  for (size_t b = 0; b < outside_.size(); ++b) {
    account.outside += h * dot(w_.vel[b], outside_[b]);
    account.passive += h * dot(w_.vel[b], w_.f_ext[b] - outside_[b]);
  }
  for (double& f : lambda_) f /= h;
  v_ = free;
  integrate_positions(system_.model, q_.data(), v_.data(), h, q_.data());
  for (int j = 0; j < nv; ++j) qdd_[size_t(j)] = (v_[size_t(j)] - v0[size_t(j)]) / h;
  time_ += h;
  update_state();
  const std::vector<Touch> pushed = contacts_.touches;
  contacts_.update(system_, w_, loose_reach * units_.length);
  touch_force_.assign(3 * contacts_.touches.size(), 0);
  for (size_t i = 0; i < contacts_.touches.size(); ++i)
    for (size_t k = 0; k < pushed.size(); ++k)
      if (pushed[k].site >= 0 && pushed[k].site == contacts_.touches[i].site)
        std::copy_n(lambda_.begin() + two_sided + 3 * long(k), 3, touch_force_.begin() + 3 * long(i));
  return true;
}

// Falls and speeds that no body has end the motion.
bool Director::still_well() {
  if (options.ground != Grade::held && !system_.world.body.legs.empty() &&
      w_.p[0].z - sample(system_.world.terrain, w_.p[0].x, w_.p[0].y).height < 0.4 * stand_height_) {
    fail(Status::fell, "fell at " + to_text(time_) + " s");
    return false;
  }
  for (size_t j = 0; j < v_.size(); ++j)
    if (!(std::abs(v_[j]) < (actuated_[j] ? runaway / units_.time : too_fast))) {
      fail(Status::diverged, "diverged at " + to_text(time_) + " s: '" + system_.world.body.dofs()[j]->name +
                                 "' runs away; " + advise());
      return false;
    }
  return true;
}

// What to change where motion runs away: joints at the ends of their ranges lack room.
std::string Director::advise() const {
  const std::vector<const Dof*> dofs = system_.world.body.dofs();
  std::vector<std::string> ends;
  for (size_t j = 0; j < v_.size() && ends.size() < 6; ++j)
    if (x_[j] < lower_[j] + at_end || x_[j] > upper_[j] - at_end) ends.push_back("'" + dofs[j]->name + "'");
  if (ends.empty())
    return "near a singular pose (a straight knee that must reach further) equations ask for too much; give "
           "them a weight, or ask for less";
  const bool many = ends.size() > 1;
  return join(ends, ", ") + (many ? " are at the ends of their ranges" : " is at the end of its range") +
         "; ask for less, or give " + (many ? "them a wider one" : "it a wider one");
}

bool Director::step_by_impulses(double h) {
  if (!advance_by_impulses(std::min(h, impulse_step * units_.time))) return false;
  last_event_ = time_;
  note_contacts();
  return still_well();
}

bool Director::step(double h) {
  if (!started_) start();
  if (status_ != Status::ok) return false;
  if (controller) controller(*this);
  if (options.ground == Grade::penalty) return advance_penalty(h);
  if (options.ground == Grade::unilateral && time_ < busy_until_) return step_by_impulses(h);
  // what an event sets off is over in a moment, and quick
  h = std::min(h, time_ - last_event_ < 0.06 * units_.time ? 0.5 * options.dt : options.dt);
  y0_.assign(q_.begin(), q_.end());
  y0_.insert(y0_.end(), v_.begin(), v_.end());
  for (const double a : {account.torques, account.ground, account.passive, account.outside}) y0_.push_back(a);
  const double t0 = time_;
  note_sites();
  const bool listening = awaited_ && awaited_(*this) <= 0;
  const auto again = [&](double part) {
    set_state(y0_);
    time_ = t0;
    update_state();
    if (options.ground != Grade::held) contacts_.update(system_, w_, reach());
    return advance(part);
  };
  double at_low = event_value(listening);
  astray_ = false;
  if (!advance(h)) return stop_at(t0);
  double at_high = event_value(listening);
  const bool event = at_high > 0, changed = relation_now() != relation_;
  if (event || changed) {
    // the first moment lies in (low, high]: secants (Illinois), bisection where there is nothing to divide by
    double low = 0, high = h;
    int side = 0;
    for (int tries = 0; high - low > options.event_tolerance && tries < 100; ++tries) {
      double middle = 0.5 * (low + high);
      const double margin = 0.4 * options.event_tolerance;
      if (!changed && at_low < 0 && std::isfinite(at_low) && tries % 4 != 3)
        middle =
            std::clamp((low * at_high - high * at_low) / (at_high - at_low), low + margin, high - margin);
      if (!again(middle)) return stop_at(t0);
      const double value = event_value(listening);
      if (value > 0 || (changed && relation_now() != relation_)) {
        high = middle, at_high = value;
        if (side == 1) at_low *= 0.5;
        side = 1;
      } else {
        low = middle, at_low = value;
        if (side == -1) at_high *= 0.5;
        side = -1;
      }
    }
    astray_ = false;
    if (!again(high)) return stop_at(t0);
    last_event_ = time_;
  }
  if (astray_ && options.impulses) {
    stop_at(t0);
    contacts_.update(system_, w_, reach());
    busy_until_ = time_ + busy_span * units_.time;
    return step_by_impulses(h);
  }
  if (options.ground == Grade::unilateral) {
    impact();
    note_contacts();
  }
  return still_well();
}

bool Director::stop_at(double t0) {
  set_state(y0_);
  time_ = t0;
  update_state();
  return false;
}

void Director::note_sites() {
  open_.assign(system_.contacts.sites.size(), 1);
  for (const Touch& t : contacts_.touches)
    if (t.site >= 0) open_[size_t(t.site)] = 0;
}

std::string Director::relation_now() {
  if (!contacts_.has_pairs()) return {};
  if (!evaluate()) return {};
  return relation();
}

void Director::note_contacts() {
  const Creature& body = system_.world.body;
  const size_t before = contact_changes.size();
  if (contacts_.has_pairs()) {
    const std::string now = relation_now();
    if (now != relation_) contact_changes.push_back({time_, now}), relation_ = now;
  }
  for (const Touch& t : contacts_.touches)
    if (t.site >= 0 && open_[size_t(t.site)])
      contact_changes.push_back({time_, body.contacts[size_t(t.site)].name + " down"});
  for (size_t i = 0; i < open_.size(); ++i)
    if (!open_[i] && std::none_of(contacts_.touches.begin(), contacts_.touches.end(),
                                  [&](const Touch& t) { return t.site == int(i); }))
      contact_changes.push_back({time_, body.contacts[i].name + " up"});
  const size_t now = contact_changes.size();
  if (options.impulses && now > before && now >= busy_changes &&
      contact_changes[now - busy_changes].time > time_ - busy_span * units_.time)
    busy_until_ = time_ + busy_span * units_.time;
}

// The core's ground: springs, friction bristles, small implicit steps; torques held over each.
bool Director::advance_penalty(double h) {
  Simulation<double>& sim = *penalty_;
  const double end = time_ + h;
  while (time_ < end - 1e-12) {
    contacts_.update(system_, w_, reach());
    if (!evaluate()) return false;
    for (size_t j = 0; j < v_.size(); ++j) sim.state.drive.tau[j] = actuated_[j] ? tau_[j] : 0;
    const double part = std::min(sim.options.dt, end - time_), before = awaited_ ? awaited_(*this) : 0;
    if (!sim.step(part)) {
      fail(sim.status(), sim.explain());
      return false;
    }
    q_ = sim.state.q, v_ = sim.state.v, time_ = sim.state.time;
    update_state();
    contacts_.update(system_, w_, reach());
    // what presses is the springs' business, not what the equations assumed
    touch_force_.assign(3 * contacts_.touches.size(), 0);
    for (size_t i = 0; i < contacts_.touches.size(); ++i)
      if (const Touch& t = contacts_.touches[i]; t.site >= 0)
        touch_force_[3 * i] = dot(sim.ground_contacts[size_t(t.site)].force, t.normal);
    if (awaited_ && before <= 0 && awaited_(*this) > 0) break;
  }
  contacts_.update(system_, w_, reach());
  return true;
}

// Forces of the ground at the creature's contact points: touches as they are; holds shared among the points
// of their link so that the wrench is the same, with the least squares of forces.
std::vector<Vec3d> Director::site_forces() const {
  const Creature& body = system_.world.body;
  std::vector<Vec3d> force(body.contacts.size());
  for (size_t i = 0; i < constraints_.size(); ++i)
    if (const Constraint& c = constraints_[i]; c.touch >= 0 && contacts_.touches[size_t(c.touch)].site >= 0)
      force[size_t(contacts_.touches[size_t(c.touch)].site)] += c.force * lambda_[i];
  for (size_t i = 0; i + 5 < constraints_.size(); ++i) {
    const Constraint& c = constraints_[i];
    if (c.touch >= 0 || c.link < 0 || (i > 0 && constraints_[i - 1].owner == c.owner)) continue;
    const auto hold =
        std::find_if(holds_.begin(), holds_.end(), [&](const Hold& h) { return h.link == c.link; });
    if (hold == holds_.end()) continue;
    std::vector<size_t> sites;
    for (size_t s = 0; s < body.contacts.size(); ++s)
      for (int b = body.contacts[s].link; b >= 0; b = system_.model.parent[size_t(b)])
        if (b == c.link) sites.push_back(s);
    if (sites.empty()) continue;
    // 6 equations: sum f = F, sum r x f = T about the held point
    QuadraticProblem share;
    share.clear(3 * int(sites.size()));
    share.tolerance = unlimited;
    const Vec3d about = point_position(w_, c.link, hold->point);
    for (int k = 0; k < 6; ++k) {
      double* a = share.add_equality(lambda_[i + size_t(k)], k);
      for (size_t s = 0; s < sites.size(); ++s) {
        const ContactPoint& contact = body.contacts[sites[s]];
        const Vec3d r = point_position(w_, contact.link, contact.pos) - about;
        if (k < 3)
          a[3 * s + size_t(k)] = 1;
        else
          for (int j = 0; j < 3; ++j) a[3 * s + size_t(j)] = skew(r)(k - 3, j);
      }
    }
    share.regularize(0, 3 * int(sites.size()), 1);
    std::vector<double> f(3 * sites.size(), 0);
    if (share.solve(f.data()) != Outcome::solved) continue;
    for (size_t s = 0; s < sites.size(); ++s) force[sites[s]] += Vec3d(f[3 * s], f[3 * s + 1], f[3 * s + 2]);
  }
  return force;
}

void Director::record(Motion& motion) {
  if (status_ == Status::ok) {
    const long count = solves;
    if (options.ground != Grade::held) contacts_.update(system_, w_, reach());
    evaluate();
    solves = count;
  }
  motion.time.push_back(time_);
  motion.q.insert(motion.q.end(), q_.begin(), q_.end());
  motion.v.insert(motion.v.end(), v_.begin(), v_.end());
  for (size_t j = 0; j < tau_.size(); ++j) motion.tau.push_back(tau_[j] + passive_[j]);
  if (penalty_) {
    penalty_->probe();
    for (const SiteRecord<double>& site : penalty_->ground_contacts)
      for (int i = 0; i < 3; ++i) motion.contact_force.push_back(site.force[i]);
  } else {
    for (const Vec3d& f : site_forces())
      for (int i = 0; i < 3; ++i) motion.contact_force.push_back(f[i]);
  }
  const Vec3d com = legwork::center_of_mass(system_.model, w_), speed = rate(center_of_mass());
  append_channel(motion, "kinetic energy", "J", {kinetic_energy(system_.model, v_.data(), w_)});
  append_channel(motion, "potential energy", "J", {potential_energy(system_.model, w_)});
  append_channel(motion, "elastic energy", "J",
                 {joint_energy(joints_, x_.data(), joints_.rest.data()) +
                  attachment_energy(system_.attachments, broken_, w_)});
  append_channel(motion, "work", "J", {account.torques});
  append_channel(motion, "work of the ground", "J", {account.ground});
  append_channel(motion, "lost in impacts", "J", {account.impacts});
  append_channel(motion, "unexplained energy", "J", {penalty_ ? 0 : unexplained()});
  append_channel(motion, "center of mass", "m", {com.x, com.y, com.z});
  append_channel(motion, "forward speed", "m/s", {speed.x});
  append_channel(motion, "equations", "1", {double(equations())});
  double phase = 0;
  for (size_t i = 0; i < phase_names.size(); ++i)
    if (phase_names[i] == phase_) phase = double(i + 1);
  append_channel(motion, "phase", "1", {phase});
}

Motion Director::run(double seconds, double rate) {
  const auto clock = std::chrono::steady_clock::now();
  if (!started_) start();
  Motion motion = begin_motion(system_);
  const long frames = long(std::floor(seconds * rate + 1e-9));
  bool going = status_ == Status::ok;
  if (going && controller) controller(*this);
  record(motion);
  for (long f = 1; f <= frames && going; ++f) {
    const double end = double(f) / rate;
    // equal steps up to the frame, so that none is a splinter
    while (going && time_ < end - 1e-9) {
      const double left = end - time_;
      going = step(left / std::ceil(left / options.dt - 1e-9));
    }
    if (!going) break;
    record(motion);
    if (watch && !watch(*this)) {
      fail(Status::stopped, "stopped at " + to_text(time_) + " s");
      going = false;
    }
  }
  if (status_ != Status::ok && (motion.time.empty() || motion.time.back() < time_)) record(motion);
  motion.status = status_, motion.status_text = status_text_;
  motion.status_time = status_ == Status::ok ? time_ : status_time_;
  motion.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - clock).count();
  return motion;
}

}  // namespace legwork
