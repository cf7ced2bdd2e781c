#include "walk/walk.h"

#include <algorithm>
#include <cmath>

#include <legwork/options.h>
#include "base/meter.h"
#include "base/text.h"
#include "creature/likely_legs.h"
#include "creature/place.h"
#include "creature/tree.h"
#include "math/real.h"
#include "motion/fallen.h"
#include "motion/watch.h"
#include "walk/balanced_walk.h"
#include "walk/reflex.h"
#include "walk/strokes.h"
#include "walk/tuning.h"

namespace legwork {

namespace {

constexpr double settle_steps = 8;       // s in step times that a body gets to stand before it walks
constexpr long most_frames = 20'000;     // of a walk that is recorded finer than asked for
constexpr double sticky_friction = 0.2;  // friction of everything that does not stick
constexpr int calibration_cycles = 6;
constexpr double crawling = 0.3;  // share of its height to which a crawler may sink between bumps

// A world whose contact suits walking on such feet.
World with_feet(World world, Feet feet) {
  world.contact = walking_ground(world);
  if (feet == Feet::stick) {
    world.contact.type = ContactType::sticky;
    if (!friction_given(world)) world.contact.friction = std::min(world.contact.friction, sticky_friction);
  }
  return world;
}

double gravity_of(const World& world) { return std::max(norm(world.gravity), 0.1); }

// One walk: a body with its programs in a world.
class Walk {
 public:
  // run: asked within long steps while the body settles whether to stop
  Walk(const World& world, const WalkBody& body, const WalkSettings& settings, const StepOptions& step,
       const Run& run)
      : body_(body),
        settings_(settings),
        system_(make_system(world)),
        sim_(system_, step),
        walker_(system_, body_, settings) {
    SimOptions start;
    start.height = 0;
    const Start s = start_of(system_, start);
    sim_.reset(s.q, s.v);
    sim_.interrupt = run.stop;
    walker_.settle(sim_, settle_steps * settings.pace.step);
    calls_ = sim_.dynamics_calls;
    // the clock starts where the body stands
    const Drive<double> drive = sim_.state.drive;
    const ContactState<double> contact = sim_.state.contact;
    const std::vector<double> q = sim_.state.q;
    if (sim_.status() != Status::ok) return;
    sim_.reset(q);
    sim_.state.drive = drive;
    std::fill(sim_.state.drive.rest_rate.begin(), sim_.state.drive.rest_rate.end(), 0.0);
    sim_.state.contact = contact;
    walker_.start(sim_);
  }

  Simulation<double>& sim() { return sim_; }
  Walker& walker() { return walker_; }
  const System<double>& system() const { return system_; }
  // Whether the body is still upright once it has settled.
  bool stands() const {
    return !has_fallen({body_.trunk, body_.upright, 0}, system_.model, system_.world.terrain, sim_.w);
  }

 private:
  WalkBody body_;
  WalkSettings settings_;
  const System<double> system_;
  Simulation<double> sim_;
  Walker walker_;
  long calls_ = 0;
};

ReflexLimits calibrate(World world, const Creature& creature, const WalkBody& body, WalkSettings settings,
                       const StepOptions& step, const Run& run) {
  world.terrain = Terrain{};
  world.water = world.wind = Medium{};
  settings.reflexes.step = settings.reflexes.load = settings.reflexes.elevator = settings.reflexes.ground =
      false;
  Walk walk(world, body, settings, step, run);
  ReflexCalibration calibration(creature, body);
  const double cycle = settings.pace.cycle();
  for (double t = 0; t < calibration_cycles * cycle; t += step.dt) {
    walk.walker().step(walk.sim());
    if (!walk.sim().step()) break;
    if (t > 2 * cycle) calibration.see(walk.walker(), walk.sim());
  }
  return calibration.limits();
}

// What the walk was like, step by step.
struct Log {
  double mass = 1;   // kg
  double after = 0;  // s: speed and wobble are measured from then on
  double distance = 0, measured_distance = 0, measured_time = 0;
  double heading_error = 0;
  double wobble_sum = 0;
  int wobbles = 0;
  // the present cycle
  double cycle_time = 0, yaw_sum = 0, yaw_least = unlimited, yaw_most = -unlimited, wanted_sum = 0;
  int steps = 0;

  void see(const Walker& walker, const Simulation<double>& sim, double dt) {
    const WalkState& s = walker.state;
    double sine, cosine;
    sin_cos(s.mean_yaw, sine, cosine);
    const Vec3d p = linear_momentum(sim.system().model, sim.w);
    const double v = (p.x * cosine + p.y * sine) / mass;
    distance += v * dt;
    if (sim.state.time > after) measured_distance += v * dt, measured_time += dt;
    cycle_time += dt, ++steps;
    yaw_sum += s.yaw, wanted_sum += s.heading;
    yaw_least = std::min(yaw_least, s.yaw), yaw_most = std::max(yaw_most, s.yaw);
    if (cycle_time < walker.settings.pace.cycle() - 0.5 * dt) return;
    heading_error = std::max(heading_error, std::fabs(yaw_sum - wanted_sum) / steps);
    if (sim.state.time > after) wobble_sum += 0.5 * (yaw_most - yaw_least), ++wobbles;
    cycle_time = yaw_sum = wanted_sum = 0, steps = 0;
    yaw_least = unlimited, yaw_most = -unlimited;
  }
};

void record_control(const Walker& walker, Motion& motion) {
  std::vector<double> stepping;
  for (const LegMode mode : walker.state.gait.mode) stepping.push_back(mode == LegMode::step ? 1 : 0);
  append_channel(motion, "stepping", "1", stepping);
  append_channel(motion, "pacemakers", "cycles", walker.state.gait.phase);
  append_channel(motion, "heading", "rad", {walker.state.mean_yaw, walker.state.heading});
  append_channel(motion, "steer", "1", {walker.state.steer});
  append_channel(motion, "mean speed", "m/s", {walker.state.mean_speed});
  append_channel(motion, "leg loads", "N", walker.state.load);
}

// What happens on a walk, and how it is recorded.
struct WalkCourse {
  std::vector<TimedCommand> commands;
  std::vector<Loss> losses;  // in order of time
  double seconds = 0;
  double rate = 0;   // frames/s
  double asked = 0;  // the same, as it was asked for
};

// Steps up to the next frame; false when the walk ends there.
bool walk_a_frame(Walk& walk, const WalkCourse& course, long steps, const Watch& watch, size_t& next_loss,
                  Log& log) {
  Simulation<double>& sim = walk.sim();
  Walker& walker = walk.walker();
  for (long n = 0; n < steps; ++n) {
    const double now = sim.state.time + 0.5 * sim.options.dt;
    walker.command = command_at(course.commands, now);
    for (; next_loss < course.losses.size() && course.losses[next_loss].time <= now; ++next_loss)
      walker.lose(course.losses[next_loss].leg, sim);
    walker.step(sim);
    if (!sim.step()) return false;
    log.see(walker, sim, sim.options.dt);
    if (watch && !watch(sim)) {
      sim.stop();
      return false;
    }
  }
  return true;
}

void reserve_frames(const Simulation<double>& sim, size_t rows, Motion& motion) {
  motion.q.reserve(rows * sim.state.q.size()), motion.v.reserve(rows * sim.state.v.size());
  motion.tau.reserve(rows * sim.tau.size());
  motion.contact_force.reserve(rows * 3 * sim.ground_contacts.size());
}

void tell_fall(double time, bool stood, Motion& motion) {
  motion.status = Status::fell;
  motion.status_time = time;
  char text[64];
  std::snprintf(text, sizeof text, "fell at %.3g s", time);
  motion.status_text = stood ? text
                             : "fell before it walked: its legs do not hold it up as in its pose \"stand\"; "
                               "give it a [[pose]] named \"stand\" on bent legs, or springs of its own";
}

void tell_log(const Log& log, WalkOutcome& result) {
  result.distance = log.distance;
  result.speed = log.measured_time > 0 ? log.measured_distance / log.measured_time : 0;
  result.heading_error = log.heading_error;
  result.yaw_wobble = log.wobbles > 0 ? log.wobble_sum / log.wobbles : 0;
}

// Walks and records.
void perform(Walk& walk, const WalkCourse& course, const Watch& watch, WalkOutcome& result,
             bool with_frames) {
  Simulation<double>& sim = walk.sim();
  Walker& walker = walk.walker();
  const double period = 1 / course.rate;
  const long steps = std::max(1L, long(std::ceil(period / sim.options.dt - 1e-9)));
  const long frames = long(std::floor(course.seconds * course.rate + 1e-9));
  sim.options.dt = period / double(steps);
  Motion& motion = result.motion;
  motion = begin_motion(walk.system());
  const Terrain& terrain = walk.system().world.terrain;
  const Model<double>& model = walk.system().model;
  StandingBody standing = standing_in(motion.creature, model, sim.state.q);
  standing.lowest = crawling;
  standing.height = center_of_mass(model, sim.w).z - ground_below(standing, model, terrain, sim.w);
  Log log;
  log.mass = total_mass(walk.system().model);
  log.after = 2 * walker.settings.pace.cycle();
  const long kept = kept_frame(frames, course.rate, course.asked);
  const auto note = [&](long frame) {
    if (!with_frames) return;
    if (frame % kept != 0) return sim.probe();
    record(sim, motion), record_control(walker, motion);
  };
  if (with_frames) reserve_frames(sim, size_t(std::min(frames, most_frames)) + 1, motion);
  note(0);
  sim.interrupt = [&] { return watch && !watch(sim); };
  size_t next_loss = 0;
  const bool stood = walk.stands();
  bool fell = !stood;
  for (long f = 1; f <= frames && !fell; ++f) {
    if (!walk_a_frame(walk, course, steps, watch, next_loss, log)) break;
    sim.state.time = double(f) / course.rate;
    note(f);
    fell = has_fallen(standing, model, terrain, sim.w);
  }
  sim.interrupt = nullptr;
  end_motion(sim, motion);
  if (fell && motion.status == Status::ok) tell_fall(sim.state.time, stood, motion);
  tell_log(log, result);
  result.breaks = walker.state.breaks;
  result.dynamics_calls = sim.dynamics_calls;
}

}  // namespace

long kept_frame(long frames, double rate, double asked) {
  return frames > most_frames ? std::max(1L, long(rate / asked + 1e-9)) : 1;
}

ContactOptions walking_ground(const World& world) {
  ContactOptions ground = world.contact, usual;
  usual.friction = ground.friction;
  if (world.origin.asked.contact.empty() && to_text(ground) == to_text(usual))
    ground.type = ContactType::exponential;
  return ground;
}

bool friction_given(const World& world) {
  const WorldOptions& asked = world.origin.asked;
  return asked.friction >= 0 || asked.contact.find("friction") != std::string::npos ||
         world.contact.friction != ContactOptions().friction;
}

void check_step(const System<double>& system, const StepOptions& step) {
  if (step.integrator != Integrator::euler && step.integrator != Integrator::rk4) return;
  const StableStep stable = stable_step(system, system.world.body.pose("stand"));
  if (step.dt > 1.4 * stable.dt)
    throw Error({}, "dt",
                to_text(step.dt) + " s is too long for " + stable.what + ", which bears at most " +
                    to_text(stable.dt) + " s with " + to_string(step.integrator),
                "try --integrator implicit, or --dt " + to_text(0.5 * stable.dt));
}

void check_legs(const Creature& c) {
  if (c.legs.empty()) {
    const std::string likely = likely_legs(c);
    throw Error(c.where, "'" + c.name + "'", "has no legs",
                likely.empty() ? "add [[leg]] entries: name = \"lf\", hip = \"a link\", foot = \"a link\""
                               : "label what looks like them:" + likely);
  }
  for (const Leg& leg : c.legs) {
    const int root = root_of(c, leg.hip);
    const Link& link = c.links[size_t(root)];
    if (roaming(c, root) == Roaming::otherwise)
      throw Error(link.where, "link '" + link.name + "'",
                  "carries the leg '" + leg.name + "' and is not free to move",
                  "give it joint = { free = true }, or { planar = \"xz\" } to walk in the plane of x and z");
  }
}

namespace {

// McKenna's control knows no bodies in a plane.
void check_free(const Creature& c) {
  for (const Leg& leg : c.legs) {
    const Link& root = c.links[size_t(root_of(c, leg.hip))];
    if (roaming(c, root_of(c, leg.hip)) != Roaming::freely)
      throw Error(root.where, "link '" + root.name + "'",
                  "moves in a plane, which only balance can walk in, and that needs two joints from each "
                  "leg's hip to its foot and no motor programs",
                  "give it joint = { free = true }");
  }
}

}  // namespace

void add_payload(Creature& c, double share) {
  if (share <= 0) return;
  Link& root = c.links[size_t(root_of(c, c.legs[0].hip))];
  const double extra = share * c.mass(), grown = (root.mass + extra) / root.mass;
  root.mass += extra;
  root.inertia = root.inertia * grown;
}

double trunk_length(const Creature& c) {
  const std::vector<LinkFrame> frames = place(c, c.pose("stand"));
  double low = unlimited, high = -unlimited;
  for (size_t b = 0; b < c.links.size(); ++b) {
    bool leg = false;
    for (int link = int(b); link >= 0 && !leg; link = c.links[size_t(link)].parent)
      leg = std::any_of(c.legs.begin(), c.legs.end(), [&](const Leg& l) { return l.hip == link; });
    if (leg) continue;
    for (const Shape& shape : c.links[b].shapes) {
      const Box box = bounding_box(shape, frames[b].R, frames[b].p);
      low = std::min(low, box.lower.x), high = std::max(high, box.upper.x);
    }
  }
  return high > low ? high - low : 0;
}

Feedback default_feedback() { return {3, 8, 1, 0.3, 1, 1}; }

namespace {

// What walks in the world: its motor programs, or those that its geometry suggests. Throws Error for what it
// lacks.
WalkBody prepare_body(World& world, const WalkOptions& options, Geometry& made_geometry) {
  check_legs(world.body);
  WalkBody body;
  if (has_programs(world.body)) {
    if (options.stride > 0 || options.lift > 0)
      throw Error({}, "walk", "stride and lift are for bodies without motor programs",
                  "'" + world.body.name + "' brings its own");
    body = make_walk_body(world.body);
    if (!(body.step_time > 0) && !(options.step_time > 0))
      throw Error(world.body.where, "'" + world.body.name + "'", "has motor programs but no step_time",
                  "add step_time = 0.05 (s)");
  } else {
    ProgramOptions geometry;
    geometry.stride = options.stride, geometry.lift = options.lift, geometry.step_time = options.step_time;
    geometry.bent = options.open_loop;
    geometry.gravity = gravity_of(world);
    MadeBody made = make_programs(world.body, geometry);
    world.body = std::move(made.creature);
    for (Pose& pose : world.body.poses)
      if (pose.name == "stand") pose.q = made.start;
    body = std::move(made.body);
    made_geometry = made.geometry;
  }
  if (options.step_time > 0) body.step_time = options.step_time;
  return body;
}

// Throws Error for options that the body has no use for.
void check_options(const WalkOptions& options) {
  if (options.open_loop && (options.speed > 0 || options.turn != 0))
    throw Error({}, "walk: open_loop", "has no feedback to reach a speed or a turn by", "use --slowness");
}

WalkSettings make_settings(const WalkOptions& options, const WalkBody& body, double suited_slowness,
                           double weight) {
  WalkSettings settings;
  settings.pace.step = settings.pace.delay = body.step_time;
  settings.pace.slowness = options.slowness > 0 ? options.slowness : suited_slowness;
  settings.first_right = options.first == FirstFoot::right;
  settings.grips = options.feet == Feet::stick;
  if (options.feet == Feet::hold) settings.hold_force = weight;
  if (!options.open_loop) settings.feedback = default_feedback();
  settings.reflexes = parse_reflexes(options.reflexes, options.open_loop);
  return settings;
}

// Throws Error for a step that would not stay stable.
StepOptions choose_walk_step(const World& world, const WalkOptions& options, double step_time) {
  const System<double> system = make_system(world);
  StepOptions step = choose_step(system, world.integrator, world.dt, 0);
  if (world.dt <= 0 && world.body.dt <= 0 &&
      (step.integrator == Integrator::implicit || step.integrator == Integrator::rkf45))
    step.dt = std::min(step.dt, step_time / (options.feet == Feet::slide ? 250 : 500));
  check_step(system, step);
  return step;
}

// Makes the strokes of a body that brings its programs agree, as it stands on level ground.
void align_standing(const World& world, WalkSettings settings, const StepOptions& step, const Run& run,
                    WalkBody& body) {
  World level = world;
  level.terrain = Terrain{};
  // on the usual ground whatever the walk's: feet that slip while it settles would change the posture
  level.contact = ContactOptions{};
  level.contact.type = ContactType::exponential;
  settings.grips = false, settings.hold_force = 0;
  settings.feedback.weight = 0, settings.reflexes = {};
  Walk standing(level, body, settings, step, run);
  if (standing.sim().status() == Status::ok) align_strokes(world.body, standing.sim().state.q, body);
}

// How well a walk served what --tune is for; speeds as Froude numbers.
double score_of(TuneGoal goal, const WalkOutcome& r, double work, double weight, double speed_unit) {
  if (r.motion.status != Status::ok) return -1e3 + r.motion.status_time;
  const double walked = r.speed / speed_unit;
  if (goal == TuneGoal::straight) return walked - 4 * r.heading_error;
  if (goal == TuneGoal::cost) return r.distance > 0 ? -work / (weight * r.distance) : -1e3;
  return walked - 0.5 * r.heading_error;
}

// Searches the programs; result: what is known of the body, and what is found.
void search_programs(const World& world, const WalkBody& body, const Tuning& tuning, WalkSettings settings,
                     const StepOptions& step, WalkCourse course, const WalkOptions& options, const Run& run,
                     WalkOutcome& result) {
  // the reflexes are calibrated on the programs that are found, so trials go without those that need it
  const bool neighbour = settings.reflexes.neighbour;
  settings.reflexes = {};
  settings.reflexes.neighbour = neighbour;
  course.seconds = std::min(course.seconds, 24 * settings.pace.cycle());
  const double gravity = gravity_of(world);
  const double speed_unit = std::sqrt(gravity * std::max(result.length, 1e-9));
  const auto score = [&](const std::vector<double>& values, int) {
    Walk trial(world, tuned_body(body, tuning, values), settings, step, run);
    WalkOutcome r;
    perform(
        trial, course, [&](const Simulation<double>&) { return !run.stopped(); }, r, false);
    return score_of(options.tune, r, trial.sim().state.turnover, result.mass * gravity, speed_unit);
  };
  TuneOptions tune_options;
  tune_options.evaluations = options.evaluations;
  tune_options.spread = 0.1;
  const Tuned tuned = tune(tuning.variables, ScoreOne(score), tune_options, run);
  result.tuned = tuned.values;
  result.tuned_from = tuned.start_score, result.tuned_to = tuned.score;
}

// McKenna's own control.
WalkOutcome perform_programs(World world, const WalkOptions& options, const Run& run) {
  WalkOutcome result;
  check_free(world.body);
  WalkBody body = prepare_body(world, options, result.geometry);
  check_options(options);
  result.length = trunk_length(world.body);
  result.mass = world.body.mass();
  add_payload(world.body, options.payload);

  const double suits = result.geometry.slowness > 0 ? result.geometry.slowness : 1;
  WalkSettings settings = make_settings(options, body, suits, result.mass * gravity_of(world));
  const WalkCourse course{parse_commands(options, settings.pace.slowness),
                          parse_losses(options.lose, world.body), options.seconds,
                          std::max(world.rate, frames_of_a_step / body.step_time), world.rate};
  const StepOptions step = choose_walk_step(world, options, body.step_time);
  if (!options.open_loop && has_programs(world.body)) align_standing(world, settings, step, run, body);

  if (options.tune != TuneGoal::none || !options.tuned.empty()) {
    const Tuning tuning = make_tuning(world.body, body);
    result.tuned = options.tuned;
    if (options.tune != TuneGoal::none)
      search_programs(world, body, tuning, settings, step, course, options, run, result);
    if (result.tuned.size() != tuning.variables.size())
      throw Error({}, "walk: tuned",
                  std::to_string(result.tuned.size()) + " numbers, but '" + world.body.name + "' has " +
                      std::to_string(tuning.variables.size()) + " to tune");
    body = tuned_body(body, tuning, result.tuned);
  }

  const Reflexes& r = settings.reflexes;
  if (r.step || r.load || r.elevator || r.ground)
    settings.reflexes.limits = calibrate(world, world.body, body, settings, step, run);
  Walk made(world, body, settings, step, run);
  if (made.sim().status() != Status::ok) {
    result.motion = begin_motion(made.system());
    end_motion(made.sim(), result.motion);
  } else {
    made.sim().pushes = world.pushes;
    Meter meter(run, "walking", long(options.seconds * 1000));
    perform(made, course, watch_for(meter), result, true);
  }
  stop_unless_kept(run);
  // As chosen: a body settles by this step, and walks by the part of it that frames fall on.
  result.step = step;
  result.pace = settings.pace;
  result.reflexes = settings.reflexes;
  return result;
}

}  // namespace

void check_walk(const World& given) {
  check_legs(given.body);
  if (walks_by_balance({}, given.body)) return check_balanced_walk(given);
  check_free(given.body);
  World world = given;
  Geometry geometry;
  prepare_body(world, {}, geometry);
}

WalkOutcome perform_walk(const World& given, const WalkOptions& options, const Run& run,
                         const std::vector<Vec2>& places) {
  const World world = with_feet(given, options.feet);
  check_legs(world.body);
  if (walks_by_balance(options, world.body)) return perform_balanced_walk(world, options, run, places);
  if (!places.empty())
    throw Error({}, "walk: to", "McKenna's control does not walk to places", "leave out what only it knows");
  return perform_programs(world, options, run);
}

}  // namespace legwork
