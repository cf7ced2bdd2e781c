#include "methods/finish.h"

#include "base/text.h"
#include "base/version.h"
#include "creature/likely_legs.h"
#include "formats/toml/creature_toml.h"
#include "scenario/scenario.h"
#include "sim/check_world.h"

namespace legwork {

namespace {

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

CallCrew::CallCrew(Crew& crew, const World& world, const Scenario& call)
    : crew_(crew), call_(std::string(version()) + "\n" + text_of(call) + write_creature_toml(world.body)) {}

namespace {

// A drawn motion has no forces that would hold its feet: how well they stand is measured, by the measure of
// `legwork gait`, whatever the method knows of its own points.
void tell_footing(const Gait& gait, Account& account) {
  account.statements.push_back({"measured on the motion, feet slide up to " + with_unit(gait.slip, "m") +
                                " in a stance, and reach up to " + with_unit(gait.penetration, "m") +
                                " into the ground"});
}

}  // namespace

void finish(Result& result, const World& world, const Scenario& scenario, const Stopwatch& watch) {
  Motion& motion = result.motion;
  result.given = world.body;
  result.scenario = scenario;
  if (motion.made.options.empty())
    motion.made = {scenario.verb, scenario.creature, version(), text_of(scenario), scenario.seed};
  if (!result.gait && !motion.creature.legs.empty() && motion.frames() > 0)
    result.gait = measure_gait(motion);
  if (result.gait && motion.tau.empty() && motion.duration() > 0) tell_footing(*result.gait, result.account);
  if (world.body.legs_found)
    result.account.statements.insert(
        result.account.statements.begin(),
        Statement{"its file names no legs; these were seen on the body: " + legs_in_words(world.body), {}});
  result.effort.seconds = watch.seconds();
}

}  // namespace legwork
