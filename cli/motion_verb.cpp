#include "cli/motion_verb.h"

#include <filesystem>

#include <legwork/files.h>
#include <legwork/report.h>
#include <legwork/study.h>
#include "base/progress_line.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/interrupt.h"
#include "cli/mpi.h"
#include "formats/file.h"

namespace legwork::cli {

namespace fs = std::filesystem;

namespace {

// A name that means the same creature from the scenario's folder.
std::string seen_from(const std::string& creature, const std::string& scenario_file) {
  std::error_code failed;
  if (!fs::is_regular_file(creature, failed)) return creature;
  fs::path folder = fs::path(scenario_file).parent_path();
  if (folder.empty()) folder = ".";
  const fs::path path = fs::proximate(creature, folder, failed);
  return failed || path.empty() ? creature : path.string();
}

double realtime_factor(const Result& result) {
  return result.effort.seconds > 0 ? result.motion.duration() / result.effort.seconds : 0;
}

void say(const Result& result, const Output& output) {
  for (const Statement& statement : result.account.statements) {
    output.say(statement.text);
    for (const std::string& line : statement.lines) output.say("  " + line);
  }
  const Effort& effort = result.effort;
  for (const std::string& statement : effort.statements) output.say(statement);
  const bool moved = result.motion.duration() > 0;
  output.say("computed in " + with_unit(effort.seconds, "s") +
             (moved ? ", " + brief(realtime_factor(result)) + " times real time" : ""));
  if (result.motion.status != Status::ok) output.say("status: " + result.motion.status_text);
}

}  // namespace

Json common_keys(const Motion& motion) { return Json::parse(to_json(summary(motion))); }

int deliver(const Result& result, const FileOptions& files, const OutputOptions& options) {
  const Motion& motion = result.motion;
  const Output output(options);
  say(result, output);
  Json json = Json::parse(to_json(summary(result)));
  const bool nothing =
      motion.frames() == 0 && motion.status != Status::ok;  // it failed before its first frame
  if (nothing && !(files.out.empty() && files.report.empty()))
    output.say("no frame was recorded, so there is no motion to write");
  if (!files.save.empty()) {
    Scenario scenario = result.scenario;
    scenario.creature = seen_from(scenario.creature, files.save);
    write_file(files.save, scenario_text(scenario));
    output.say("wrote " + files.save + "; legwork run " + files.save + " runs it again");
    json["files"]["save"] = files.save;
  }
  if (!files.report.empty() && !nothing) {
    // of several motions by one verb, such as evolve's by discover
    const bool own = result.scenario.verb == motion.made.verb || result.scenario.verb.empty();
    write_report(result, files.report,
                 {.title = own ? motion.creature.name + ", " + motion.made.verb
                               : result.scenario.creature + ", " + result.scenario.verb});
    output.say("wrote " + files.report + "; open it in a browser");
    json["files"]["report"] = files.report;
  }
  if (!files.out.empty() && !nothing) {
    save(result, files.out);
    output.say("wrote " + files.out);
    json["files"]["out"] = files.out;
  }
  output.write(json);
  if (interrupted()) return interrupted_by_user;
  return motion.status == Status::ok ? fine : creature_failed;
}

void add_files(Arguments& arguments, FileOptions& files, OutputOptions& output) {
  arguments.options("Files", files);
  arguments.options("Output", output);
  arguments.writes("out", ".glb", "legwork export makes other formats of a .glb");
  arguments.writes("report", ".html", "name a page");
  arguments.writes("save", ".toml", "name a scenario file");
}

Run run_of(const Run& asked, ProgressLine& line) {
  Run run = asked;
  run.progress = [&line](const Progress& progress) { line.show(progress); };
  run.stop = interrupted;
  return run;
}

int run_method(const std::string& name, const Words& words) {
  const std::unique_ptr<Method> method = make_method(name);
  std::string creature;
  WorldOptions world;
  Run asked;
  FileOptions files;
  OutputOptions output;
  Arguments arguments(method->name(), method->purpose(), method->examples());
  arguments.place(method->subject().first, creature, method->subject().second);
  arguments.options("What to do", method->options());
  arguments.options("The world, the same for all verbs", world);
  arguments.options("The run", asked);
  add_files(arguments, files, output);
  arguments.writes("log");
  if (!arguments.parse(words)) return fine;

  const World loaded = load_world(creature, world);
  const Processes processes(is_shared(name, words));
  if (!processes.works_only()) check_spared(arguments.targets(), sources(loaded));
  std::optional<ProgressLine> line(output.quiet || processes.works_only());
  Run run = run_of(asked, *line);
  run.keep_partial = true;
  run.crew = processes.crew();
  const Result result = method->run(loaded, run);
  line.reset();
  return processes.works_only() ? fine : deliver(result, files, output);
}

}  // namespace legwork::cli
