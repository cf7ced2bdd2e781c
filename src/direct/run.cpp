// Time: Runge-Kutta steps between events, the account of energy, and the motion that comes of it.

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "creature/place.h"
#include "direct/director.h"
#include "dynamics/dynamics.h"
#include "motion/record.h"

namespace legwork {

namespace {

// For a body that is not small; Director::Units scales them.
constexpr double full_reach = 2e-5;  // m: closer than this, points touch
constexpr double too_fast = 1e4;     // m/s or rad/s
constexpr double runaway = 1000;     // rad/s: no muscle turns a joint this fast
constexpr double busy_span =
    0.02;  // s: contacts change too often to be followed one by one, where there were ...
constexpr int busy_changes = 3;  // ... this many changes within the span
constexpr int flows = 4;         // entries of the energy account: torques, ground, passive, outside

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
    if (options.pose == "stand") put_on_ground();
    stand_on_ground();
  }
  if (!q.empty()) q_ = q;
  if (!v.empty()) v_ = v;
  const Creature& body = system_.world.body;
  if (!body.loops.empty()) {
    const double gap = close_loops(system_.model, body.loops, q_);
    if (gap > 1e-6)
      throw Error(body.where, body.name, "its loops stay open by " + to_text(gap) + " m in the starting pose",
                  "choose a pose where they meet");
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

bool Director::step(double h) {
  if (!started_) start();
  if (status_ != Status::ok) return false;
  if (controller) controller(*this);
  if (options.ground == Grade::penalty) return advance_penalty(h);
  if (options.ground == Grade::unilateral && time_ < busy_until_) return step_by_impulses(h);
  // what an event sets off is over in a moment, and quick
  h = std::min(h, time_ - last_event_ < 0.06 * units_.time ? 0.5 * options.dt : options.dt);
  note_state();
  note_sites();
  const double t0 = time_;
  Span span{t0, 0, h, 0, 0, awaited_ && awaited_(*this) <= 0, false};
  span.at_low = event_value(span.listening);
  astray_ = false;
  if (!advance(h)) return stop_at(t0);
  span.at_high = event_value(span.listening);
  span.changed = relation_now() != relation_;
  if ((span.at_high > 0 || span.changed) && !advance_to_event(span)) return stop_at(t0);
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

// Where a step begins, to come back to.
void Director::note_state() {
  y0_.assign(q_.begin(), q_.end());
  y0_.insert(y0_.end(), v_.begin(), v_.end());
  for (const double a : {account.torques, account.ground, account.passive, account.outside}) y0_.push_back(a);
}

// From the start of the step once more, for another while.
bool Director::advance_again(double t0, double h) {
  stop_at(t0);
  if (options.ground != Grade::held) contacts_.update(system_, w_, reach());
  return advance(h);
}

// The first moment lies in (low, high]: secants (Illinois), bisection where there is nothing to divide by.
bool Director::advance_to_event(Span s) {
  int side = 0;
  for (int tries = 0; s.high - s.low > options.event_tolerance && tries < 100; ++tries) {
    double middle = 0.5 * (s.low + s.high);
    const double margin = 0.4 * options.event_tolerance;
    if (!s.changed && s.at_low < 0 && std::isfinite(s.at_low) && tries % 4 != 3)
      middle = std::clamp((s.low * s.at_high - s.high * s.at_low) / (s.at_high - s.at_low), s.low + margin,
                          s.high - margin);
    if (!advance_again(s.t0, middle)) return false;
    const double value = event_value(s.listening);
    if (value > 0 || (s.changed && relation_now() != relation_)) {
      s.high = middle, s.at_high = value;
      if (side == 1) s.at_low *= 0.5;
      side = 1;
    } else {
      s.low = middle, s.at_low = value;
      if (side == -1) s.at_high *= 0.5;
      side = -1;
    }
  }
  astray_ = false;
  if (!advance_again(s.t0, s.high)) return false;
  last_event_ = time_;
  return true;
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

Motion Director::run(double seconds, double rate) {
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
  return motion;
}

}  // namespace legwork
