// legwork run: a saved scenario. legwork rerun: a result made again, bit for bit.

#include <iostream>

#include <legwork/study.h>
#include "base/text.h"
#include "base/version.h"
#include "cli/arguments.h"
#include "cli/motion_verb.h"

namespace legwork::cli {

namespace {

// Words of a scenario that may name a file.
std::vector<Mention> mentions(const Scenario& scenario) {
  std::vector<Mention> list = {{"the scenario's creature", scenario.creature}};
  for (const std::vector<Setting>& settings : {scenario.world, scenario.options})
    for (const Setting& setting : settings)
      for (const std::string& value : setting.values)
        list.push_back({"the scenario's " + setting.key, value});
  return list;
}

}  // namespace

int run(const Words& words) {
  std::string file;
  Run choices;
  FileOptions files;
  OutputOptions output;
  Arguments arguments("run", "run a scenario that --save wrote, or you did",
                      "legwork drop hexapod --terrain slope:10deg --save slope.toml\n"
                      "legwork run slope.toml --out slope.glb\n"
                      "legwork run slope.toml --seed 7 --json -");
  arguments.place("FILE", file, "a scenario, .toml");
  arguments.options("The run", choices);
  add_files(arguments, files, output);
  if (!arguments.parse(words)) return fine;

  Scenario scenario = read_scenario(file);
  check_spared(arguments.targets(), mentions(scenario));
  if (arguments.given("seed")) scenario.seed = choices.seed;
  std::optional<ProgressLine> line(output.quiet);
  Run run = run_of(choices, *line);
  run.keep_partial = true;
  const Result result = run_scenario(scenario, run);
  line.reset();
  return deliver(result, files, output);
}

int rerun(const Words& words) {
  std::string file;
  Run choices;
  FileOptions files;
  OutputOptions output;
  Arguments arguments("rerun",
                      "make a result again from its file alone, and say whether it is equal bit for bit",
                      "legwork rerun drop.glb\nlegwork rerun drop.glb --out again.glb");
  arguments.place("FILE", file, "a motion that Legwork wrote, .glb");
  Options run_options;
  run_options.integer("threads", choices.threads,
                      {0, 4096, "", "threads to use; 0 = all cores; the result does not depend on it"});
  arguments.options("The run", run_options);
  add_files(arguments, files, output);
  if (!arguments.parse(words)) return fine;

  std::optional<ProgressLine> line(output.quiet);
  Rerun made = legwork::rerun(file, run_of(choices, *line));
  line.reset();
  const std::string& changed = made.difference;
  std::string verdict = changed.empty() ? "equal, bit for bit" : "not equal: " + changed;
  if (!changed.empty() && made.version != version())
    verdict += " (made by version " + made.version + ", this is " + version() + ")";
  made.result.account.statements.push_back({verdict});
  made.result.account.values["equal"] = changed.empty();
  if (!changed.empty()) made.result.account.values["difference"] = changed;
  const int code = deliver(made.result, files, output);
  if (changed.empty()) return code;
  std::cerr << "legwork: " << file << ": " << verdict << "\n";
  return our_bug;
}

}  // namespace legwork::cli
