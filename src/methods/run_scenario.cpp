// Scenarios that run: what `legwork run` and `legwork rerun` do.

#include "methods/run_scenario.h"

#include <algorithm>
#include <cstring>
#include <map>

#include <legwork/files.h>
#include "base/text.h"
#include "formats/gltf/glb.h"
#include "methods/finish.h"
#include "scenario/scenario.h"

namespace legwork {

namespace {

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

// Where a motion made again differs from the old one: empty when all that the old one has is there, bit for
// bit. A later version may record more.
std::string difference(const Motion& a, const Motion& b) {
  if (a.status != b.status)
    return std::string("status '") + to_string(a.status) + "' became '" + to_string(b.status) + "'";
  if (a.frames() != b.frames())
    return std::to_string(a.frames()) + " frames became " + std::to_string(b.frames());
  const struct {
    const char* name;
    const std::vector<double>&a, &b;
  } arrays[] = {{"time", a.time, b.time},
                {"q", a.q, b.q},
                {"v", a.v, b.v},
                {"tau", a.tau, b.tau},
                {"contact_force", a.contact_force, b.contact_force}};
  for (const auto& array : arrays) {
    if (same_bits(array.a, array.b)) continue;
    if (array.a.size() != array.b.size()) return std::string(array.name) + " has another size";
    size_t i = 0;
    while (std::memcmp(&array.a[i], &array.b[i], sizeof(double)) == 0) ++i;
    const size_t frame = i / (array.a.size() / size_t(a.frames()));
    return std::string(array.name) + " differs from " + to_text(a.time[frame]) +
           " s on: " + to_text(array.a[i]) + " became " + to_text(array.b[i]);
  }
  std::map<std::string, size_t> searched;  // channels of b up to here; two girdles may share a name
  for (const Channel& channel : a.channels) {
    size_t& k = searched[channel.name];
    while (k < b.channels.size() && b.channels[k].name != channel.name) ++k;
    if (k == b.channels.size() || !same_bits(channel.values, b.channels[k].values))
      return "channel '" + channel.name + "' differs";
    ++k;
  }
  return {};
}

}  // namespace

std::unique_ptr<Method> method_of(const Scenario& scenario) {
  const std::vector<std::string> names = method_names();
  if (std::find(names.begin(), names.end(), scenario.verb) == names.end())
    throw Error(scenario.where, "scenario", "verb '" + scenario.verb + "' makes no motion",
                did_you_mean(scenario.verb, names));
  return make_method(scenario.verb);
}

Result run_in(World world, const Scenario& scenario, Method& method, const Run& run) {
  WorldOptions words;
  apply(scenario.world, Options(words), "world");
  apply(scenario.options, method.options(), "options");
  if (!scenario.source.empty()) world.origin.source = scenario.source;
  apply(words, world);
  Run seeded = run;
  seeded.seed = scenario.seed;
  return method.run(world, seeded);
}

std::string scenario_text(const Scenario& scenario) { return text_of(scenario); }

Result run_scenario(const Scenario& scenario, const Run& run) {
  const std::unique_ptr<Method> method = method_of(scenario);
  return run_in(load_world(scenario.creature), scenario, *method, run);
}

Rerun rerun(const std::string& path, const Run& run) {
  const Motion old = read_glb(path);
  if (old.made.options.empty())
    throw Error({path, 0}, "motion", "does not say how it was made",
                "only motions of legwork's verbs can be rerun");
  const Scenario scenario = parse_scenario(old.made.options, path + " (scenario)");
  const std::unique_ptr<Method> method = method_of(scenario);
  World world;
  world.body = read_given(path);
  remember_origin(world, scenario.creature);
  Rerun made{run_in(std::move(world), scenario, *method, run), {}, old.made.version};
  made.difference = difference(old, made.result.motion);
  return made;
}

}  // namespace legwork
