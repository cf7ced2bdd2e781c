// One evaluation of everything that acts, and one step with its accounts and checks.
//
// Energy. K + V = (K + V)_0 + work - losses, where work is what drives, actuators, pushes and media do, and
// losses (dampers, friction, restitution, the integrator's own) are not negative. What breaks this by more
// than a share of the energy turned over is a numerical error that a search would harvest: the simulation has
// diverged.

#include "sim/simulation.h"

#include "ground/medium.h"
#include "math/branch.h"

#include <algorithm>
#include <cassert>
#include <type_traits>

namespace legwork {

namespace {

constexpr double loop_steps = 5;  // time constant with which loops close, in steps

int most_rows(const Creature& body) {
  int n = 3 * int(body.legs.size());  // points held for now
  for (const Loop& loop : body.loops) n += rows_of(loop);
  for (const Actuator& a : body.actuators) n += a.type == ActuatorType::linear || a.tendon >= 0;
  return n + int(body.tendons.size() + body.couplings.size());
}

template <class T>
int most_terms(const System<T>& system) {
  const Creature& body = system.world.body;
  int n = 0;
  for (const Coupling& coupling : body.couplings) n += terms_of(coupling);
  for (const TendonUnit<T>& t : system.tendons) n += int(t.dof.size());
  for (const Actuator& a : body.actuators)
    if (a.tendon >= 0) n += int(system.tendons[std::size_t(a.tendon)].dof.size());
  return n;
}

}  // namespace

template <class T>
Simulation<T>::Simulation(const System<T>& system, const StepOptions& options)
    : options(options),
      w(system.model),
      constraints(system.model, most_rows(system.world.body), most_terms(system)),
      system_(&system) {
  const int nv = system.model.nv;
  qdd.assign(nv, T(0)), tau.assign(nv, T(0)), x.assign(nv, T(0));
  active_tau_.assign(nv, T(0)), active_d_.assign(nv, T(0));
  outside_.assign(system.model.nlink, {});
  ground_contacts.assign(system.contacts.sites.size(), {});
  ground_contacts.near.reserve(system.contacts.sites.size());
  friction_.size(system.friction, system.model);
  tendons_.size(system.tendons, system.model);
  k_.resize(6);
  if constexpr (std::is_same_v<T, double>) set_up_rigid();
  reset();
}

template <class T>
void Simulation<T>::reset() {
  reset(system_->world.body.pose(""));
}

template <class T>
void Simulation<T>::reset(const std::vector<double>& q, const std::vector<double>& v) {
  const Model<T>& m = system_->model;
  assert(int(q.size()) == m.nq && (v.empty() || int(v.size()) == m.nv));
  state.q.assign(q.begin(), q.end());
  state.v.assign(m.nv, T(0));
  std::copy(v.begin(), v.end(), state.v.begin());
  restart();
}

template <class T>
void Simulation<T>::restart() {
  const Model<T>& m = system_->model;
  State<T> fresh;
  fresh.q.swap(state.q), fresh.v.swap(state.v);
  state = std::move(fresh);
  normalize_positions(m, state.q.data());
  state.contact.reset(system_->contacts);
  state.broken.assign(system_->attachments.size(), T(0));
  if (rigid.on) {
    state.flows.assign(flow_count, T(0));
    rigid.loose = rigid.by_impulses = false;
    rigid.last_event = rigid.busy_until = -unlimited;
    rigid.changes.clear(), rigid.relation.clear();
  }

  Drive<T>& d = state.drive;
  d.tau.assign(m.nv, T(0));
  d.rest = system_->joints.rest;
  d.rest_rate.assign(m.nv, T(0));
  refresh();
  for (const ActuatorUnit<T>& a : system_->actuators)
    d.target.push_back(resting_target(a, x.data(), tendons_, w));
  const auto lags = [](const ActuatorUnit<T>& a) { return any(a.lag > T(0)); };
  if (std::any_of(system_->actuators.begin(), system_->actuators.end(), lags)) state.activation = d.target;

  failures_ = {};
  held.clear(), let_go.clear();
  dynamics_calls = 0;
  grid_dt_ = 0;
  adapted_ = 0;
  origin.start = energy();
  // weight times size: what the creature turns over when it falls over or swings
  const Vec3<T> com = center_of_mass(m, w);
  T inertia(0);
  for (int b = 0; b < m.nlink; ++b) {
    const Vec3<T> d = w.p[b] + w.c[b] - com;
    inertia += m.mass[b] * (dot(d, d) + dot(w.c[b], w.c[b])) + T(0.5) * (w.I[b].xx + w.I[b].yy + w.I[b].zz);
  }
  const T mass = max(total_mass(m), T(1e-300));
  origin.turnover = origin.start.kinetic + origin.start.elastic +
                    mass * norm(m.gravity) * sqrt(inertia / mass) + T(1e-9) * inertia;
  backup_ = state;
}

template <class T>
void Simulation<T>::refresh() noexcept {
  update_positions(system_->model, state.q.data(), w);
  update_velocities(system_->model, state.q.data(), state.v.data(), w);
  joint_positions(system_->joints, state.q.data(), x.data());
  if (!system_->tendons.empty())
    update_tendons(system_->tendons, system_->model, x.data(), state.v.data(), w, tendons_);
}

template <class T>
void Simulation<T>::stop(Status status) noexcept {
  for (Failure& f : failures_)
    if (f.status == Status::ok) f = {status, Cause::none, state.time, -1};
}

template <class T>
void Simulation<T>::call_controller() {
  const T before = joint_energy(system_->joints, x.data(), state.drive.rest.data());
  controller(*this, state.drive);
  const T given = joint_energy(system_->joints, x.data(), state.drive.rest.data()) - before;
  state.work += given;
  state.turnover += abs(given);
}

// Everything that acts at the present state, and the accelerations. first: the first evaluation of a step,
// when contacts remember.
template <class T>
void Simulation<T>::evaluate(double h, bool first) {
  const Model<T>& m = system_->model;
  if (controller && control_every_stage) call_controller();
  clear_forces(m, w);
  constraints.clear();
  w.implicit = options.integrator == Integrator::implicit;
  std::copy(state.drive.tau.begin(), state.drive.tau.end(), tau.begin());
  const std::vector<T>& target = state.activation.empty() ? state.drive.target : state.activation;
  add_actuator_forces(system_->actuators, target.data(), x.data(), state.v.data(), T(h), w, tau.data(),
                      &constraints, {&system_->tendons, &tendons_});
  actuator_rows_ = constraints.rows;
  add_outside_forces(h);
  if (first || rigid.on) note_active_forces();
  add_passive_forces(h, first);
  for (const Loop& loop : system_->world.body.loops)
    add_loop(loop, T(loop_steps * options.dt), w, constraints);
  for (const Coupling& coupling : system_->world.body.couplings)
    add_coupling(coupling, T(loop_steps * options.dt), x.data(), state.v.data(), constraints);
  const int first_hold = constraints.rows;
  add_holds();
  const bool rubs = !system_->friction.empty();
  if (rubs) begin_friction(system_->friction, m, state.v.data(), tau.data(), w, friction_);
  bool solved = false;
  const auto prepare = [&] {
    if constexpr (std::is_same_v<T, double>) solved = rigid.on && prepare_touches(h, first);
  };
  prepare();
  if (!solved) solve(h);
  while (first && lose_holds(first_hold)) {
    constraints.rows = first_hold;
    add_holds();
    prepare();
    if (!solved) solve(h);
  }
  if (first && w.implicit && !rigid.on)
    repeat(
        max_contact_passes, [&] { return correct_contacts(system_->contacts, w, ground_contacts); },
        [&] { solve(h); }, w.f_ext, w.I_ext, ground_contacts, w.IA, w.pA, w.U, w.invD, w.u, w.acc, qdd,
        constraints.lambda, constraints.Y, constraints.A);
  if (rubs) end_friction(system_->friction, friction_, tau.data(), w);
  if (!w.implicit) return;
  // what acted over the step, for the record and the accounts
  for (int i = 0; i < m.nv; ++i) tau[i] -= w.d_ext[i] * qdd[i];
  if (!first) return;
  if (!rigid.on) complete_contact_record(system_->contacts, w, ground_contacts);
  for (int i = 0; i < actuator_rows_; ++i) {
    const Row<T>& row = constraints.row[i];
    if (row.count > 0) {
      // along a tendon: the joints feel it
      for (int k = row.first; k < row.first + row.count; ++k)
        active_tau_[constraints.terms[k].dof] += constraints.terms[k].factor * constraints.lambda[i];
      continue;
    }
    outside_[row.a] += row.on_a * constraints.lambda[i];
    if (row.b >= 0) outside_[row.b] += row.on_b * constraints.lambda[i];
  }
  if (actuator_rows_ > 0) outside_power_ = outside_power();
}

// Equations of the points that are still held.
template <class T>
void Simulation<T>::add_holds() noexcept {
  for (std::size_t i = 0; i < held.size(); ++i)
    if (i >= let_go.size() || !let_go[i]) add_loop(held[i], T(loop_steps * options.dt), w, constraints);
}

// Marks holds that needed more than the ground can pull; pushing up they bear anything.
template <class T>
bool Simulation<T>::lose_holds(int row) noexcept {
  bool any_lost = false;
  if (hold_force == unlimited) return false;
  let_go.resize(held.size(), 0);
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (let_go[i]) continue;
    const T* f = &constraints.lambda[std::size_t(row)];
    row += rows_of(held[i]);
    const T down = min(f[2], T(0)), square = f[0] * f[0] + f[1] * f[1] + down * down;
    if (!any(square > T(hold_force * hold_force))) continue;
    let_go[i] = 1, any_lost = true;
  }
  return any_lost;
}

// Accelerations from all that was added, with joints held or sliding where they have dry friction.
template <class T>
void Simulation<T>::solve(double h) noexcept {
  const DryFriction<T>& friction = system_->friction;
  if (friction.empty()) return solve_once();
  const Model<T>& m = system_->model;
  const bool implicit = w.implicit;
  for (int pass = 0;; ++pass) {
    apply_friction(friction, m, state.v.data(), T(h), tau.data(), w, friction_);
    w.implicit = true;  // what holds a joint is its d_ext, in explicit stages too
    solve_once();
    const bool more =
        correct_friction(friction, m, state.v.data(), T(h), pass, constraints, w, qdd.data(), friction_);
    w.implicit = implicit;
    if (!more) return;
  }
}

template <class T>
void Simulation<T>::solve_once() noexcept {
  ++dynamics_calls;
  forward_dynamics(system_->model, tau.data(), w, qdd.data());
  if constexpr (std::is_same_v<T, double>)
    if (rigid.on) return solve_touches();
  apply_constraints(system_->model, constraints, w, qdd.data());
}

template <class T>
void Simulation<T>::add_outside_forces(double h) noexcept {
  const World& world = system_->world;
  for (const Push& push : pushes) {
    const double share = overlap(push, step_start_, step_length_);
    if (share > 0) add_force(w, push.link, system_->model.com[push.link], Vec3<T>(push.force * share));
  }
  for (const Medium* medium : {&world.water, &world.wind}) {
    if (!medium->acts()) continue;
    if (medium->boxes)
      add_box_drag(system_->model, system_->boxes, *medium, T(h), w);
    else
      add_medium_forces(system_->model, system_->skin, *medium, T(h), w);
  }
}

// Keeps what does work, before the passive forces join it.
template <class T>
void Simulation<T>::note_active_forces() noexcept {
  active_tau_ = tau;
  if (w.implicit) active_d_ = w.d_ext;
  outside_ = w.f_ext;
  outside_power_ = outside_power();
}

template <class T>
void Simulation<T>::add_passive_forces(double h, bool first) noexcept {
  const Model<T>& m = system_->model;
  add_joint_forces(system_->joints, x.data(), state.v.data(), state.drive.rest.data(), T(h), w.implicit,
                   tau.data(), w.d_ext.data());
  if (!system_->tendons.empty())
    add_tendon_forces(system_->tendons, tendons_, T(h), w, tau.data(), constraints);
  add_attachment_forces(m, system_->attachments, state.broken, T(h), w);
  if (!rigid.on)
    add_contact_forces(m, system_->contacts, system_->world.terrain, state.contact, T(h), w,
                       first ? &ground_contacts : nullptr, first ? &state.contact : nullptr);
  if constexpr (lanes_of<T> == 1)
    if (system_->body_contacts.has_pairs())
      add_body_contact_forces(m, system_->body_contacts, state.body_contact, h, w, body_meetings_,
                              first ? &body_contacts : nullptr, first ? &state.body_contact : nullptr);
}

template <class T>
void Simulation<T>::probe() {
  substep_ = state;
  step_start_ = state.time;
  step_length_ = options.dt;
  rigid.by_impulses =
      rigid.on && (options.integrator == Integrator::euler || options.integrator == Integrator::implicit);
  evaluate(options.dt, true);
  rigid.by_impulses = false;
  state = substep_;
}

template <class T>
bool Simulation<T>::step() {
  if (options.dt != grid_dt_) {
    grid_dt_ = options.dt;
    grid_start_ = state.time;
    steps_ = 0;
  }
  if (!move(options.dt)) return false;
  ++steps_;
  state.time = grid_start_ + double(steps_) * options.dt;
  return true;
}

template <class T>
bool Simulation<T>::step(double h) {
  grid_dt_ = 0;
  return move(h);
}

template <class T>
bool Simulation<T>::move(double h) {
  if (!alive()) return false;
  if constexpr (std::is_same_v<T, double>)
    if (rigid.on) return move_rigid(h);
  if constexpr (lanes_of<T> == 1)
    if (!subscriptions_.empty()) return advance_with_events(h);
  advance(h);
  return alive();
}

namespace {

// Most sites of a contact state are empty before and after: only the others are copied.
void copy(const Contacts<double>& contacts, const ContactState<double>& from, ContactState<double>& to) {
  for (std::size_t g = 0; g < contacts.groups.size(); ++g) {
    if (from.free[g] && to.free[g]) continue;
    const SiteGroup<double>& group = contacts.groups[g];
    std::copy(from.sites.begin() + group.begin, from.sites.begin() + group.end,
              to.sites.begin() + group.begin);
  }
  to.grip = from.grip, to.off = from.off, to.free = from.free;
}

void copy(const Contacts<double>& contacts, const State<double>& from, State<double>& to) {
  to.time = from.time, to.q = from.q, to.v = from.v;
  to.drive = from.drive;
  copy(contacts, from.contact, to.contact);
  to.broken = from.broken, to.body_contact = from.body_contact;
  to.activation = from.activation;
  to.work = from.work, to.turnover = from.turnover, to.flows = from.flows;
}

}  // namespace

template <class T>
void Simulation<T>::advance(double h) {
  if constexpr (lanes_of<T> == 1)
    copy(system_->contacts, state, backup_);
  else
    backup_.q = state.q, backup_.v = state.v;  // all that a lane goes back to
  step_start_ = state.time;
  step_length_ = h;
  if (controller && !control_every_stage) call_controller();
  rests_moved_ = bool(controller);
  if (rests_moved_) old_rest_ = state.drive.rest, old_x_ = x;
  if (rigid.by_impulses) {
    advance_euler(h);
  } else {
    switch (options.integrator) {
      case Integrator::euler:
      case Integrator::implicit:
        advance_euler(h);
        break;
      case Integrator::rk4:
        advance_rk4(h);
        break;
      case Integrator::rkf45:
        advance_rkf45(h);
        break;
    }
  }
  if constexpr (std::is_same_v<T, double>)
    if (rigid.on && !alive()) {  // no instant: back to where the step began
      state = backup_;
      return refresh();
    }
  if (!state.activation.empty())
    follow_targets(system_->actuators, state.drive.target.data(), T(h), state.activation);
  refresh();
  break_attachments(system_->attachments, w, state.broken);
  if constexpr (std::is_same_v<T, double>)
    if (rigid.on) settle_touches();
  account(h);
  check();
}

template <class T>
Energy<T> Simulation<T>::energy() const noexcept {
  const Model<T>& m = system_->model;
  Energy<T> e;
  e.kinetic = kinetic_energy(m, state.v.data(), w);
  e.gravity = potential_energy(m, w);
  e.elastic = joint_energy(system_->joints, x.data(), state.drive.rest.data()) +
              attachment_energy(system_->attachments, state.broken, w);
  if (!system_->tendons.empty()) e.elastic += tendon_energy(system_->tendons, tendons_);
  if (!rigid.on) e.contact = contact_energy(m, system_->contacts, system_->world.terrain, state.contact, w);
  if constexpr (lanes_of<T> == 1)
    if (system_->body_contacts.has_pairs()) {
      BodyContactScratch scratch;
      e.contact += body_contact_energy(system_->body_contacts, state.body_contact, options.dt, w, scratch);
    }
  e.work = state.work;
  return e;
}

template <class T>
T Simulation<T>::outside_power() const noexcept {
  T sum(0);
  for (int b = 0; b < system_->model.nlink; ++b) sum += dot(w.vel[b], outside_[b]);
  return sum;
}

// Adds the work of a step: forces as at its start, velocities the mean of both ends.
template <class T>
void Simulation<T>::account(double h) noexcept {
  if (rigid.on) {
    const T done = state.flows[flow_motors] + state.flows[flow_outside];
    state.turnover += abs(done - state.work);
    state.work = done;
    return;
  }
  const int nv = system_->model.nv;
  T given(0);
  for (int i = 0; i < nv; ++i) {
    const T torque = w.implicit ? active_tau_[i] - active_d_[i] * qdd[i] : active_tau_[i];
    given += torque * (backup_.v[i] + state.v[i]);
  }
  given = T(0.5 * h) * (given + outside_power_ + outside_power());
  if (rests_moved_) {
    const auto energy_at = [&](const std::vector<T>& x, const std::vector<T>& rest) {
      return joint_energy(system_->joints, x.data(), rest.data());
    };
    given += T(0.5) * ((energy_at(x, state.drive.rest) - energy_at(x, old_rest_)) +
                       (energy_at(old_x_, state.drive.rest) - energy_at(old_x_, old_rest_)));
  }
  state.work += given;
  state.turnover += abs(given);
}

// What the creature turned over so far: the scale for energy from nowhere.
template <class T>
T Simulation<T>::energy_scale(const T& gravity) const noexcept {
  return origin.turnover + state.turnover + max(origin.start.gravity - gravity, T(0));
}

template <class T>
T Simulation<T>::gain() const noexcept {
  const Energy<T> e = energy();
  return (e.total() - e.contact - origin.start.total() - e.work) / energy_scale(e.gravity);
}

namespace {

template <class T>
bool holds(const Mask<T>& mask, int i) {
  return lane(select(mask, T(1), T(0)), i) > 0;
}

// The fastest degree of freedom, or the first that is not finite.
template <class T>
int culprit(const std::vector<T>& v, int i) {
  int worst = -1;
  double speed = -1;
  for (int k = 0; k < int(v.size()); ++k) {
    const double s = abs(lane(v[k], i));
    if (!(s <= 1e300)) return k;
    if (s > speed) worst = k, speed = s;
  }
  return worst;
}

template <class T>
void copy_lane(const std::vector<T>& from, std::vector<T>& to, int i) {
  for (std::size_t k = 0; k < from.size(); ++k) set_lane(to[k], i, lane(from[k], i));
}

}  // namespace

// Non-finite, too fast, or with energy from nowhere: the lane goes back to its last good state and stays
// there.
template <class T>
void Simulation<T>::check() noexcept {
  Mask<T> slow = T(0) <= T(0);
  for (const T& v : state.v) slow = slow & (abs(v) <= T(options.max_speed));
  lawful = slow;
  if (options.max_gain > 0) {
    // springs and ground hold energy that is not negative: without them the bound is simpler and still one
    const T kinetic = kinetic_energy(system_->model, state.v.data(), w);
    const T gravity = potential_energy(system_->model, w);
    lawful = slow & (kinetic + gravity - origin.start.total() - state.work <=
                     T(options.max_gain) * energy_scale(gravity));
  }
  if constexpr (!is_recorded<T>)  // whoever records decides what then
    if (!all(lawful)) go_back(slow);
}

template <class T>
void Simulation<T>::go_back(const Mask<T>& slow) noexcept {
  for (int i = 0; i < lanes_of<T>; ++i) {
    if (holds<T>(lawful, i)) continue;
    Failure& f = failures_[i];
    if (f.status == Status::ok) {
      f.status = Status::diverged;
      f.time = state.time;
      f.dof = culprit(state.v, i);
      const double speed = f.dof < 0 ? 0 : lane(state.v[f.dof], i);
      f.cause = !(speed - speed == 0) ? Cause::not_finite
                : holds<T>(slow, i)   ? Cause::energy
                                      : Cause::too_fast;
    }
    copy_lane(backup_.q, state.q, i);
    copy_lane(backup_.v, state.v, i);
  }
  if constexpr (lanes_of<T> == 1) state = backup_;
  refresh();
}

template <class T>
bool Simulation<T>::alive() const noexcept {
  return std::any_of(failures_.begin(), failures_.end(),
                     [](const Failure& f) { return f.status == Status::ok; });
}

#define LEGWORK_INSTANTIATE(T)                                                                \
  template Simulation<T>::Simulation(const System<T>&, const StepOptions&);                   \
  template void Simulation<T>::reset();                                                       \
  template void Simulation<T>::reset(const std::vector<double>&, const std::vector<double>&); \
  template void Simulation<T>::restart();                                                     \
  template void Simulation<T>::refresh() noexcept;                                            \
  template void Simulation<T>::stop(Status) noexcept;                                         \
  template void Simulation<T>::evaluate(double, bool);                                        \
  template void Simulation<T>::probe();                                                       \
  template bool Simulation<T>::step();                                                        \
  template bool Simulation<T>::step(double);                                                  \
  template bool Simulation<T>::move(double);                                                  \
  template void Simulation<T>::advance(double);                                               \
  template bool Simulation<T>::alive() const noexcept;                                        \
  template Energy<T> Simulation<T>::energy() const noexcept;                                  \
  template T Simulation<T>::gain() const noexcept;
LEGWORK_INSTANTIATE(double)
LEGWORK_INSTANTIATE(Batch)
LEGWORK_INSTANTIATE(Trace)
#undef LEGWORK_INSTANTIATE

}  // namespace legwork
