// drop: let a creature fall, land and settle.

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "creature/assess.h"
#include "creature/check.h"
#include "methods/finish.h"
#include "methods/method_of.h"

namespace legwork {

namespace {

int free_roots(const Creature& creature) {
  int count = 0;
  for (const Link& link : creature.links)
    if (link.parent < 0 && !link.joints.empty() && link.joints[0].type == JointType::free) ++count;
  return count;
}

int roots(const Creature& creature) {
  return int(std::count_if(creature.links.begin(), creature.links.end(),
                           [](const Link& link) { return link.parent < 0; }));
}

// What a person wants to know about a fall, from the recorded frames.
struct Fall {
  double touch_down = -1, at_rest = -1;            // s; -1: never
  double penetration = 0, penetration_at_end = 0;  // m, the deepest point
  double creep = 0;                                // m/s, horizontal, of the centre of mass, once at rest
  double energy_start = 0, energy_end = 0;         // J
  double energy_gain = 0;                          // the largest share that appeared from nowhere
};

double total_energy(const Motion& motion, int frame) {
  double sum = 0;
  for (const char* name : {"kinetic energy", "potential energy", "elastic energy"})
    if (const Channel* channel = motion.channel(name)) sum += channel->values[size_t(frame)];
  return sum;
}

// Watches every step, since what touches between two frames leaves no trace in them.
struct Landing {
  double touch_down = -1;                  // s; -1: never
  double deepest = 0, deepest_at_end = 0;  // m

  void see(const Simulation<double>& sim) {
    deepest_at_end = 0;
    for (const SiteRecord<double>& site : sim.ground_contacts) {
      if (site.touching == 0) continue;
      if (touch_down < 0) touch_down = sim.state.time;
      deepest_at_end = std::max(deepest_at_end, site.depth);
    }
    deepest = std::max(deepest, deepest_at_end);
  }
};

Fall measure(const Motion& motion, const World& world, const Landing& landing) {
  Fall fall;
  const int n = motion.frames();
  if (n == 0) return fall;
  fall.touch_down = landing.touch_down;
  fall.penetration = landing.deepest;
  fall.penetration_at_end = landing.deepest_at_end;
  fall.energy_start = total_energy(motion, 0);
  fall.energy_end = total_energy(motion, n - 1);
  if (const Channel* gain = motion.channel("energy gain"))
    fall.energy_gain = *std::max_element(gain->values.begin(), gain->values.end());

  // At rest: slower than a thousandth of what falling over its own size would give, until the end.
  const Channel* kinetic = motion.channel("kinetic energy");
  const Channel* com = motion.channel("center of mass");
  if (!kinetic || !com) return fall;
  const Vec3d edges = assess(motion.creature).size;
  const double size = std::max({edges.x, edges.y, edges.z});
  const double mass = motion.creature.mass();
  const double slow = 1e-3 * std::sqrt(norm(world.gravity) * size);
  int first = n;
  while (first > 0 && 2 * kinetic->values[size_t(first - 1)] <= mass * slow * slow) --first;
  if (first >= n - 1) return fall;
  fall.at_rest = motion.time[size_t(first)];
  // creep over the last half of the rest, when rocking has died away
  const size_t from = size_t((first + n - 1) / 2), to = size_t(n - 1);
  const double dx = com->values[3 * to] - com->values[3 * from],
               dy = com->values[3 * to + 1] - com->values[3 * from + 1];
  fall.creep = std::sqrt(dx * dx + dy * dy) / (motion.time[to] - motion.time[from]);
  return fall;
}

void check_throw(const Creature& body, const DropOptions& options) {
  const bool thrown = norm(options.throw_velocity) > 0, spun = norm(options.spin) > 0;
  if ((thrown || spun) && free_roots(body) == 0)
    throw Error(body.where, body.name, "has no free joint, so it cannot be thrown or spun",
                thrown ? "leave --throw out" : "leave --spin out");
}

// Above the ground, of the lowest point; none: as placed.
std::optional<double> start_height(const std::string& height, const Creature& body) {
  if (height == "placed") return std::nullopt;
  if (height == "auto") {
    if (roots(body) != 1 || free_roots(body) != 1) return std::nullopt;
    return 0.5 * assess(body).size.z;
  }
  Length length;
  Options reader;
  reader.length("height", length, {-1e6, 1e6, "m", ""});
  reader.all()[0].set({height}, {}, "drop: height");
  if (length.hip_heights && !(hip_height(body) > 0))
    throw Error({}, "drop: height", "'" + height + "' is in hip heights, but '" + body.name + "' has no legs",
                "use m");
  return length.meters(hip_height(body));
}

// Where no height is asked for and the file's own is inside a hill of ground that is not level, the body
// begins on top of it: what starts in the ground is thrown out of it.
Start settle_height(const System<double>& system, bool choose, SimOptions& sim) {
  const Start placed = start_of(system, sim);
  if (!choose || sim.height || system.world.terrain.type == TerrainType::plane) return placed;
  SimOptions laid = sim;
  laid.height = 0;
  const Start on_top = start_of(system, laid);
  bool raised = false;
  for (size_t i = 0; i < placed.q.size(); ++i) raised = raised || on_top.q[i] > placed.q[i];
  if (!raised) return placed;
  sim.height = 0;
  return on_top;
}

Account tell(const Motion& motion, const Fall& fall) {
  const bool landed = fall.touch_down >= 0, rested = fall.at_rest >= 0;
  const bool falls = free_roots(motion.creature) > 0;
  Account account;
  std::string line =
      motion.creature.name + (falls ? " fell for " : " moved for ") + brief(motion.duration()) + " s";
  line += landed  ? ", touched down at " + brief(fall.touch_down) + " s"
          : falls ? " and did not reach the ground"
                  : "";
  line += rested   ? " and came to rest at " + brief(fall.at_rest) + " s"
          : landed ? "; it was still moving at the end"
                   : "";
  account.statements.push_back({line});
  if (landed)
    account.statements.push_back({"it sank " + with_unit(fall.penetration, "m") +
                                  " into the ground at most and " + with_unit(fall.penetration_at_end, "m") +
                                  " at the end" +
                                  (rested ? "; there it creeps at " + with_unit(fall.creep, "m/s") : "")});
  account.statements.push_back({"its energy was " + with_unit(fall.energy_start, "J") + " at the start and " +
                                with_unit(fall.energy_end, "J") + " at the end"});
  account.values = {
      {"touch_down", landed ? Value(fall.touch_down) : Value()},
      {"at_rest", rested},
      {"rest_time", rested ? Value(fall.at_rest) : Value()},
      {"penetration", fall.penetration},
      {"penetration_at_end", fall.penetration_at_end},
      {"creep", rested ? Value(fall.creep) : Value()},
      {"energy", Value{{"start", fall.energy_start}, {"end", fall.energy_end}, {"gain", fall.energy_gain}}}};
  return account;
}

}  // namespace

void describe(Options& v, DropOptions& o) {
  v.number("seconds", o.seconds, {0, 86400, "s", "how long to simulate"});
  v.text("height", o.height,
         {{"auto", "one creature that is free: half its own height; others: as placed"},
          {"placed", "as the file places it"},
          {"LENGTH", "lowest point above the ground: 0.3m, 25cm, 0.5h"}},
         "from where it falls");
  v.vector("throw", o.throw_velocity, {-1e4, 1e4, "m/s", "velocity at the start, world axes"});
  v.vector("spin", o.spin, {-1e4, 1e4, "rad/s", "angular velocity at the start, world axes"});
  v.text("pose", o.pose, {"POSE"}, "named pose to start from");
}

Result drop(const World& world, const DropOptions& asked, const Run& run) {
  const Call call("drop", world, asked, run);
  const DropOptions& options = call.options;
  check_pose(world.body, options.pose);
  check_throw(world.body, options);
  check_frames(world, options.seconds);

  const System<double> system = make_system(world);
  SimOptions sim;
  sim.seconds = options.seconds;
  sim.rate = world.rate;
  sim.pose = options.pose;
  sim.height = start_height(options.height, world.body);
  sim.throw_velocity = options.throw_velocity;
  sim.spin = options.spin;
  const Start start = settle_height(system, options.height == "auto", sim);
  const StepOptions step =
      choose_step(system, world.integrator, world.dt, impact_speed(system, start.q, start.v));
  sim.integrator = to_string(step.integrator);
  sim.dt = step.dt;
  sim.pushes = world.pushes;
  sim.seed = run.seed;
  Meter meter(run, "simulating", long(sim.seconds * 1000));
  Landing landing;
  sim.watch = [&landing, watch = watch_for(meter)](const Simulation<double>& s) {
    landing.see(s);
    return watch(s);
  };
  Result result;
  result.motion = simulate(world, sim);
  stop_unless_kept(run);
  result.account = tell(result.motion, measure(result.motion, world, landing));
  call.finish(result, in_words(world, step));
  return result;
}

std::unique_ptr<Method> drop_method() {
  return std::make_unique<MethodOf<DropOptions>>(
      MethodText{"drop", "let a creature fall, land and settle",
                 "legwork drop hexapod --seconds 2 --out drop.glb\n"
                 "legwork drop ragdoll --height 1m --throw 1,0,2 --spin 0,3,0 --report fall.html\n"
                 "legwork drop box --terrain slope:20deg --friction 0.3 --json -\n"
                 "legwork drop hexapod --push 50,0,0@0.5+0.1 --save push.toml"},
      drop);
}

}  // namespace legwork
