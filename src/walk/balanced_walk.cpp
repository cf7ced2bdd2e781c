#include "walk/balanced_walk.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <legwork/options.h>
#include "base/meter.h"
#include "base/text.h"
#include "control/driven_body.h"
#include "control/fallen.h"
#include "control/route.h"
#include "creature/place.h"
#include "creature/strength.h"
#include "creature/tree.h"
#include "ground/terrain.h"
#include "math/real.h"
#include "motion/watch.h"
#include "walk/leg_kinematics.h"
#include "walk/walk_checks.h"

namespace legwork {

namespace {

constexpr double slowest_of_all = 0.17;  // sqrt(g h): not below this where it could go faster
constexpr double slowest_climb = 0.55;   // share of the usual speed
constexpr double there = 0.5;            // h: how near to a place counts as having reached it

// What was asked for, step by step, and what became of it.
struct WalkLog {
  double mass = 1, cycle = 1, after = 0;  // kg, s, s: speed and wobble are measured from then on
  double distance = 0, measured_distance = 0, measured_time = 0, heading_error = 0, wobble_sum = 0;
  int wobbles = 0;
  double yaw = 0, mean_yaw = 0, mean_speed = 0;  // rad, rad, m/s: unwrapped; over about a cycle
  double since = 0, yaw_sum = 0, wanted_sum = 0, least = unlimited, most = -unlimited;
  int steps = 0;

  void see(const Simulation<double>& sim, const LeggedBody& body, double heading, double dt) {
    const Mat3d turned = sim.w.R[size_t(body.root)] * transpose(body.upright);
    yaw += std::remainder(atan2(turned(1, 0), turned(0, 0)) - yaw, 2 * pi);
    const double part = std::min(dt / cycle, 1.0);
    mean_yaw += (yaw - mean_yaw) * part;
    double s, c;
    sin_cos(heading, s, c);
    const Vec3d p = linear_momentum(body.system->model, sim.w);
    const double v = (p.x * c + p.y * s) / mass;
    mean_speed += (v - mean_speed) * 0.5 * part;
    distance += v * dt;
    if (sim.state.time > after) measured_distance += v * dt, measured_time += dt;
    since += dt, ++steps, yaw_sum += yaw, wanted_sum += heading;
    least = std::min(least, yaw), most = std::max(most, yaw);
    if (since < cycle - 0.5 * dt) return;
    heading_error = std::max(heading_error, std::fabs(yaw_sum - wanted_sum) / steps);
    if (sim.state.time > after) wobble_sum += 0.5 * (most - least), ++wobbles;
    since = yaw_sum = wanted_sum = 0, steps = 0;
    least = unlimited, most = -unlimited;
  }
};

void record_control(const LeggedController& control, const DrivenBody& driven, const WalkLog& log,
                    Motion& motion) {
  std::vector<double> stepping, phases;
  for (size_t i = 0; i < control.state.legs.size(); ++i) {
    stepping.push_back(control.state.legs[i].stands ? 0 : 1);
    phases.push_back(control.schedule.phase(i, control.state.clock));
  }
  const ControlState& s = control.state;
  append_channel(motion, "stepping", "1", stepping);
  append_channel(motion, "pacemakers", "cycles", phases);
  append_channel(motion, "heading", "rad", {log.mean_yaw, s.yaw});
  append_channel(motion, "mean speed", "m/s", {log.mean_speed});
  append_channel(motion, "leg loads", "N", driven.load());
  append_channel(motion, "divergent component", "m", {s.xi.x, s.xi.y, s.xi_ref.x, s.xi_ref.y});
  append_channel(motion, "centre of pressure", "m", {s.p.x, s.p.y, s.p_ref.x, s.p_ref.y});
}

// The world that the body walks in: motors are the controller's, so that none acts twice.
World prepared(const World& given, const WalkOptions& options) {
  World world = given;
  check_legs(world.body);
  add_payload(world.body, options.payload);
  world.body.actuators.clear();
  return world;
}

// How much slower than on level ground a body walks ahead from where it starts: by how steep the ground is,
// and by how high its steps are.
double slowed(const LeggedBody& body, const Terrain& terrain) {
  constexpr int samples = 32;
  const double far = 4 * body.height, from = sample(terrain, 0, 0).height;
  const double slope = (sample(terrain, far, 0).height - from) / far;
  double most = 0, broken = 0;
  for (int k = 1; k <= samples; ++k) {
    const double x = far * k / samples, rise = sample(terrain, x, 0).height - from;
    most = std::max(most, std::fabs(rise) / far);
    broken = std::max(broken, std::fabs(rise - slope * x) / body.height);
  }
  return std::clamp((1.1 - 1.2 * most) * (1 - 0.5 * broken), slowest_climb, 1.0);
}

Schedule chosen_schedule(const LeggedBody& body, const WalkOptions& options, const Terrain& terrain) {
  const std::vector<char> all(body.legs.size(), 1);
  Schedule s = choose_schedule(body, options.speed, options.step_time, all);
  if (options.speed > 0) return s;
  // steep ground is walked more slowly
  const double least = std::min(s.speed, slowest_of_all * std::sqrt(body.gravity * body.height));
  s.speed =
      options.stride > 0 ? options.stride / s.stance() : std::max(s.speed * slowed(body, terrain), least);
  return s;
}

std::string cause_of(const LeggedController& control) {
  const ControlState& s = control.state;
  if (s.weak > 0.3) return "; its joints' motors were at the end of their strength";
  if (s.short_of > 0.3) return "; its legs were too short for the steps that would have caught it";
  if (s.slipping > 0.3) return "; its feet slipped";
  return "";
}

// One walk under way.
struct BalancedWalk {
  BalancedWalk(const LeggedBody& b, const Schedule& schedule, const StepOptions& step,
               const WalkOptions& options, const std::vector<Vec2>& places)
      : body(b),
        control(b),
        sim(*b.system, step),
        commands(parse_commands(options, 1)),
        losses(parse_losses(options.lose, b.system->world.body)),
        route(places, there * b.height),
        lift(options.lift) {
    const World& world = b.system->world;
    control.schedule = schedule;
    const std::vector<double> q = lay_on(b, world.terrain, {}, 0);
    sim.reset(q);
    sim.pushes = world.pushes;
    control.start(0, q, 0, world.terrain);
    driven.emplace(b, control, sim);
    log.mass = b.mass, log.cycle = schedule.cycle();
    log.after = 4 / b.rate + 2 * schedule.cycle();
  }

  LegCommand command_now(double now) {
    const WalkCommand asked = command_at(commands, now);
    LegCommand command;
    command.speed = (asked.speed > 0 ? asked.speed : control.schedule.speed / asked.slowness) * asked.stroke;
    command.turn = asked.turn;
    command.lift = lift;
    const Vec3d com = center_of_mass(body.system->model, sim.w);
    if (!route.empty()) route.lead({com.x, com.y}, control.state.yaw, body.rate, command);
    return command;
  }

  // Up to the next frame; false when the walk ends there.
  bool walk_a_frame(long steps, const Watch& watch) {
    for (long n = 0; n < steps; ++n) {
      const double now = sim.state.time + 0.5 * sim.options.dt;
      for (; next_loss < losses.size() && losses[next_loss].time <= now; ++next_loss) {
        const int leg = losses[next_loss].leg;
        control.lose(leg);
        for (const int s : body.legs[size_t(leg)].all_sites) sim.state.contact.off[size_t(s)] = 1;
      }
      driven->before_step(command_now(now));
      if (!sim.step()) return false;
      log.see(sim, body, control.state.yaw, sim.options.dt);
      if (watch && !watch(sim)) {
        sim.stop();
        return false;
      }
    }
    return true;
  }

  const LeggedBody& body;
  LeggedController control;
  Simulation<double> sim;
  std::vector<TimedCommand> commands;
  std::vector<Loss> losses;
  Route route;
  double lift;  // m
  std::optional<DrivenBody> driven;
  WalkLog log;
  size_t next_loss = 0;
};

void tell_plan(const LeggedBody& body, const Schedule& schedule, double lift, WalkOutcome& result) {
  result.pace.step = result.pace.delay = schedule.swing;
  result.pace.slowness = schedule.cycle() / (2 * schedule.swing);
  result.geometry.hip_height = body.height;
  result.geometry.stride = schedule.speed * schedule.stance();
  result.geometry.lift = lift > 0 ? lift : usual_lift(body);
  result.crouch = body.crouch;
  result.asked_speed = schedule.speed;
}

void tell_log(const WalkLog& log, WalkOutcome& result) {
  result.distance = log.distance;
  result.speed = log.measured_time > 0 ? log.measured_distance / log.measured_time : 0;
  result.heading_error = log.heading_error;
  result.yaw_wobble = log.wobbles > 0 ? log.wobble_sum / log.wobbles : 0;
}

}  // namespace

bool walks_by_balance(const WalkOptions& o, const Creature& body) {
  const std::vector<std::pair<bool, const char*>> known_to_mckenna{
      {o.open_loop, "open_loop"},
      {o.slowness > 0, "slowness"},
      {o.reflexes != "auto", "reflexes"},
      {o.feet != WalkOptions::Feet::slide, "feet"},
      {o.tune != WalkOptions::Tune::none, "tune"},
      {!o.tuned.empty(), "tuned"}};
  const auto asked = std::find_if(known_to_mckenna.begin(), known_to_mckenna.end(),
                                  [](const auto& option) { return option.first; });
  if (o.control == WalkOptions::Control::mckenna) return false;
  if (o.control == WalkOptions::Control::balance) {
    if (asked != known_to_mckenna.end())
      throw Error({}, std::string("walk: ") + asked->second,
                  "belongs to McKenna's control, and balance was asked for",
                  "leave it out, or ask for control = mckenna");
    return true;
  }
  const auto moves_freely = [&](const Leg& leg) {
    const bool flat = roaming(body, root_of(body, leg.hip)) == Roaming::in_its_plane;
    return leg_dofs(body, leg).size() >= (flat ? 2 : 3);
  };
  return asked == known_to_mckenna.end() && !has_programs(body) &&
         std::all_of(body.legs.begin(), body.legs.end(), moves_freely);
}

void check_balanced_walk(const World& given) {
  check_way(given.body, {}, {});
  const System<double> system = make_system(prepared(given, {}));
  const LeggedBody body = make_legged_body(system, dof_strengths(given.body));
  check_able(body, chosen_schedule(body, {}, given.terrain));
}

WalkOutcome perform_balanced_walk(const World& given, const WalkOptions& options, const Run& run,
                                  const std::vector<Vec2>& places) {
  WalkOutcome result;
  result.moved_by = MovedBy::balance;
  result.length = trunk_length(given.body);
  result.mass = given.body.mass();
  const World world = prepared(given, options);
  check_way(world.body, options, places);
  System<double> system = make_system(world);
  const LeggedBody body = make_legged_body(system, dof_strengths(given.body));
  damp_motors(body, system);
  StepOptions step = choose_step(system, world.integrator, world.dt, 0);
  if (world.dt <= 0 && world.body.dt <= 0) step.dt = std::min(step.dt, suited_step(body));
  check_step(system, step);
  result.step = step;
  const Schedule schedule = chosen_schedule(body, options, world.terrain);
  check_able(body, schedule);
  tell_plan(body, schedule, options.lift, result);

  const double rate = std::max(world.rate, frames_of_a_step / schedule.swing), period = 1 / rate;
  const long steps = std::max(1L, long(std::ceil(period / step.dt - 1e-9)));
  const long frames = long(std::floor(options.seconds * rate + 1e-9));
  step.dt = period / double(steps);
  BalancedWalk walk(body, schedule, step, options, places);
  Simulation<double>& sim = walk.sim;
  Meter meter(run, "walking", long(options.seconds * 1000));
  const Watch watch = watch_for(meter);
  Motion& motion = result.motion;
  motion = begin_motion(system);
  const long kept = kept_frame(frames, rate, world.rate);
  const auto note = [&](long frame) {
    if (frame % kept != 0) return sim.probe();
    record(sim, motion), record_control(walk.control, *walk.driven, walk.log, motion);
  };
  note(0);
  sim.interrupt = [&] { return watch && !watch(sim); };
  bool fell = false;
  for (long f = 1; f <= frames && !fell; ++f) {
    if (!walk.walk_a_frame(steps, watch)) break;
    sim.state.time = double(f) / rate;
    note(f);
    fell = has_fallen(body, world.terrain, sim.w);
  }
  sim.interrupt = nullptr;
  end_motion(sim, motion);
  if (fell && motion.status == Status::ok) {
    motion.status = Status::fell;
    motion.status_time = sim.state.time;
    motion.status_text = "fell at " + brief(sim.state.time) + " s" + cause_of(walk.control);
  }
  stop_unless_kept(run);
  tell_log(walk.log, result);
  result.dynamics_calls = sim.dynamics_calls;
  return result;
}

}  // namespace legwork
