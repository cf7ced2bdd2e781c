#include "modes/modes.h"

#include <algorithm>
#include <cmath>

#include "base/stopwatch.h"
#include "creature/check.h"
#include "creature/place.h"
#include "creature/tree.h"
#include "dynamics/dynamics.h"
#include "life/pace.h"
#include "math/curves.h"
#include "math/real.h"
#include "modes/balance.h"
#include "modes/coordinates.h"
#include "modes/option_text.h"
#include "motion/resample.h"
#include "motion/watch.h"

namespace legwork {

namespace {

constexpr double parade_seconds = 2;  // how long each mode is shown in turn
constexpr int parade_modes = 6;
constexpr double parade_amplitude = 0.5;
constexpr double parade_hz = 1;
constexpr double hop_rate = 1.7;  // times the natural rate: a hop is as long as a step, not a stride
constexpr double bouncing_rate = 2, skip_rate = 1.4, lively_run_rate = 1.12;
constexpr double ambling = 0.48;  // duty factor of a lively amble: never all feet down
// share of a cycle by which the fore foot of a walking dog follows the hind foot of its side (Griffin, Main,
// Farley, J. Exp. Biol. 207 (2004), 3545-3558)
constexpr double fore_after_hind = 0.15;
constexpr double run_rate =
    1.4;  // times the natural rate: running strides are shorter in time than walking ones

bool has_springs(const Creature& c) {
  const std::vector<char> root = root_dofs(c);
  const std::vector<double> k = file_stiffness(c);
  for (size_t i = 0; i < k.size(); ++i)
    if (!root[i] && k[i] > 0) return true;
  return false;
}

std::string rest_pose_name(const Creature& c, const std::string& asked, Act act) {
  if (asked != "auto") {
    if (asked != "stand" && asked != "rest") check_pose(c, asked);
    return asked;
  }
  if (act == Act::push_cart && c.has_pose("cart")) return "cart";
  if ((act == Act::run || act == Act::gallop) && c.has_pose("run")) return "run";
  return "stand";
}

// An offset along a mode; one that moves already rests elsewhere.
void add_posture(const ModeUse& posture, ModalResult& r) {
  for (ModeUse& use : r.uses)
    if (use.mode == posture.mode) {
      use.beta += posture.beta, use.role += "; " + posture.role;
      return;
    }
  r.uses.push_back(posture);
  r.uses.back().hz = r.pace.hz;
}

std::vector<double> stiffness_of(const World& world, const ModesOptions& o, const std::vector<double>& q,
                                 const Run& run, ModalResult& r) {
  const Creature& c = world.body;
  const auto shaped = [&](std::vector<double> k) {
    multiply_spine(c, o.spine, k);
    for (const std::string& text : o.joint_stiffness) set_joint_stiffness(c, text, k);
    return k;
  };
  if (o.stiffness == "file" && has_springs(c)) return shaped(file_stiffness(c));
  if (o.stiffness != "file" && o.stiffness != "auto") {
    const double k =
        number_of(o.stiffness, "modes: stiffness", o.stiffness, "write file, auto or a stiffness in N m/rad");
    if (!(k > 0))
      throw Error({}, "modes: stiffness", o.stiffness + " N m/rad holds nothing", "write more than 0");
    return shaped(uniform_stiffness(c, k));
  }
  // what would bend by a few degrees under the whole weight at the body's own size is a fair start
  const Box box = bounding_box(c, q);
  const double start = std::max(c.mass() * 9.81 * norm(box.upper - box.lower), 1e-9);
  if (o.stiffness == "file") return shaped(uniform_stiffness(c, start));
  const Standing standing =
      find_standing(world, q, shaped(uniform_stiffness(c, start)), std::max(o.damping, 0.02), 2, run);
  if (!standing.found)
    throw Error({}, "modes: stiffness", "'" + c.name + "' does not hold its rest pose with any stiffness",
                "choose another --pose, or a number");
  r.standing = start * standing.scale;
  std::vector<double> k = shaped(uniform_stiffness(c, start));
  for (double& value : k) value *= standing.scale;
  return k;
}

// A mode in its whole shape, the root's part too, swelling and fading.
Motion show_modes(const ModalResult& r, const World& world, const std::vector<int>& which, double seconds) {
  const double rate = world.rate;
  Motion motion;
  motion.creature = world.body;
  motion.terrain = no_terrain();
  motion.gravity = norm(world.gravity);
  const Model<double> m = make_model(world.body);
  const int frames = int(std::floor(seconds * rate + 1e-9)) + 1;
  const double each = which.empty() ? seconds : seconds / double(which.size());
  Channel shown{"mode shown", "1", 1, {}};
  std::vector<double> q(r.modes.q0.size());
  for (int f = 0; f < frames; ++f) {
    const double t = f / rate;
    const size_t k = which.empty() ? 0 : std::min(size_t(t / each), which.size() - 1);
    q = r.modes.q0;
    if (!which.empty()) {
      const double own = t - double(k) * each, fade = std::min(1.0, 4 * std::min(own, each - own) / each);
      const double a = parade_amplitude * fade * fade * (3 - 2 * fade) * sin(2 * pi * parade_hz * own);
      const Eigen::VectorXd direction = r.modes.body.col(which[k]);
      integrate_positions(m, r.modes.q0.data(), direction.data(), a, q.data());
      if (!world.body.loops.empty()) close_loops(m, world.body.loops, q);
    }
    motion.time.push_back(t);
    motion.q.insert(motion.q.end(), q.begin(), q.end());
    shown.values.push_back(which.empty() ? -1 : which[k]);
  }
  fill_velocities(m, rate, motion);
  motion.channels.push_back(std::move(shown));
  return motion;
}

// The limbs in the pose q. Throws Error for what the action lacks.
Limbs limbs_for(const Creature& c, const std::vector<double>& q, const std::string& action) {
  const std::vector<char> root = root_dofs(c);
  if (std::count(root.begin(), root.end(), 0) == 0)
    throw Error(c.where, c.name, "has no joints, so nothing can vibrate",
                "give a link a joint to its parent, such as\n"
                "  joint = { hinge = \"y\", range = [-1, 1], spring = { stiffness = 10 } }");
  if (parse_action(action) != Act::none) {
    // legs without knees are reported only where legs matter
    Limbs limbs = find_limbs(c, q);
    check_labels(c, limbs, action);
    return limbs;
  }
  try {
    return find_limbs(c, q);
  } catch (const Error&) {
    Creature legless = c;
    legless.legs.clear();
    return find_limbs(legless, q);
  }
}

// Strides a second beside those of dynamic similarity: gaits that bounce once in a stride have shorter ones
// than those that bounce twice, and people's running strides are shorter than mammals' of their size.
double rate_of(Act act) {
  if (act == Act::pronk || act == Act::hop) return bouncing_rate;
  return act == Act::skip ? skip_rate : act == Act::run ? lively_run_rate : 1;
}

// Whether the gait goes somewhere and has life.
bool lively(const ModalResult& r, const ModesOptions& o) {
  return o.life.on() && !o.air && !o.dynamic && !o.balance && r.act != Act::none && r.act != Act::jump &&
         r.act != Act::jumping_jack && !r.limbs.legs.empty();
}

// How the action goes: what the options leave open is natural for the body.
Footwork pace_of(const ModalResult& r, const ModesOptions& o, double gravity) {
  Footwork pace = footwork_of(r.act, r.limbs);
  if (o.duty > 0) pace.duty = o.duty;
  if (lively(r, o)) {
    const double unit = std::sqrt(gravity * r.limbs.hip_height);
    if (o.life.speed > 0) pace.speed = o.life.speed / unit;
    const double natural = unit / r.limbs.hip_height * strides_a_second(pace.speed);
    pace.hz = o.hz > 0 ? o.hz : natural * rate_of(r.act);
    if (r.act == Act::amble && o.duty <= 0) pace.duty = ambling;
    if (o.life.speed <= 0) pace.speed *= o.stride;
    if (r.act == Act::walk && r.limbs.girdles == 2)
      for (size_t l = 0; l < pace.phase.size(); ++l)
        if (r.limbs.fore(r.limbs.legs[l])) pace.phase[l] = fraction(pace.phase[l] - 0.25 + fore_after_hind);
    return pace;
  }
  pace.hz = o.hz > 0 ? o.hz : natural_hz(r.limbs.hip_height, gravity);
  if (o.hz <= 0 && r.act == Act::jump) pace.hz *= hop_rate;
  if (o.hz <= 0 && r.act == Act::run) pace.hz *= run_rate;
  if (o.hz <= 0 && r.limbs.legs.empty() && r.modes.rigid < r.modes.count())
    pace.hz = r.modes.frequency[size_t(r.modes.rigid)];
  return pace;
}

}  // namespace

ModalResult find_modes(const World& world, const ModesOptions& o, const Run& run) {
  ModalResult r;
  r.creature = world.body;
  const Creature& c = world.body;
  r.act = parse_action(o.action);
  r.pose = rest_pose_name(c, o.pose, r.act);
  const std::vector<double> q = rest_pose(c, r.pose);
  r.limbs = limbs_for(c, q, o.action);
  const std::vector<double> k = stiffness_of(world, o, q, run, r);
  std::vector<std::string> hold_texts = o.hold;
  if (r.act == Act::push_cart && std::find(hold_texts.begin(), hold_texts.end(), "hands") == hold_texts.end())
    hold_texts.push_back("hands");
  r.holds = parse_holds(hold_texts, c, r.limbs, q);

  const Stopwatch watch;
  r.modes = analyse(c, q, k, r.holds);
  r.analysis_seconds = watch.seconds();
  if (r.modes.count() == 0)
    throw Error(c.where, c.name, "cannot move at all: the holds leave no degree of freedom", "hold less");
  r.damping = damping_of(r.modes, o.damping);
  r.shapes = describe_modes(c, r.modes, r.limbs);
  r.pace = pace_of(r, o, norm(world.gravity));
  if (r.act != Act::none)
    r.uses = select_modes(r.modes, r.shapes, r.limbs, r.act, r.pace, {o.stride, o.arms});
  for (const std::string& text : o.mode) {
    ModeUse use = parse_mode(text, r.pace.hz, r.modes);
    std::erase_if(r.uses, [&](const ModeUse& other) { return other.mode == use.mode; });
    if (use.amplitude != 0 || use.beta != 0) r.uses.push_back(use);
  }
  for (const std::string& text : o.posture)
    add_posture(parse_posture(text, c, r.modes, r.shapes, r.limbs), r);
  // the action's own pose may bend the legs so that no mode swings them
  if (r.act != Act::none && r.uses.empty() && o.pose == "auto" && r.pose != "stand") {
    ModesOptions upright = o;
    upright.pose = "stand";
    return find_modes(world, upright, run);
  }
  if (r.act != Act::none && r.uses.empty())
    throw Error(c.where, c.name, "none of its modes moves the legs as --action " + o.action + " needs",
                "try another --pose or --stiffness");
  return r;
}

namespace {

PlantedOptions planted_options(const World& world, const ModesOptions& o, const ModalResult& r) {
  PlantedOptions planted;
  planted.hz = r.pace.hz, planted.duty = r.pace.duty, planted.phase = r.pace.phase;
  planted.turn = o.turn * pi / 180, planted.soft = o.soft * pi / 180, planted.clearance = o.clearance;
  planted.sway = o.sway >= 0 ? o.sway : r.limbs.legs.size() == 2 && r.pace.swing > 0 ? 0.25 : 0;
  planted.gravity = norm(world.gravity);
  planted.seconds = o.seconds;
  if (lively(r, o)) {
    planted.life = o.life;
    planted.life.speed = r.pace.speed * std::sqrt(norm(world.gravity) * r.limbs.hip_height);
    planted.life.sway = o.sway >= 0 ? o.sway : 1;
    planted.clearance = std::max(o.clearance, o.life.lift * swing_clearance(r.pace.speed));
    planted.heel = lively_heel;
  }
  planted.ground = !o.air && r.act != Act::none;
  const bool leaps = r.act == Act::run || r.act == Act::jump || r.act == Act::jumping_jack;
  if (leaps) planted.heel = 0;  // on its toes
  planted.in_place = r.act == Act::jump || r.act == Act::jumping_jack;
  if (r.act == Act::jumping_jack) planted.hz = 2 * r.pace.hz;
  return planted;
}

Meter simulation_meter(const ModesOptions& o, const Run& run) {
  return Meter(run, "simulating", long(o.seconds * 1000));
}

// By physics: basis, modes or single joints, pump the springs.
void make_pumped(const World& world, const ModesOptions& o, const Run& run, const Modes& basis,
                 ModalResult& r) {
  Meter meter = simulation_meter(o, run);
  const PumpOptions pumping{.seconds = o.seconds, .damping_ratio = o.damping, .watch = watch_for(meter)};
  r.motion = pump(world, basis, r.uses, pumping, r.step);
  r.travel = travel(r.motion, std::min(2 * pumping.ease, 0.5 * o.seconds));
}

void make_tuned(const World& world, const ModesOptions& o, const Run& run, ModalResult& r) {
  PumpSearch search;
  search.goal = o.tune, search.modes = o.tune_modes, search.evaluations = o.evaluations;
  search.seconds = o.seconds;
  for (const PumpSpace space : {PumpSpace::modes, PumpSpace::joints})
    if (o.tune_space == space || o.tune_space == PumpSpace::both)
      r.found.push_back(search_pump(world, r.modes, space, search, {.damping_ratio = o.damping}, run));
  r.uses = r.found[0].uses;
  make_pumped(world, o, run, r.found[0].basis, r);
}

// One mode, or the first elastic ones in turn.
void make_parade(const World& world, const ModesOptions& o, ModalResult& r) {
  if (o.show >= 0) {
    r.motion = show_modes(r, world, {o.show}, o.seconds);
    return;
  }
  std::vector<int> which;
  for (int i = r.modes.rigid; which.size() < size_t(parade_modes) && i < r.modes.count(); ++i)
    which.push_back(i);
  r.motion = show_modes(r, world, which, parade_seconds * double(which.size()));
}

void make_balanced(const World& world, const ModesOptions& o, const Run& run, ModalResult& r) {
  if (r.act == Act::none || r.pace.swing <= 0)
    throw Error({}, "modes: balance", "needs a gait that goes somewhere", "try --action walk");
  PlantedOptions planted = planted_options(world, o, r);
  planted.clearance = std::max(planted.clearance, 0.05);  // feet must not catch on the ground
  planted.heel = 1;                                       // whole feet to stand on
  // straight ahead on level ground: balance turns, and finds its own footholds on any other
  planted.turn = 0;
  PlantedGait gait(world.body, r.modes, r.shapes, r.limbs, r.uses, planted, Terrain{});
  Meter meter = simulation_meter(o, run);
  BalanceOptions balancing;
  balancing.seconds = o.seconds, balancing.hz = r.pace.hz, balancing.watch = watch_for(meter);
  balancing.turn = o.turn * pi / 180;
  r.motion = balance(world, r.modes, r.limbs, gait, balancing, r.step);
  r.travel = travel(r.motion, 0.2 * o.seconds);
}

void check(const World& world, const ModesOptions& o, const ModalResult& r) {
  if (o.show >= r.modes.count())
    throw Error({}, "modes: show", "there is no mode " + std::to_string(o.show),
                "they are numbered 0 to " + std::to_string(r.modes.count() - 1));
  if (o.check > 0 && !world.body.loops.empty())
    throw Error({}, "modes: check", "'" + world.body.name + "' has closed loops, which it does not handle",
                "try a body without");
}

}  // namespace

ModalResult make_modes_motion(const World& world, const ModesOptions& o, const Run& run) {
  ModalResult r = find_modes(world, o, run);
  check(world, o, r);
  stop_if_asked(run);
  if (o.check > 0) r.theory = check_theory(world.body, r.modes, o.check, run);
  if (o.tune != PumpGoal::none) {
    make_tuned(world, o, run, r);
  } else if (o.show >= 0 || r.uses.empty()) {
    make_parade(world, o, r);
  } else if (o.balance) {
    make_balanced(world, o, run, r);
  } else if (o.dynamic) {
    make_pumped(world, o, run, r.modes, r);
  } else {
    PlantedGait gait(world.body, r.modes, r.shapes, r.limbs, r.uses, planted_options(world, o, r),
                     world.terrain);
    r.motion = gait.animate(o.seconds, world.rate);
    r.kinematic = true;
    r.planted = gait.measure(r.motion);
  }
  stop_unless_kept(run);
  return r;
}

}  // namespace legwork
