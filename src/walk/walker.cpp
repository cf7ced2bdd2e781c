#include "walk/walker.h"

#include <algorithm>
#include <cmath>

#include "math/real.h"

namespace legwork {

namespace {

constexpr int steps_between_questions = 256;  // whether to go on, while the body settles
constexpr double most_steer = 1.5;
constexpr double fastest = 1, slowest = 8;  // slowness that a wanted speed may lead to
constexpr double top_speed = 0.43;          // largest speed of a foot in stance, over sqrt(gravity * height)
constexpr double least_steer = 0.6;         // share of the steering that is there from the start
constexpr double ramp_cycles = 3;           // cycles in which the stroke grows to its full length
constexpr double ramp_steps = 8;            // the same in steps, where they are spread over long cycles

}  // namespace

Walker::Walker(const System<double>& system, const WalkBody& body, const WalkSettings& settings)
    : settings(settings), places(body.places), body_(&body), w_(system.model) {
  const size_t n = body.legs.size();
  events.assign(n, LegEvent::none);
  feelings_.assign(n, {});
  leg_of_site_.assign(system.contacts.sites.size(), -1);
  for (size_t i = 0; i < n; ++i)
    for (const int site : body.legs[i].all_sites) leg_of_site_[size_t(site)] = int(i);
  command.slowness = settings.pace.slowness;
  spread_steps();
  state.gait = start_gait(places, this->settings.pace, settings.first_right);
  state.motors = MotorBoard(system.model.nv);
  state.load.assign(n, 0);
  state.lifted_higher.assign(n, 0);
  state.begun_steer.assign(n, 0);
  state.landed.assign(n, 1);
  state.aimed.assign(n, 0);
  state.part.assign(n, 0);
  state.offset.assign(n, {});
  state.moved.assign(size_t(system.model.nv), 0);
  state.added = x_ = v_ = tau_ = state.moved;
  q_.assign(size_t(system.model.nq), 0);
  share_ = state.part;
  programmed_ = found_ = state.offset;
  moves_.assign(size_t(system.model.nv), {});
  for (const WalkLeg& leg : body.legs) height_ -= leg.home.z / double(n);
  state.lost.assign(n, 0);
  state.was_stuck.assign(system.contacts.sites.size(), 0);
  state.slowness = settings.pace.slowness;
  root_ = system.world.body.legs.empty() ? 0 : system.world.body.legs[0].hip;
  while (system.model.parent[size_t(root_)] >= 0) root_ = system.model.parent[size_t(root_)];
  weight_ = total_mass(system.model) * norm(system.model.gravity);
}

// The delay between neighbours that spreads the steps of a few legs evenly over the cycle.
void Walker::spread_steps() {
  if (body_->spread) settings.pace.delay = settings.pace.cycle() / double((places.size() + 1) / 2 * 2);
}

void Walker::settle(Simulation<double>& sim, double seconds) {
  const double begin = sim.state.time, dt = sim.options.dt;
  start(sim);
  for (const WalkLeg& leg : body_->legs) {
    for (size_t k = 0; k < leg.dofs.size(); ++k)
      state.motors.move(leg.dofs[k],
                        settings.feedback.coupling > 0 ? 0.5 * (leg.down[k] + leg.up[k]) : leg.up[k],
                        0.5 * seconds, begin);
    for (const int site : leg.sites) sim.state.contact.grip[size_t(site)] = settings.grips ? 1 : 0;
  }
  for (long n = 1; sim.state.time < begin + seconds - 0.5 * dt; ++n) {
    if (n % steps_between_questions == 0 && sim.interrupt && sim.interrupt()) return;
    before_ = sim.state.drive;
    add(sim, -1);
    feel(sim);
    move_rests(sim, sim.state.time, dt);
    hand_over(sim);
    if (!sim.step()) return;
  }
}

void Walker::start(const Simulation<double>& sim) {
  const Mat3d& R = sim.w.R[size_t(root_)];
  state.yaw = state.mean_yaw = state.heading = atan2(R(1, 0), R(0, 0));
  state.adapted = -1;
}

void Walker::begin(int i, bool stepping, double now) {
  const WalkLeg& leg = body_->legs[size_t(i)];
  state.lifted_higher[size_t(i)] = 0;
  state.begun_steer[size_t(i)] = state.steer;
  if (stepping) state.landed[size_t(i)] = 0;
  state.motors.run(stepping ? leg.step : leg.stance, state.gait.length[size_t(i)], now,
                   [&](const Stroke& s) { return aim(s); });
}

// Moves the rest position of a joint's spring, and with it where its motor programs go.
void Walker::nudge(Simulation<double>& sim, int dof, double more) {
  const size_t d = size_t(dof);
  if (state.motors.active(dof)) state.motors.under_way[d].target += more;
  for (MotorMove& m : state.motors.planned)
    if (m.dof == dof) m.target += more;
  sim.state.drive.rest[d] += more;
}

void Walker::follow_heading(const Simulation<double>& sim, double dt) {
  const Mat3d& R = sim.w.R[size_t(root_)];
  const double cycle = settings.pace.cycle();
  double turned = atan2(R(1, 0), R(0, 0)) - state.yaw;
  turned -= 2 * pi * std::round(turned / (2 * pi));
  state.yaw += turned;
  state.heading += command.turn * dt;
  state.mean_yaw += std::min(dt / cycle, 1.0) * (state.yaw - state.mean_yaw);
  const double wanted = settings.feedback.heading * (state.heading - state.yaw + cycle * command.turn);
  state.steer = std::clamp(wanted, -most_steer, most_steer);
}

void Walker::steer(Simulation<double>& sim, double dt) {
  // a stance under way turns as fast as is asked for now, not when it began
  for (size_t i = 0; i < body_->legs.size(); ++i) {
    if (state.gait.mode[i] == LegMode::step || state.lost[i]) continue;
    const double share =
        std::max(state.ramp, least_steer) * (state.steer - state.begun_steer[i]) * dt / state.gait.length[i];
    for (const Stroke& s : body_->legs[i].stance)
      if (s.end == 1) nudge(sim, s.dof, 2 * share * s.turn);
  }
}

void Walker::feel(const Simulation<double>& sim) {
  const Reflexes& r = settings.reflexes;
  std::fill(state.load.begin(), state.load.end(), 0.0);
  for (const int site : sim.ground_contacts.near)
    if (const int leg = leg_of_site_[size_t(site)]; leg >= 0)
      state.load[size_t(leg)] +=
          dot(sim.ground_contacts[size_t(site)].normal, sim.ground_contacts[size_t(site)].force);
  for (size_t i = 0; i < feelings_.size(); ++i) {
    const WalkLeg& leg = body_->legs[i];
    feelings_[i] = {};
    if (r.step && leg.swing_dof >= 0)
      feelings_[i].bent_back = leg.back * sim.x[size_t(leg.swing_dof)] > r.limits.back[i];
    if (r.load && leg.load_dof >= 0)
      feelings_[i].loaded = std::fabs(sim.tau[size_t(leg.load_dof)]) > r.limits.load[i];
  }
}

double Walker::aim(const Stroke& s) const {
  return s.still + state.ramp * state.stroke * s.forward +
         std::max(state.ramp, least_steer) * state.steer * s.turn;
}

// Slower or faster steps until the wanted speed is reached; where that is not enough, smaller or larger ones.
void Walker::keep_speed(const Simulation<double>& sim, double dt) {
  const double cycle = settings.pace.cycle();
  double sine, cosine;
  sin_cos(state.mean_yaw, sine, cosine);
  const Vec3d v = sim.w.vel[size_t(root_)].lin;
  state.mean_speed += std::min(dt / (2 * cycle), 1.0) * (v.x * cosine + v.y * sine - state.mean_speed);
  if (command.speed <= 0) {
    state.slowness = command.slowness, state.stroke = command.stroke;
    // feet that go back faster throw the body up
    const double fastest_foot = top_speed * std::sqrt(weight_ / total_mass(sim.system().model) * height_);
    if (settings.feedback.weight > 0 && body_->stride > 0)
      state.stroke *= std::min(1.0, fastest_foot * settings.pace.stance() / body_->stride);
    return;
  }
  const double excess = std::clamp(state.mean_speed / command.speed - 1, -1.0, 1.0);
  const double change = 0.3 * excess * dt / cycle;
  const double slowness = std::clamp(state.slowness * (1 + change), fastest, slowest);
  const double stroke = slowness == state.slowness ? state.stroke * (1 - change)
                                                   : state.stroke + 0.3 * dt / cycle * (1 - state.stroke);
  state.slowness = slowness;
  state.stroke = std::clamp(stroke, 0.1, 1.2);
}

void Walker::count_breaks(const Simulation<double>& sim) {
  if (!settings.grips) return;
  for (const WalkLeg& leg : body_->legs)
    for (const int site : leg.sites) {
      const bool stuck = sim.ground_contacts[size_t(site)].stuck > 0;
      state.breaks += state.was_stuck[size_t(site)] && !stuck && sim.state.contact.grip[size_t(site)] > 0;
      state.was_stuck[size_t(site)] = stuck;
    }
}

// Feet that carry something in stance are held where they are.
void Walker::hold_feet(Simulation<double>& sim) {
  std::vector<Loop>& holds = sim.held;
  const auto held = [&](size_t leg) {
    return std::find(state.held.begin(), state.held.end(), int(leg)) != state.held.end();
  };
  // let go: stepping, lost, or pulled too hard
  sim.hold_force = settings.hold_force;
  size_t kept = 0;
  for (size_t k = 0; k < holds.size(); ++k) {
    const size_t leg = size_t(state.held[k]);
    const bool broke = k < sim.let_go.size() && sim.let_go[k];
    state.breaks += broke;
    if (broke || state.gait.mode[leg] == LegMode::step || state.lost[leg]) continue;
    holds[kept] = holds[k], state.held[kept] = state.held[k];
    ++kept;
  }
  holds.resize(kept), state.held.resize(kept);
  sim.let_go.assign(kept, 0);
  for (size_t i = 0; i < body_->legs.size(); ++i) {
    if (state.gait.mode[i] == LegMode::step || state.lost[i] || held(i)) continue;
    int deepest = -1;
    for (const int site : body_->legs[i].sites) {
      const SiteRecord<double>& r = sim.ground_contacts[size_t(site)];
      if (r.touching > 0 && (deepest < 0 || r.depth > sim.ground_contacts[size_t(deepest)].depth))
        deepest = site;
    }
    if (deepest < 0) continue;
    const ContactSite<double>& s = sim.system().contacts.sites[size_t(deepest)];
    Loop hold;
    hold.link = s.link;
    hold.pos = s.pos;
    hold.other_pos = point_position(sim.w, s.link, s.pos);
    holds.push_back(hold);
    state.held.push_back(int(i));
  }
}

// Springs' rests for the coming step: programs and what is added to them.
void Walker::move_rests(Simulation<double>& sim, double now, double dt) {
  step_motors(state.motors, now, dt, sim.state.drive);
  adapt(sim);
  add(sim, 1);
}

// The simulation takes the drive at the beginning of its step.
void Walker::hand_over(Simulation<double>& sim) {
  std::swap(planned_, sim.state.drive);
  std::swap(sim.state.drive, before_);
  if (!sim.controller)
    sim.controller = [this](const Simulation<double>&, Drive<double>& drive) { drive = planned_; };
}

void Walker::step(Simulation<double>& sim) {
  const double now = sim.state.time, dt = sim.options.dt;
  if (settings.feedback.coupling > 0)
    state.ramp = std::min(1.0, (now + dt) / (body_->spread ? ramp_steps * settings.pace.step
                                                           : ramp_cycles * settings.pace.cycle()));
  before_ = sim.state.drive;
  add(sim, -1);
  keep_speed(sim, dt);
  settings.pace.slowness = state.slowness;
  spread_steps();
  count_breaks(sim);
  follow_heading(sim, dt);
  steer(sim, dt);
  feel(sim);
  const GaitRules rules{settings.reflexes.neighbour, settings.feedback.coupling / settings.pace.cycle(),
                        settings.feedback.coupling > 0 ? settings.pace.step : 0};
  step_gait(places, settings.pace, rules, feelings_, dt, state.gait, events);
  for (size_t i = 0; i < events.size(); ++i) {
    if (events[i] == LegEvent::none || state.lost[i]) continue;
    const bool stepping = events[i] == LegEvent::step;
    begin(int(i), stepping, now);
    if (settings.grips)
      for (const int site : body_->legs[i].sites) sim.state.contact.grip[size_t(site)] = stepping ? 0 : 1;
  }
  move_rests(sim, now, dt);
  hand_over(sim);
  if (settings.hold_force > 0) hold_feet(sim);
}

void Walker::lose(int leg, Simulation<double>& sim) {
  const WalkLeg& w = body_->legs[size_t(leg)];
  state.lost[size_t(leg)] = 1;
  places[size_t(leg)].there = false;
  rank_legs(places);
  for (const int site : w.all_sites) {
    sim.state.contact.off[size_t(site)] = 1;
    sim.state.contact.sites[size_t(site)] = {};
  }
  // held up where its step first lifts it
  for (const Stroke& s : w.step)
    if (s.start == 0) {
      state.motors.forget(s.dof);
      state.motors.move(s.dof, s.still, settings.pace.step, sim.state.time);
    }
}

}  // namespace legwork
