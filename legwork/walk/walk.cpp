#include "legwork/walk/walk.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "legwork/base/describe.h"
#include "legwork/base/text.h"
#include "legwork/creature/likely_legs.h"
#include "legwork/creature/place.h"
#include "legwork/math/real.h"
#include "legwork/search/tune.h"
#include "legwork/walk/reflex.h"
#include "legwork/walk/strokes.h"

namespace legwork {

namespace {

constexpr double settle_steps = 8;       // s in step times that a body gets to stand before it walks
constexpr double frames_of_a_step = 20;  // recorded, at least
constexpr double sticky_friction = 0.2;  // of what does not stick
constexpr int calibration_cycles = 6;
constexpr double fallen_tilt = 0.5;  // cosine

// A world whose contact suits the feet.
World with_feet(World world, Feet feet, bool friction_given) {
  if (feet == Feet::stick) {
    world.contact.type = ContactType::sticky;
    if (!friction_given) world.contact.friction = std::min(world.contact.friction, sticky_friction);
  }
  return world;
}

int root_of(const Creature& c) {
  int root = c.legs[0].hip;
  while (c.links[size_t(root)].parent >= 0) root = c.links[size_t(root)].parent;
  return root;
}

void check_root(const Creature& c) {
  for (const Leg& leg : c.legs) {
    int root = leg.hip;
    while (c.links[size_t(root)].parent >= 0) root = c.links[size_t(root)].parent;
    const Link& link = c.links[size_t(root)];
    if (link.joints.empty() || link.joints[0].type != JointType::free)
      throw Error(
          link.where, "link '" + link.name + "'",
          "carries the leg '" + leg.name + "' and is not free to move; give it joint = { free = true }");
  }
}

// Extra mass at the root's centre.
void add_payload(Creature& c, double share) {
  if (share <= 0) return;
  Link& root = c.links[size_t(root_of(c))];
  const double extra = share * c.mass(), grown = (root.mass + extra) / root.mass;
  root.mass += extra;
  root.inertia = root.inertia * grown;
}

// Changes of the programs that --tune searches: for each girdle how far strokes reach and lift, and an offset
// for each joint.
struct Tuning {
  std::vector<Variable> variables;
  std::vector<std::vector<int>> girdles;  // legs of each
};

Tuning make_tuning(const Creature& c, const WalkBody& body) {
  Tuning t;
  for (size_t i = 0; i < c.legs.size(); ++i) {
    const std::string& girdle = c.legs[i].girdle;
    auto same = std::find_if(t.girdles.begin(), t.girdles.end(), [&](const std::vector<int>& legs) {
      return !girdle.empty() && c.legs[size_t(legs[0])].girdle == girdle &&
             body.legs[size_t(legs[0])].dofs.size() == body.legs[i].dofs.size();
    });
    if (same == t.girdles.end())
      t.girdles.push_back({int(i)});
    else
      same->push_back(int(i));
  }
  for (const std::vector<int>& legs : t.girdles) {
    const std::string name = c.legs[size_t(legs[0])].girdle.empty() ? c.legs[size_t(legs[0])].name
                                                                    : c.legs[size_t(legs[0])].girdle;
    for (size_t k = 0; k < body.legs[size_t(legs[0])].dofs.size(); ++k) {
      t.variables.push_back({name + " joint " + std::to_string(k + 1) + " stroke", 0.3, 1.8, 1});
      t.variables.push_back({name + " joint " + std::to_string(k + 1) + " offset", -0.25, 0.25, 0});
    }
    t.variables.push_back({name + " lift", 0.5, 1.6, 1});
  }
  return t;
}

WalkBody tuned_body(const WalkBody& body, const Tuning& t, const std::vector<double>& values) {
  WalkBody out = body;
  size_t at = 0;
  for (const std::vector<int>& legs : t.girdles) {
    const size_t n = body.legs[size_t(legs[0])].dofs.size();
    const double* x = &values[at];
    for (const int i : legs) {
      WalkLeg& leg = out.legs[size_t(i)];
      for (std::vector<Stroke>* program : {&leg.step, &leg.stance})
        for (Stroke& s : *program) {
          const auto k = size_t(std::find(leg.dofs.begin(), leg.dofs.end(), s.dof) - leg.dofs.begin());
          const double middle = 0.5 * (leg.down[k] + leg.up[k]);
          // on the way of a step: the lift
          if (program == &leg.step && s.end < 1) s.still = middle + x[2 * n] * (s.still - middle);
          s.still += x[2 * k + 1];
          s.forward *= x[2 * k], s.turn *= x[2 * k];
        }
      for (size_t k = 0; k < n; ++k) {
        const double middle = 0.5 * (leg.down[k] + leg.up[k]);
        for (double* end : {&leg.down[k], &leg.up[k]})
          *end = middle + x[2 * k] * (*end - middle) + x[2 * k + 1];
      }
    }
    at += 2 * n + 1;
  }
  return out;
}

// One walk: a body with its programs in a world.
class Walk {
 public:
  // stop: asked within long steps while the body settles
  Walk(const World& world, const WalkBody& body, const WalkSettings& settings, const StepOptions& step,
       const std::function<bool()>& stop)
      : body_(body),
        settings_(settings),
        system_(make_system(world)),
        sim_(system_, step),
        walker_(system_, body_, settings) {
    SimOptions start;
    start.height = 0;
    const Start s = start_of(system_, start);
    sim_.reset(s.q, s.v);
    sim_.interrupt = stop;
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
  System<double>& system() { return system_; }
  // Whether the body is still upright once it has settled.
  bool stands() const {
    const Vec3d up = sim_.w.R[size_t(body_.trunk)] * transpose_times(body_.upright, Vec3d{0, 0, 1});
    return up.z >= fallen_tilt;
  }

 private:
  WalkBody body_;
  WalkSettings settings_;
  System<double> system_;
  Simulation<double> sim_;
  Walker walker_;
  long calls_ = 0;
};

ReflexLimits calibrate(World world, const Creature& creature, const WalkBody& body, WalkSettings settings,
                       const StepOptions& step, const std::function<bool()>& stop) {
  world.terrain = Terrain{};
  world.water = world.wind = Medium{};
  settings.reflexes.step = settings.reflexes.load = settings.reflexes.elevator = settings.reflexes.ground =
      false;
  Walk walk(world, body, settings, step, stop);
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
  double distance = 0, measured_distance = 0, measured_time = 0;
  double heading_error = 0;
  double wobble_sum = 0;
  int wobbles = 0;
  // of the present cycle
  double cycle_time = 0, yaw_sum = 0, yaw_least = unlimited, yaw_most = -unlimited, wanted_sum = 0;
  int steps = 0;

  void see(const Walker& walker, const Simulation<double>& sim, double dt, double after) {
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
  double mass = 1;
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

// Ground under the hips, mean: over bumps the ground under one point says little.
double ground_below(const Simulation<double>& sim) {
  const std::vector<Leg>& legs = sim.system().world.body.legs;
  double sum = 0;
  for (const Leg& leg : legs) {
    const Vec3d& hip = sim.w.p[size_t(leg.hip)];
    sum += sample(sim.system().world.terrain, hip.x, hip.y).height;
  }
  return sum / double(legs.size());
}

bool lies(const Simulation<double>& sim, int root, const Mat3d& standing, double height) {
  const Vec3d up = sim.w.R[size_t(root)] * transpose_times(standing, Vec3d{0, 0, 1});
  return up.z < fallen_tilt || sim.w.p[size_t(root)].z - ground_below(sim) < 0.3 * height;
}

// Walks and records.
void perform(Walk& walk, const std::vector<TimedCommand>& commands, const std::vector<Loss>& losses,
             double seconds, double rate, const Watch& watch, WalkResult& result, bool with_frames) {
  Simulation<double>& sim = walk.sim();
  Walker& walker = walk.walker();
  const auto begin = std::chrono::steady_clock::now();
  const double period = 1 / rate;
  const long steps = std::max(1L, long(std::ceil(period / sim.options.dt - 1e-9)));
  const long frames = long(std::floor(seconds * rate + 1e-9));
  sim.options.dt = period / double(steps);
  Motion& motion = result.motion;
  motion = begin_motion(walk.system());
  const int root = root_of(motion.creature);
  const Mat3d standing = sim.w.R[size_t(root)];
  const double height = sim.w.p[size_t(root)].z - ground_below(sim);
  Log log;
  log.mass = total_mass(walk.system().model);
  const double after = 2 * walker.settings.pace.cycle();
  if (with_frames) {
    const size_t rows = size_t(frames) + 1;
    motion.q.reserve(rows * sim.state.q.size()), motion.v.reserve(rows * sim.state.v.size());
    motion.tau.reserve(rows * sim.tau.size());
    motion.contact_force.reserve(rows * 3 * sim.ground_contacts.size());
    record(sim, motion), record_control(walker, motion);
  }
  sim.interrupt = [&] { return watch && !watch(sim); };
  size_t next_loss = 0;
  const bool stands = walk.stands();
  bool fell = !stands;
  for (long f = 1; f <= frames && !fell; ++f) {
    bool going = true;
    for (long n = 0; n < steps && going; ++n) {
      const double now = sim.state.time + 0.5 * sim.options.dt;
      walker.command = command_at(commands, now);
      for (; next_loss < losses.size() && losses[next_loss].time <= now; ++next_loss)
        walker.lose(losses[next_loss].leg, walk.system(), sim);
      walker.step(sim);
      going = sim.step();
      if (going) log.see(walker, sim, sim.options.dt, after);
      if (going && watch && !watch(sim)) sim.stop(), going = false;
    }
    if (!going) break;
    sim.state.time = double(f) / rate;
    if (with_frames) record(sim, motion), record_control(walker, motion);
    fell = lies(sim, root, standing, height);
  }
  sim.interrupt = nullptr;
  end_motion(sim, motion);
  if (fell && motion.status == Status::ok) {
    motion.status = Status::fell;
    motion.status_time = sim.state.time;
    char text[64];
    std::snprintf(text, sizeof text, "fell at %.3g s", sim.state.time);
    motion.status_text = stands
                             ? text
                             : "fell before it walked: its legs do not hold it up as in its pose \"stand\"; "
                               "give it a [[pose]] named \"stand\" on bent legs, or springs of its own";
  }
  motion.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.distance = log.distance;
  result.speed = log.measured_time > 0 ? log.measured_distance / log.measured_time : 0;
  result.heading_error = log.heading_error;
  result.yaw_wobble = log.wobbles > 0 ? log.wobble_sum / log.wobbles : 0;
  result.breaks = walker.state.breaks;
  result.dynamics_calls = sim.dynamics_calls;
}

}  // namespace

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
  if (world.body.legs.empty()) {
    const std::string likely = likely_legs(world.body);
    throw Error(world.body.where, "'" + world.body.name + "'",
                likely.empty()
                    ? "has no legs; add [[leg]] entries: name = \"lf\", hip = \"a link\", foot = \"a link\""
                    : "has no legs; label what looks like them:" + likely);
  }
  check_root(world.body);
  WalkBody body;
  if (has_programs(world.body)) {
    if (options.stride > 0 || options.lift > 0)
      throw Error("--stride and --lift are for bodies without motor programs; '" + world.body.name +
                  "' brings its own");
    body = make_walk_body(world.body);
    if (!(body.step_time > 0) && !(options.step_time > 0))
      throw Error(world.body.where, "'" + world.body.name + "'",
                  "has motor programs but no step_time; add step_time = 0.05 (s)");
  } else {
    ProgramOptions geometry;
    geometry.stride = options.stride, geometry.lift = options.lift, geometry.step_time = options.step_time;
    geometry.bent = options.open_loop;
    // slopes and stairs ask for postures that poise does not know
    geometry.poised = !options.open_loop &&
                      (world.terrain.type == TerrainType::plane || world.terrain.type == TerrainType::field);
    geometry.gravity = std::max(norm(world.gravity), 0.1);
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

}  // namespace

void check_walk(const World& given) {
  World world = given;
  Geometry geometry;
  prepare_body(world, {}, geometry);
}

WalkResult walk(const World& given, const WalkOptions& options, const WalkRun& run) {
  WalkResult result;
  World world = with_feet(given, options.feet, run.friction_given);
  const double gravity = std::max(norm(world.gravity), 0.1);
  WalkBody body = prepare_body(world, options, result.geometry);
  result.length = trunk_length(world.body);
  result.mass = world.body.mass();
  add_payload(world.body, options.payload);

  WalkSettings settings;
  settings.pace.step = settings.pace.delay = body.step_time;
  const double suits = result.geometry.slowness > 0 ? result.geometry.slowness : 1;
  settings.pace.slowness = options.slowness > 0 ? options.slowness : suits;
  settings.first_right = options.first == FirstFoot::right;
  settings.grips = options.feet == Feet::stick;
  if (options.feet == Feet::hold) settings.hold_force = result.mass * gravity;
  if (!options.open_loop) settings.feedback = default_feedback();
  if (options.open_loop && (options.speed > 0 || options.turn != 0))
    throw Error("--open-loop: has no feedback to reach a speed or a turn by; use --slowness");
  settings.reflexes = parse_reflexes(options.reflexes, options.open_loop || body.poised);
  const std::vector<TimedCommand> commands = parse_commands(options, settings.pace.slowness);
  const std::vector<Loss> losses = parse_losses(options.lose, world.body);

  const System<double> system = make_system(world);
  StepOptions step = choose_step(system, run.integrator, run.dt, 0);
  if (run.dt <= 0 && world.body.dt <= 0 &&
      (step.integrator == Integrator::implicit || step.integrator == Integrator::rkf45))
    step.dt = std::min(step.dt, body.step_time / (options.feet == Feet::slide ? 250 : 500));
  const StableStep stable = stable_step(system, world.body.pose("stand"));
  if ((step.integrator == Integrator::euler || step.integrator == Integrator::rk4) &&
      step.dt > 1.4 * stable.dt)
    throw Error("--dt: " + to_text(step.dt) + " s is too long for " + stable.what + ", which bears at most " +
                to_text(stable.dt) + " s with " + to_string(step.integrator) +
                "; try --integrator implicit, or --dt " + to_text(0.5 * stable.dt));
  if (!options.open_loop && has_programs(world.body)) {
    World level = world;
    level.terrain = Terrain{};
    // on the usual ground whatever the walk's: feet that slip while it settles would change the posture
    level.contact = ContactOptions{};
    level.contact.type = ContactType::exponential;
    WalkSettings still = settings;
    still.grips = false, still.hold_force = 0;
    still.feedback.weight = 0, still.reflexes = {};
    Walk standing(level, body, still, step, run.stop);
    if (standing.sim().status() == Status::ok) align_strokes(world.body, standing.sim().state.q, body);
  }
  const double rate = std::max(run.rate, frames_of_a_step / body.step_time);

  if (options.tune != TuneGoal::none || !options.tuned.empty()) {
    const Tuning tuning = make_tuning(world.body, body);
    result.tuned = options.tuned;
    if (options.tune != TuneGoal::none) {
      // the reflexes are calibrated on the programs that are found, so trials go without those that need it
      WalkSettings trial_settings = settings;
      trial_settings.reflexes = {};
      trial_settings.reflexes.neighbour = settings.reflexes.neighbour;
      const auto stopped = [&] { return run.stop && run.stop(); };
      const auto score = [&](const std::vector<double>& values, int) {
        if (stopped()) return -1e3;
        const WalkBody tried = tuned_body(body, tuning, values);
        Walk trial(world, tried, trial_settings, step, stopped);
        WalkResult r;
        perform(
            trial, commands, losses, std::min(options.seconds, 24 * settings.pace.cycle()), rate,
            [&](const Simulation<double>&) { return !stopped(); }, r, false);
        if (r.motion.status != Status::ok) return -1e3 + r.motion.status_time;
        const double walked = r.speed / std::sqrt(gravity * std::max(result.length, 1e-9));
        if (options.tune == TuneGoal::straight) return walked - 4 * r.heading_error;
        if (options.tune == TuneGoal::cost) {
          const double work = trial.sim().state.turnover;
          return r.distance > 0 ? -work / (result.mass * gravity * r.distance) : -1e3;
        }
        return walked - 0.5 * r.heading_error;
      };
      TuneOptions tune_options;
      tune_options.evaluations = options.evaluations;
      tune_options.spread = 0.1;
      const Tuned tuned = tune(tuning.variables, ScoreOne(score), tune_options, run.seed, run.threads);
      result.tuned = tuned.values;
      result.tuned_from = tuned.start_score, result.tuned_to = tuned.score;
    }
    if (result.tuned.size() != tuning.variables.size())
      throw Error("--tuned: " + std::to_string(result.tuned.size()) + " numbers, but '" + world.body.name +
                  "' has " + std::to_string(tuning.variables.size()) + " to tune");
    body = tuned_body(body, tuning, result.tuned);
  }

  const Reflexes& r = settings.reflexes;
  if (r.step || r.load || r.elevator || r.ground)
    settings.reflexes.limits = calibrate(world, world.body, body, settings, step, run.stop);
  Walk made(world, body, settings, step, run.stop);
  if (made.sim().status() != Status::ok) {
    result.motion = begin_motion(made.system());
    end_motion(made.sim(), result.motion);
  } else {
    made.sim().pushes = run.pushes;
    perform(made, commands, losses, options.seconds, rate, run.watch, result, true);
  }
  result.motion.made.seed = run.seed;
  // As chosen: a body settles by this step, and walks by the part of it that frames fall on.
  result.step = step;
  result.pace = settings.pace;
  result.reflexes = settings.reflexes;
  return result;
}

}  // namespace legwork
