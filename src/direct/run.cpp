// What a director decides at every stage of its simulation's steps, the account, and the motion that comes
// of it.

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "creature/place.h"
#include "direct/director.h"
#include "dynamics/dynamics.h"
#include "motion/record.h"

namespace legwork {

namespace {

constexpr double too_fast = 1e4;      // m/s or rad/s
constexpr double runaway = 1000;      // rad/s: no muscle turns a joint this fast
constexpr double holds_in_steps = 5;  // a loop closes in so many steps of the simulation's own
constexpr double after_event = 0.06;  // s; Director::Units scales it
constexpr double touching = 2e-5;     // m, likewise

}  // namespace

void Director::start(const std::vector<double>& q, const std::vector<double>& v) {
  const bool penalty = options.ground == Grade::penalty;
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
  phase_start_ = 0;
  q_start_ = q_;
  stand_height_ = place(system_.world.body, system_.world.body.pose("stand"))[0].p.z;
  if (penalty) {
    sim_.options = choose_step(system_);
    sim_.options.dt = std::min(sim_.options.dt, options.dt);
  } else {
    sim_.options.dt = options.hold_time / holds_in_steps;
    sim_.options.event_tolerance = options.event_tolerance;
    sim_.rigid.hold_time = options.hold_time;
    sim_.rigid.impulses = options.impulses;
    sim_.pause_at_events = true;
    sim_.instant = [this](Simulation<double>&) { return decide(); };
    sim_.on_condition(
        [this](const Simulation<double>&) { return awaited_ ? std::max(awaited_(*this), -1e9) : -1.0; },
        [](Simulation<double>&, const Event&) {});
  }
  sim_.restart();
  most_rows_ = int(sim_.constraints.row.size());
  sim_.pushes = pushes;
  if (options.ground == Grade::held)
    std::fill(sim_.state.contact.off.begin(), sim_.state.contact.off.end(), 1);
  update_state();
  started_ = true;
  if (initialize) initialize(*this);
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

bool Director::has_motors() const {
  return std::any_of(actuated_.begin(), actuated_.end(), [](char a) { return a; });
}

// W, of holds, loops and contacts.
double Director::power_of_constraints() const {
  const size_t nv = v_.size();
  double power = 0;
  for (size_t i = 0; i < constraints_.size(); ++i) {
    if (!constraints_[i].pushes) continue;
    double speed = 0;
    for (size_t j = 0; j < nv; ++j) speed += Jc_[i * nv + j] * v_[j];
    power += lambda_[i] * speed;
  }
  return power;
}

// Asked at every stage: the torques, and where the ground does as the equations assumed, all that happens.
bool Director::decide() {
  find_bias();
  if (!find_instant()) return false;
  InstantPlan& plan = sim_.rigid.plan;
  const bool directed = has_motors();
  plan.tau = tau_;
  plan.meant = qdd_;
  plan.complete = solved_;
  plan.firm.clear();
  if (directed && !firm_.empty()) plan.firm = firm_;
  if (directed && !solved_) plan.astray = true;
  plan.left_out.assign(system_.contacts.sites.size(), 0);
  for (size_t i = 0; i < system_.contacts.sites.size(); ++i)
    plan.left_out[i] = footing(system_.contacts.sites[i].link) == Footing::released;
  if (solved_) plan.power = power_of_constraints();
  return true;
}

// The simulation's accounts, and its answer where the ground did not do as the equations assumed.
void Director::take_over() {
  const std::vector<double>& flows = sim_.state.flows;
  account = {flows[flow_motors], flows[flow_ground], flows[flow_passive], flows[flow_outside],
             flows[flow_impacts]};
  for (size_t i = contact_changes.size(); i < sim_.rigid.changes.size(); ++i)
    contact_changes.push_back(sim_.rigid.changes[i]);
  if (solved_ || status_ != Status::ok) return;
  size_t first = 0;
  while (first < constraints_.size() && constraints_[first].touch < 0) ++first;
  lambda_.resize(constraints_.size(), 0);
  for (size_t i = 0; i < first && i < size_t(sim_.rigid.first_touch_row); ++i)
    lambda_[i] = sim_.constraints.lambda[i];
  if (touch_force_.size() == constraints_.size() - first)
    std::copy(touch_force_.begin(), touch_force_.end(), lambda_.begin() + long(first));
  note_residuals(false);
}

// Falls and speeds that no body has end the motion.
bool Director::still_well() {
  if (options.ground != Grade::held && !system_.world.body.legs.empty() &&
      w_.p[0].z - sample(system_.world.terrain, w_.p[0].x, w_.p[0].y).height < 0.4 * stand_height_) {
    fail(Status::fell, "fell at " + to_text(time()) + " s");
    return false;
  }
  for (size_t j = 0; j < v_.size(); ++j)
    if (!(std::abs(v_[j]) < (actuated_[j] ? runaway / units_.time : too_fast))) {
      fail(Status::diverged, "diverged at " + to_text(time()) + " s: '" + system_.world.body.dofs()[j]->name +
                                 "' runs away; " + advise());
      return false;
    }
  return true;
}

bool Director::step(double h) {
  if (!started_) start();
  if (status_ != Status::ok) return false;
  if (controller) controller(*this);
  if (options.ground == Grade::penalty) return step_on_springs(h);
  // what an event sets off is over in a moment, and quick
  const bool settling = time() - sim_.rigid.last_event < after_event * units_.time;
  const bool went_on = sim_.step(std::min(h, settling ? 0.5 * options.dt : options.dt));
  find_bias();
  take_over();
  if (!went_on) {
    fail(sim_.status(), "diverged at " + to_text(time()) + " s: " + advise());
    return false;
  }
  return still_well();
}

// On the core's springs the equations see touches as rigid; torques are held over each of its steps.
bool Director::step_on_springs(double h) {
  const double end = time() + h;
  const auto look = [&] {
    contacts_.update(system_.contacts, system_.world.terrain, {}, w_, touching * units_.length);
  };
  while (time() < end - 1e-12) {
    look();
    find_bias();
    if (!find_instant()) return false;
    for (size_t j = 0; j < v_.size(); ++j) sim_.state.drive.tau[j] = actuated_[j] ? tau_[j] : 0;
    const double part = std::min(sim_.options.dt, end - time()), before = awaited_ ? awaited_(*this) : 0;
    if (!sim_.step(part)) {
      fail(sim_.status(), sim_.explain());
      return false;
    }
    look();
    // what presses is the springs' business, not what the equations assumed
    touch_force_.assign(3 * contacts_.touches.size(), 0);
    for (size_t i = 0; i < contacts_.touches.size(); ++i)
      if (const RigidTouch& t = contacts_.touches[i]; t.site >= 0)
        touch_force_[3 * i] = dot(sim_.ground_contacts[size_t(t.site)].force, t.normal);
    if (awaited_ && before <= 0 && awaited_(*this) > 0) break;
  }
  find_bias();
  return true;
}

bool Director::solve() {
  if (!started_) start();
  if (options.ground == Grade::penalty) {
    contacts_.update(system_.contacts, system_.world.terrain, {}, w_, touching * units_.length);
    find_bias();
    return find_instant();
  }
  sim_.probe();
  take_over();
  return status_ == Status::ok;
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
    while (going && time() < end - 1e-9) {
      const double left = end - time();
      going = step(left / std::ceil(left / options.dt - 1e-9));
    }
    if (!going) break;
    record(motion);
    if (watch && !watch(*this)) {
      fail(Status::stopped, "stopped at " + to_text(time()) + " s");
      going = false;
    }
  }
  if (status_ != Status::ok && (motion.time.empty() || motion.time.back() < time())) record(motion);
  motion.status = status_, motion.status_text = status_text_;
  motion.status_time = status_ == Status::ok ? time() : status_time_;
  return motion;
}

}  // namespace legwork
