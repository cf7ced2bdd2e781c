// usage: results ROOT [NAME...]   ROOT: the source tree
// A fixed set of results, one line each: its name and the hash of all its numbers. Every compiler, level and
// processor must write the same lines (bits.sh compares them). Only the rooms that compute are in it, so that
// it can be built wherever there is a compiler: bodies come from TOML, and nothing is drawn or saved. After a
// wanted change:
//   build/tests/bits_results . > tests/bits/results.txt

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <legwork/error.h>
#include "base/random.h"
#include "direct/director.h"
#include "direct/program.h"
#include "discover/discover.h"
#include "discover/equip.h"
#include "discover/evaluate.h"
#include "formats/toml/creature_toml.h"
#include "formats/toml/program_toml.h"
#include "ground/contact.h"
#include "ground/medium.h"
#include "modes/modes.h"
#include "motion/record.h"
#include "reach/reach.h"
#include "walk/walk.h"

namespace legwork {

namespace {

std::string root;

// FNV-1a over the bytes of doubles, the low byte first.
struct Hash {
  std::uint64_t value = 14695981039346656037ull;
  void add(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    for (int i = 0; i < 8; ++i) value = (value ^ (bits >> (8 * i) & 0xff)) * 1099511628211ull;
  }
  void add(const std::vector<double>& all) {
    add(double(all.size()));
    for (const double x : all) add(x);
  }
  void add(const Motion& motion) {
    add(motion.time), add(motion.q), add(motion.v);
    for (const Channel& channel : motion.channels) add(channel.values);
  }
};

World world_of(const std::string& name, const std::string& terrain = "", const std::string& contact = "") {
  World world;
  world.body = read_creature_toml(root + "/creatures/" + name + ".toml");
  world.gravity = world.body.gravity;
  const Habitat& home = world.body.habitat;
  const std::string ground = terrain.empty() ? home.terrain : terrain;
  const std::string touch = contact.empty() ? home.contact : contact;
  if (!ground.empty()) world.terrain = parse_terrain(ground);
  if (!touch.empty()) world.contact = parse_contact(touch);
  if (!home.water.empty()) world.water = parse_medium(home.water);
  if (!home.wind.empty()) world.wind = parse_medium(home.wind);
  world.body_contact = home.body_contact;
  return world;
}

void drop(const World& world, Hash& hash) {
  SimOptions o;
  o.seconds = 1;
  const bool free =
      world.body.links[0].joints.size() && world.body.links[0].joints[0].type == JointType::free;
  if (free) o.height = 0.05, o.throw_velocity = {0.3, -0.2, 0.1}, o.spin = {0.5, -1, 2};
  hash.add(simulate(world, o));
}

void walk(const World& world, double seconds, Hash& hash) {
  WalkOptions o;
  o.seconds = seconds;
  const WalkOutcome outcome = perform_walk(world, o);
  hash.add(outcome.motion);
  hash.add(outcome.distance);
}

// Random networks, one at a time and in batches.
void discover(World world, Hash& hash) {
  world.body = equip(world.body).body;
  DiscoverOptions o;
  o.seconds = 1;
  StepOptions step = choose_step(make_system(world));
  step.max_gain = 0.1;
  const Problem problem = make_problem(world, o, step);
  std::vector<Candidate> candidates(9);
  for (size_t k = 0; k < candidates.size(); ++k) {
    Random random(5, k);
    for (int i = 0; i < problem.shape.weights(); ++i)
      candidates[k].weights.push_back(std::int8_t(random.index(5) - 2));
  }
  for (const bool scalar : {false, true})
    for (const Evaluation& e :
         Evaluator(problem, {.threads = 1, .scalar = scalar, .compiled = false})(candidates)) {
      hash.add(e.score), hash.add(e.distance), hash.add(e.period);
      for (const double x : e.descriptor) hash.add(x);
    }
}

void modes(const World& world, const std::string& action, Hash& hash) {
  ModesOptions o;
  o.action = action;
  o.seconds = 1;
  const ModalResult found = make_modes_motion(world, o);
  hash.add(found.modes.frequency);
  hash.add(found.motion);
}

void reach(const World& world, double resolution, Hash& hash) {
  ReachOptions o;
  o.resolution = resolution;
  Run run;
  run.threads = 1;
  const reaching::Findings found = reaching::find_gait(world, o, {}, run);
  hash.add(reaching::motion_of(found, o, world));
}

void direct(const World& world, const std::string& algorithm, double seconds, Hash& hash) {
  const Program program = load_program(root + "/algorithms/" + algorithm + ".toml");
  DirectorOptions o;
  o.ground = program.ground == "held"         ? Grade::held
             : program.ground == "unilateral" ? Grade::unilateral
                                              : Grade::penalty;
  o.dt = program.dt;
  Director director(world, o);
  install(program, director);
  hash.add(director.run(seconds, world.rate));
}

// What is shipped, by name.
std::vector<std::string> all_bodies() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(root + "/creatures"))
    if (file.path().extension() == ".toml") names.push_back(file.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

struct Entry {
  std::string name;
  std::function<void(Hash&)> make;
};

std::vector<Entry> all_rows() {
  std::vector<Entry> rows;
  for (const std::string& name : all_bodies())
    rows.push_back({"drop " + name, [=](Hash& h) { drop(world_of(name), h); }});
  for (const char* ground : {"rough:0.02,0.3,7", "formula:0.02*sin(10*x)*exp(-y^2),0.05,10"})
    rows.push_back(
        {"drop ragdoll on " + std::string(ground), [=](Hash& h) { drop(world_of("ragdoll", ground), h); }});
  rows.push_back({"drop hexapod, rigid", [](Hash& h) { drop(world_of("hexapod", "", "rigid"), h); }});
  rows.push_back({"drop dog, exponential", [](Hash& h) { drop(world_of("dog", "", "exponential"), h); }});
  rows.push_back({"walk roach", [](Hash& h) { walk(world_of("roach"), 0.25, h); }});
  rows.push_back({"walk dog", [](Hash& h) { walk(world_of("dog"), 1.2, h); }});
  rows.push_back({"walk biped", [](Hash& h) { walk(world_of("biped"), 1.6, h); }});
  rows.push_back(
      {"walk hexapod on steps", [](Hash& h) { walk(world_of("hexapod", "steps:0.02,0.15"), 1, h); }});
  for (const char* name : {"bounder", "fish"})
    rows.push_back({std::string("discover ") + name, [=](Hash& h) { discover(world_of(name), h); }});
  rows.push_back({"modes dog trot", [](Hash& h) { modes(world_of("dog"), "trot", h); }});
  rows.push_back({"modes human walk", [](Hash& h) { modes(world_of("human"), "walk", h); }});
  rows.push_back({"reach wills_dog", [](Hash& h) { reach(world_of("wills_dog"), 10, h); }});
  rows.push_back({"direct biped walk", [](Hash& h) { direct(world_of("biped"), "walk", 1, h); }});
  rows.push_back({"direct biped stand", [](Hash& h) { direct(world_of("biped"), "stand", 1, h); }});
  return rows;
}

}  // namespace
}  // namespace legwork

int main(int argc, char** argv) {
  if (argc < 2) return std::fputs("usage: results ROOT [NAME...]\n", stderr), 2;
  legwork::root = argv[1];
  setenv("LEGWORK_CREATURES", (legwork::root + "/creatures").c_str(), 1);  // where bases are sought
  int failed = 0;
  for (const legwork::Entry& row : legwork::all_rows()) {
    if (argc > 2 && std::find(argv + 2, argv + argc, row.name) == argv + argc) continue;
    try {
      legwork::Hash hash;
      row.make(hash);
      std::printf("%016" PRIx64 " %s\n", hash.value, row.name.c_str());
    } catch (const std::exception& e) {
      std::printf("failed %s: %s\n", row.name.c_str(), e.what());
      failed = 1;
    }
    std::fflush(stdout);
  }
  return failed;
}
