#include "walk/balanced_walk.h"

#include <algorithm>
#include <cmath>

#include <legwork/options.h>
#include "base/meter.h"
#include "base/text.h"
#include "control/driven_body.h"
#include "control/fallen.h"
#include "control/route.h"
#include "ground/terrain.h"
#include "math/real.h"
#include "motion/watch.h"
#include "walk/leg_kinematics.h"

namespace legwork {

namespace {

constexpr double frames_of_a_step = 20;  // recorded, at least
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
  return std::clamp((1.1 - 1.2 * most) * (1 - broken), slowest_climb, 1.0);
}

Schedule chosen_schedule(const LeggedBody& body, const WalkOptions& options, const Terrain& terrain) {
  const std::vector<char> all(body.legs.size(), 1);
  Schedule s = choose_schedule(body, options.speed, options.step_time, all);
  if (options.speed > 0) return s;
  // steep ground is walked more slowly
  s.speed = options.stride > 0 ? options.stride / s.stance() : s.speed * slowed(body, terrain);
  return s;
}

// Throws Error for a joint whose motor is too weak to hold the body up as it stands.
void check_torques(const LeggedBody& body) {
  const System<double>& system = *body.system;
  Workspace<double> w(system.model);
  const std::vector<double> still(size_t(system.model.nv), 0);
  update_positions(system.model, body.q.data(), w);
  update_velocities(system.model, body.q.data(), still.data(), w);
  WholeBody whole(body);
  std::vector<FootTask> feet(body.legs.size());
  for (FootTask& foot : feet) foot.bears = true;
  BodyTask task;
  task.posture = still;
  task.friction = system.contacts.options.friction;
  whole.solve(Terrain{}, feet, task, body.x, still, w);
  const std::vector<const Dof*> dofs = system.world.body.dofs();
  for (size_t d = 0; d < still.size(); ++d)
    if (std::fabs(whole.tau[d]) >= body.most_torque[d])
      throw Error(
          system.world.body.where, "'" + dofs[d]->name + "'",
          "is too weak to hold the body up: it gives at most " + brief(body.most_torque[d]) + " N m or N",
          "give its actuator more strength");
}

std::string cause_of(const LeggedController& control) {
  const ControlState& s = control.state;
  if (s.weak > 0.3) return "; its joints' motors were at the end of their strength";
  if (s.short_of > 0.3) return "; its legs were too short for the steps that would have caught it";
  if (s.slipping > 0.3) return "; its feet slipped";
  return "";
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
  const auto moves_freely = [&](const Leg& leg) { return leg_dofs(body, leg).size() >= 3; };
  return asked == known_to_mckenna.end() && !has_programs(body) &&
         std::all_of(body.legs.begin(), body.legs.end(), moves_freely);
}

void check_balanced_walk(const World& given) {
  const System<double> system = make_system(prepared(given, {}));
  check_torques(make_legged_body(system, given.body.actuators));
}

WalkOutcome perform_balanced_walk(const World& given, const WalkOptions& options, const Run& run,
                                  const std::vector<Vec2>& places) {
  WalkOutcome result;
  result.moved_by = MovedBy::balance;
  result.length = trunk_length(given.body);
  result.mass = given.body.mass();
  const World world = prepared(given, options);
  const System<double> system = make_system(world);
  const LeggedBody body = make_legged_body(system, given.body.actuators);
  check_torques(body);

  StepOptions step = choose_step(system, world.integrator, world.dt, 0);
  if (world.dt <= 0 && world.body.dt <= 0) step.dt = std::min(step.dt, suited_step(body));
  check_step(system, step);
  result.step = step;
  LeggedController control(body);
  control.schedule = chosen_schedule(body, options, world.terrain);
  const Schedule& schedule = control.schedule;
  result.pace.step = result.pace.delay = schedule.swing;
  result.pace.slowness = schedule.cycle() / (2 * schedule.swing);
  result.geometry.hip_height = body.height;
  result.geometry.stride = schedule.speed * schedule.stance();
  result.geometry.lift = options.lift > 0 ? options.lift : usual_lift * body.height;
  result.crouch = body.crouch;
  result.asked_speed = schedule.speed;

  const std::vector<TimedCommand> commands = parse_commands(options, 1);
  const std::vector<Loss> losses = parse_losses(options.lose, world.body);
  const double rate = std::max(world.rate, frames_of_a_step / schedule.swing), period = 1 / rate;
  const long steps = std::max(1L, long(std::ceil(period / step.dt - 1e-9)));
  const long frames = long(std::floor(options.seconds * rate + 1e-9));
  step.dt = period / double(steps);

  Simulation<double> sim(system, step);
  const std::vector<double> q = lay_on(body, world.terrain, {}, 0);
  sim.reset(q);
  sim.pushes = world.pushes;
  control.start(0, q, 0, world.terrain);
  DrivenBody driven(body, control, sim);
  Route route(places, there * body.height);

  WalkLog log;
  log.mass = body.mass, log.cycle = schedule.cycle();
  log.after = 4 / body.rate + 2 * schedule.cycle();
  Meter meter(run, "walking", long(options.seconds * 1000));
  const Watch watch = watch_for(meter);
  Motion& motion = result.motion;
  motion = begin_motion(system);
  record(sim, motion), record_control(control, driven, log, motion);
  sim.interrupt = [&] { return watch && !watch(sim); };
  size_t next_loss = 0;
  bool fell = false;
  const auto walk_a_frame = [&] {
    for (long n = 0; n < steps; ++n) {
      const double now = sim.state.time + 0.5 * step.dt;
      const WalkCommand asked = command_at(commands, now);
      LegCommand command;
      command.speed = (asked.speed > 0 ? asked.speed : schedule.speed / asked.slowness) * asked.stroke;
      command.turn = asked.turn;
      command.lift = options.lift;
      const Vec3d com = center_of_mass(system.model, sim.w);
      if (!route.empty()) route.lead({com.x, com.y}, control.state.yaw, body.rate, command);
      for (; next_loss < losses.size() && losses[next_loss].time <= now; ++next_loss) {
        control.lose(losses[next_loss].leg);
        for (const int s : body.legs[size_t(losses[next_loss].leg)].all_sites)
          sim.state.contact.off[size_t(s)] = 1;
      }
      driven.before_step(command);
      if (!sim.step()) return false;
      log.see(sim, body, control.state.yaw, step.dt);
      if (watch && !watch(sim)) {
        sim.stop();
        return false;
      }
    }
    return true;
  };
  for (long f = 1; f <= frames && !fell; ++f) {
    if (!walk_a_frame()) break;
    sim.state.time = double(f) / rate;
    record(sim, motion), record_control(control, driven, log, motion);
    fell = has_fallen(body, world.terrain, sim.w);
  }
  sim.interrupt = nullptr;
  end_motion(sim, motion);
  if (fell && motion.status == Status::ok) {
    motion.status = Status::fell;
    motion.status_time = sim.state.time;
    motion.status_text = "fell at " + brief(sim.state.time) + " s" + cause_of(control);
  }
  stop_if_asked(run);
  result.distance = log.distance;
  result.speed = log.measured_time > 0 ? log.measured_distance / log.measured_time : 0;
  result.heading_error = log.heading_error;
  result.yaw_wobble = log.wobbles > 0 ? log.wobble_sum / log.wobbles : 0;
  result.dynamics_calls = sim.dynamics_calls;
  return result;
}

}  // namespace legwork
