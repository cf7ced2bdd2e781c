#include "methods/finish.h"

#include <cmath>

#include "base/text.h"
#include "base/version.h"
#include "creature/check.h"
#include "creature/likely_legs.h"
#include "scenario/scenario.h"

namespace legwork {

namespace {

bool finite(const Vec3d& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

void check_world(const World& world) {
  check(world.body);
  if (!finite(world.gravity)) throw Error({}, "gravity", "is not finite");
  if (!(world.rate > 0 && world.rate < 1e7))
    throw Error({}, "rate", to_text(world.rate) + " Hz", "give frames a second, above 0");
  if (!(world.dt >= 0 && world.dt < 1e3))
    throw Error({}, "dt", to_text(world.dt) + " s", "give a time step, or 0 to choose it");
  if (!world.integrator.empty()) parse_integrator(world.integrator);
  for (const Push& push : world.pushes) {
    if (push.link < 0 || push.link >= int(world.body.links.size()))
      throw Error({}, "push",
                  "link " + std::to_string(push.link) + " is not one of the body's " +
                      std::to_string(world.body.links.size()));
    if (!finite(push.force) || !std::isfinite(push.start) || !(push.duration > 0))
      throw Error({}, "push", "its force, start and duration are not all finite, or it lasts no time");
  }
}

// Settings that somebody asked for, of the method and of the world.
std::vector<Setting> asked_settings(const World& world, const Options& options) {
  std::vector<Setting> asked = changed_settings(options);
  WorldOptions words;
  const Options described(words);  // while it holds its defaults
  words = asked_in_words(world);
  for (Setting& setting : changed_settings(described)) asked.push_back(std::move(setting));
  return asked;
}

}  // namespace

void check_arguments(const std::string& method, const World& world, const Options& options) {
  check_world(world);
  for (const Option& option : options.all()) option.set(option.get(), {}, method + ": " + option.name);
}

void check_frames(const World& world, double seconds) {
  if (seconds * world.rate > 1e7)
    throw Error({}, "rate",
                brief(world.rate) + " Hz over " + brief(seconds) + " s is more than 10 million frames",
                "lower one of them");
}

Scenario scenario_of(const std::string& method, const World& world, const WorldOptions& world_words,
                     const Options& options, const Run& run) {
  Scenario scenario;
  scenario.verb = method;
  scenario.creature = world.origin.name.empty() ? world.body.name : world.origin.name;
  scenario.seed = run.seed;
  WorldOptions words = world_words;
  scenario.world = settings_of(Options(words));
  scenario.options = settings_of(options);
  scenario.asked = asked_settings(world, options);
  return scenario;
}

std::string text_of(const Scenario& scenario) {
  WorldOptions words;
  return scenario_text(scenario, Options(words), make_method(scenario.verb)->options());
}

void finish(Result& result, const World& world, const Scenario& scenario, const Stopwatch& watch) {
  Motion& motion = result.motion;
  result.given = world.body;
  result.scenario = scenario;
  if (motion.made.options.empty())
    motion.made = {scenario.verb, scenario.creature, version(), text_of(scenario), scenario.seed};
  if (!result.gait && !motion.creature.legs.empty() && motion.frames() > 0)
    result.gait = measure_gait(motion);
  if (world.body.legs_found)
    result.account.statements.insert(
        result.account.statements.begin(),
        Statement{"its file names no legs; seen on the body: " + legs_in_words(world.body), {}});
  result.effort.seconds = watch.seconds();
}

}  // namespace legwork
