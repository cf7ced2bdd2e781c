// Balanced walks as a multiple of real time on one core, the time of one update of the controller,
// and how both grow with legs and joints.

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include <legwork/files.h>
#include "bench/rows.h"
#include "control/driven_body.h"
#include "creature/strength.h"
#include "formats/toml/creature_toml.h"
#include "walk/walk.h"

using namespace legwork;
using namespace legwork::bench;

namespace {

constexpr int rounds = 5;

double cpu_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

struct Cost {
  double factor = 0;  // simulated seconds a second
  double update = 0;  // us of one update of the controller
  int dofs = 0;
};

Motion walked(const World& world, double seconds) {
  WalkOptions options;
  options.seconds = seconds;
  options.control = WalkOptions::Control::balance;
  WalkOutcome r = perform_walk(world, options);
  if (r.motion.status != Status::ok)
    std::printf("%s: %s\n", world.body.name.c_str(), r.motion.status_text.c_str());
  return std::move(r.motion);
}

// The controller alone, asked again at every frame of a walk; s a time.
double update_time(const World& world, const Motion& motion, const LeggedBody& body) {
  const Channel& loads = *motion.channel("leg loads");
  const std::size_t nq = std::size_t(motion.creature.nq()), nv = std::size_t(motion.creature.nv()),
                    legs = body.legs.size();
  std::vector<std::vector<double>> q, v, load;
  for (std::size_t f = 0; f < motion.time.size(); ++f) {
    const auto row = [&](const std::vector<double>& all, std::size_t width) {
      return std::vector<double>(all.begin() + long(f * width), all.begin() + long((f + 1) * width));
    };
    q.push_back(row(motion.q, nq)), v.push_back(row(motion.v, nv)), load.push_back(row(loads.values, legs));
  }
  LeggedController control(body);
  control.schedule = choose_schedule(body, 0, 0, control.state.there);
  control.start(motion.time[0], q[0], 0, world.terrain);
  LegCommand command;
  command.speed = control.schedule.speed;
  const double start = cpu_seconds();
  for (std::size_t f = 1; f < motion.time.size(); ++f)
    control.update(motion.time[f], q[f], v[f], load[f], world.terrain, command);
  return (cpu_seconds() - start) / double(motion.time.size() - 1);
}

// The time of a long walk less that of a short one, the best of some, so that neither laying the body on the
// ground nor a busy machine counts.
Cost cost_of(World world, double seconds) {
  Cost best;
  best.dofs = world.body.nv();
  best.update = unlimited;
  World bare = world;
  bare.body.actuators.clear();
  const System<double> system = make_system(bare);
  const LeggedBody body = make_legged_body(system, dof_strengths(world.body));
  for (int round = 0; round < rounds; ++round) {
    double spent[2];
    for (const int i : {0, 1}) {
      const double start = cpu_seconds();
      walked(world, i == 0 ? 0.25 * seconds : 1.25 * seconds);
      spent[i] = cpu_seconds() - start;
    }
    best.factor = std::max(best.factor, seconds / (spent[1] - spent[0]));
  }
  world.rate = body.rate / control_step;
  const Motion motion = walked(world, 0.5 * seconds);
  for (int round = 0; round < rounds; ++round)
    best.update = std::min(best.update, 1e6 * update_time(world, motion, body));
  return best;
}

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", x);
  return text;
}

// Pairs of legs under a box, each of a hip hinge about x and `bends` hinges about y in a zigzag; hips 1 m
// high.
World many_legs(int pairs, int bends) {
  std::string text = "name = \"" + std::to_string(2 * pairs) + " legs\"\nangles = \"deg\"\nmirror = true\n";
  text += "[[link]]\nname = \"trunk\"\nat = [0, 0, 1]\ndensity = 500\nshape = { box = [" +
          number(0.6 * pairs) + ", 0.4, 0.3] }\n";
  const double piece = 1 / (bends * 0.93969262);  // of segments at 20 degrees
  for (int p = 0; p < pairs; ++p) {
    const std::string leg = "r" + std::to_string(p + 1), x = number(0.6 * (p - 0.5 * (pairs - 1)));
    text += "[[link]]\nname = \"" + leg + "_hip\"\nparent = \"trunk\"\nat = [" + x +
            ", -0.25, 0]\njoint = { hinge = \"x\", range = [-40, 40] }\nshape = { sphere = 0.06, touches = "
            "false }\n";
    std::string parent = leg + "_hip";
    for (int k = 0; k < bends; ++k) {
      const std::string own = leg + "_" + std::to_string(k + 1);
      const double turn = k == 0 ? 20 : (k % 2 ? -40 : 40);
      text += "[[link]]\nname = \"" + own + "\"\nparent = \"" + parent + "\"\nat = { pos = [0, 0, " +
              number(k == 0 ? 0 : -piece) + "], rot = [0, " + number(turn) +
              ", 0] }\njoint = { hinge = \"y\", range = [-60, 60] }\nshape = { capsule = " +
              number(k + 1 < bends ? 0.05 : 0.04) + ", to = [0, 0, " + number(-piece) + "]" +
              (k + 1 < bends ? ", touches = false" : "") + " }\n";
      parent = own;
    }
    text += "[[leg]]\nname = \"" + leg + "\"\nhip = \"" + leg + "_hip\"\nfoot = \"" + parent +
            "\"\ngirdle = \"" + std::to_string(p + 1) + "\"\n";
  }
  World world;
  world.body = parse_creature_toml(text, "many legs");
  return world;
}

// 29 degrees of freedom: flat feet, six hinges a leg, three in the waist, four an arm.
World humanoid() {
  const std::string text = R"(
name = "humanoid"
angles = "deg"
mirror = true
[[link]]
name = "pelvis"
at = [0, 0, 0.92]
density = 1000
shape = { box = [0.16, 0.28, 0.16], touches = false }
[[link]]
name = "chest"
parent = "pelvis"
at = [0, 0, 0.12]
joints = [{ hinge = "z", range = [-40, 40] }, { hinge = "x", range = [-20, 20] }, { hinge = "y", range = [-20, 40] }]
density = 700
shapes = [{ box = [0.2, 0.34, 0.4], pos = [0, 0, 0.22], touches = false }, { sphere = 0.11, pos = [0.02, 0, 0.58], touches = false }]
[[link]]
name = "rf_arm"
parent = "chest"
at = [0, -0.2, 0.38]
joints = [{ hinge = "y", range = [-90, 90] }, { hinge = "x", range = [-60, 60] }, { hinge = "z", range = [-60, 60] }]
shape = { capsule = 0.04, to = [0, -0.02, -0.28], touches = false }
[[link]]
name = "rf_forearm"
parent = "rf_arm"
at = [0, -0.02, -0.28]
joint = { hinge = "y", range = [-110, 5] }
shape = { capsule = 0.035, to = [0.06, 0, -0.25], touches = false }
[[link]]
name = "r_thigh"
parent = "pelvis"
at = { pos = [0, -0.1, -0.04], rot = [0, -14, 0] }
joints = [{ hinge = "z", range = [-40, 40] }, { hinge = "x", range = [-30, 30] }, { hinge = "y", range = [-90, 50] }]
shape = { capsule = 0.065, to = [0, 0, -0.41], touches = false }
[[link]]
name = "r_shank"
parent = "r_thigh"
at = { pos = [0, 0, -0.41], rot = [0, 27, 0] }
joint = { hinge = "y", range = [-26, 110] }
shape = { capsule = 0.045, to = [0, 0, -0.4], touches = false }
[[link]]
name = "r_foot"
parent = "r_shank"
at = { pos = [0, 0, -0.4], rot = [0, -13, 0] }
joints = [{ hinge = "y", range = [-50, 40] }, { hinge = "x", range = [-25, 25] }]
shape = { box = [0.26, 0.1, 0.04], pos = [0.05, 0, -0.06] }
[[leg]]
name = "r"
hip = "r_thigh"
knee = "r_shank"
foot = "r_foot"
)";
  World world;
  world.body = parse_creature_toml(text, "humanoid");
  return world;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<bench::Row> rows;
  const auto add = [&](const std::string& name, double value, const std::string& unit, double least = 0) {
    bench::Row row;
    row.name = name, row.value = value, row.unit = unit;
    row.target = least, row.at_least = row.on_value = true;
    print(row), rows.push_back(std::move(row));
  };
  const auto add_both = [&](const std::string& name, const Cost& cost, double least = 0) {
    const std::string whole = name + ", " + std::to_string(cost.dofs) + " dofs";
    add(whole + ": balanced walk", cost.factor, "x real time", least);
    add(whole + ": one update of the controller", cost.update, "us");
  };
  add_both("quadruped", cost_of(load_world("quadruped"), 4), 10);
  add_both("dog", cost_of(load_world("dog"), 2), 4.2);
  add_both("humanoid", cost_of(humanoid(), 3), 5);
  add_both("human", cost_of(load_world("human"), 1.5));
  add_both("octopod", cost_of(load_world("octopod"), 2));
  for (const int pairs : {2, 4, 8})
    add_both(std::to_string(2 * pairs) + " legs of 3 hinges", cost_of(many_legs(pairs, 2), 4));
  for (const int bends : {3, 4, 6})
    add_both("4 legs of " + std::to_string(bends + 1) + " hinges", cost_of(many_legs(2, bends), 4));
  const std::string file = json_argument(argc, argv);
  if (!file.empty()) add_to_json(file, rows);
}
