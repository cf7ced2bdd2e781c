#include "tests/scenes/rough_handling.h"

#include <algorithm>
#include <cmath>

#include <legwork/files.h>
#include <legwork/methods.h>
#include "base/random.h"
#include "base/text.h"
#include "creature/assess.h"
#include "tests/scenes/odd_body.h"

namespace legwork {

namespace {

const std::vector<std::string> grounds = {"plane",          "slope:20deg",
                                          "steps:0.05,0.3", "rough:0.03,0.4",
                                          "bumps:0.02,0.1", "formula:0.05*sin(12*x)*cos(9*y)",
                                          "rough:0.1,0.3"};

std::string text_of(const Vec3d& v) { return to_text(v.x) + "," + to_text(v.y) + "," + to_text(v.z); }

Vec3d any_direction(Random& random) {
  const Vec3d v(random.normal(), random.normal(), random.normal());
  const double length = std::sqrt(dot(v, v));
  return v * (1 / length);
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

bool is_free(const Creature& body) {
  return !body.links.empty() && !body.links[0].joints.empty() &&
         body.links[0].joints[0].type == JointType::free;
}

double number_at(const Value& values, const char* key) {
  const Value* value = values.find(key);
  return value && value->number() ? *value->number() : 0;
}

}  // namespace

Fall random_fall(std::uint64_t seed, int number) {
  static const std::vector<ShippedCreature> bodies = shipped_creatures();
  Random random(seed, std::uint64_t(number));
  Fall fall;
  fall.body = bodies[size_t(random.index(int(bodies.size())))].name;
  fall.terrain = grounds[size_t(random.index(int(grounds.size())))];
  fall.height = random.uniform(0.02, 1.5);
  fall.spin = any_direction(random) * random.uniform(0, 8);
  return fall;
}

std::string command(const Fall& fall) {
  std::string line = "legwork drop " + fall.body + " --terrain '" + fall.terrain + "'";
  if (fall.height > 0) line += " --height " + to_text(fall.height) + "m";
  if (dot(fall.spin, fall.spin) > 0) line += " --spin=" + text_of(fall.spin);
  if (dot(fall.throw_velocity, fall.throw_velocity) > 0) line += " --throw=" + text_of(fall.throw_velocity);
  return line;
}

Verdict judge(const Result& result) {
  const Motion& m = result.motion;
  Verdict verdict;
  verdict.finite = all_finite(m.time) && all_finite(m.q) && all_finite(m.v) && all_finite(m.tau) &&
                   all_finite(m.contact_force);
  for (const Channel& channel : m.channels) verdict.finite = verdict.finite && all_finite(channel.values);
  verdict.diverged = m.status == Status::diverged;
  verdict.status = m.status_text;
  if (const Value* energy = result.account.values.find("energy")) verdict.gain = number_at(*energy, "gain");
  verdict.depth = number_at(result.account.values, "penetration");
  return verdict;
}

Verdict handle(const Fall& fall, double dt) {
  WorldOptions ground;
  ground.terrain = fall.terrain;
  ground.dt = dt;
  const World world = load_world(fall.body, ground);
  DropOptions options;
  options.height = to_text(fall.height) + "m";
  if (is_free(world.body)) {
    options.spin = fall.spin, options.throw_velocity = fall.throw_velocity;
  }
  return judge(drop(world, options));
}

Ordeal ordeal(std::uint64_t seed, int number) {
  Ordeal result;
  result.body = "odd_" + std::to_string(number);
  try {
    const Creature creature = parse_creature(odd_body(seed, number), result.body + ".toml");
    const Vec3d edges = assess(creature).size;
    result.size = std::max({edges.x, edges.y, edges.z});
    Random random(seed + 1, std::uint64_t(number));
    WorldOptions ground;
    ground.terrain = grounds[size_t(random.index(int(grounds.size())))];
    const World world = world_of(creature, ground);
    const bool walks = !creature.legs.empty() && random.index(2), thrown = random.index(2);
    result.what = walks ? "walk" : thrown ? "throw" : "drop";
    if (walks) {
      result.verdict = judge(walk(world, {.seconds = 2}));
    } else {
      DropOptions options;
      options.height = to_text(random.uniform(0.1, 2) * result.size) + "m";
      if (thrown) {
        const double speed = std::sqrt(9.81 * result.size);
        options.throw_velocity = any_direction(random) * random.uniform(0, 3 * speed);
        options.spin = any_direction(random) * random.uniform(0, 3 * speed / result.size);
      }
      result.verdict = judge(drop(world, options));
    }
  } catch (const Error& e) {
    result.refused = true, result.verdict.status = e.what();
  }
  return result;
}

}  // namespace legwork
