// legwork run: a saved scenario. legwork rerun: a result made again, bit for bit.

#include <cstring>
#include <iostream>

#include "base/text.h"
#include "base/version.h"
#include "cli/arguments.h"
#include "cli/motion_file.h"
#include "cli/motion_verb.h"
#include "formats/gltf/glb.h"
#include "load/load.h"

namespace legwork::cli {

int run(const Words& words) {
  std::string file;
  RunOptions choices;
  FileOptions files;
  OutputOptions output;
  Arguments arguments("run", "run a scenario that --save wrote, or you did",
                      "legwork drop hexapod --terrain slope:10deg --save slope.toml\n"
                      "legwork run slope.toml --out slope.glb\n"
                      "legwork run slope.toml --seed 7 --json -");
  arguments.place("FILE", file, "a scenario, .toml");
  arguments.options("The run", choices);
  arguments.options("Files", files);
  arguments.options("Output", output);
  if (!arguments.parse(words)) return fine;

  check_targets(files, output);
  Scenario scenario = read_scenario(file);
  if (arguments.given("seed")) scenario.seed = choices.seed;
  const std::unique_ptr<MotionVerb> verb = motion_verb_of(scenario);
  Task task = prepare(scenario, load_world(scenario.creature), *verb);
  task.threads = choices.threads;
  task.quiet = output.quiet;
  return deliver(*verb, make_motion(*verb, scenario.creature, task), files, output);
}

namespace {

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

// Where two motions differ: empty when they are equal, bit for bit.
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
  if (a.channels.size() != b.channels.size()) return "there are other channels";
  for (size_t i = 0; i < a.channels.size(); ++i)
    if (a.channels[i].name != b.channels[i].name || !same_bits(a.channels[i].values, b.channels[i].values))
      return "channel '" + a.channels[i].name + "' differs";
  return {};
}

}  // namespace

int rerun(const Words& words) {
  std::string file;
  RunOptions choices;
  FileOptions files;
  OutputOptions output;
  Arguments arguments("rerun",
                      "make a result again from its file alone, and say whether it is equal bit for bit",
                      "legwork rerun drop.glb\nlegwork rerun drop.glb --out again.glb");
  arguments.place("FILE", file, "a motion that Legwork wrote, .glb");
  Options run_options;
  run_options.integer("threads", choices.threads,
                      {0, 4096, "", "0 = all cores; the result does not depend on it"});
  arguments.options("The run", run_options);
  arguments.options("Files", files);
  arguments.options("Output", output);
  if (!arguments.parse(words)) return fine;

  check_targets(files, output);
  const Motion old = read_motion(file);
  if (old.made.options.empty())
    throw Error({file, 0}, "motion",
                "does not say how it was made; only motions of legwork's verbs can be rerun");
  const Scenario scenario = parse_scenario(old.made.options, file + " (scenario)");
  const std::unique_ptr<MotionVerb> verb = motion_verb_of(scenario);
  World world;
  world.body = read_given(file);
  Task task = prepare(scenario, std::move(world), *verb);
  task.threads = choices.threads;
  task.quiet = output.quiet;
  Made made = make_motion(*verb, scenario.creature, task);
  const std::string changed = difference(old, made.motion);
  std::string verdict = changed.empty() ? "equal, bit for bit" : "not equal: " + changed;
  if (!changed.empty() && old.made.version != version())
    verdict += " (made by version " + old.made.version + ", this is " + version() + ")";
  made.story.lines.push_back(verdict);
  made.story.keys["equal"] = changed.empty();
  if (!changed.empty()) made.story.keys["difference"] = changed;
  const int code = deliver(*verb, made, files, output);
  if (changed.empty()) return code;
  std::cerr << "legwork: " << file << ": " << verdict << "\n";
  return our_bug;
}

}  // namespace legwork::cli
