#include "cli/motion_verb.h"

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "base/version.h"
#include "cli/arguments.h"
#include "cli/direct.h"
#include "cli/discover.h"
#include "cli/drop.h"
#include "cli/gait_words.h"
#include "cli/modes.h"
#include "cli/motion_file.h"
#include "cli/page.h"
#include "cli/reach.h"
#include "cli/script.h"
#include "cli/walk.h"
#include "formats/file.h"
#include "load/load.h"

namespace legwork::cli {

namespace fs = std::filesystem;

namespace {

using Factory = std::unique_ptr<MotionVerb> (*)();
constexpr struct {
  const char* name;
  Factory make;
} motion_verbs[] = {
    {"drop", make_drop},   {"walk", make_walk},   {"discover", make_discover}, {"direct", make_direct},
    {"modes", make_modes}, {"reach", make_reach}, {"script", make_script},
};

std::unique_ptr<MotionVerb> make_motion_verb(const std::string& name) {
  for (const auto& verb : motion_verbs)
    if (name == verb.name) return verb.make();
  return nullptr;
}

// A name that means the same creature from the scenario's folder.
std::string seen_from(const std::string& creature, const std::string& scenario_file) {
  std::error_code failed;
  if (!fs::is_regular_file(creature, failed)) return creature;
  fs::path folder = fs::path(scenario_file).parent_path();
  if (folder.empty()) folder = ".";
  const fs::path path = fs::proximate(creature, folder, failed);
  return failed || path.empty() ? creature : path.string();
}

// The scenario's text; the command in it says what was asked, the tables also what was chosen.
std::string scenario_of(const MotionVerb& verb, const Made& made, const std::string& creature,
                        std::uint64_t seed) {
  WorldOptions asked, world = made.world;
  const Options differences(asked);  // from the defaults, which it still holds here
  asked = made.asked;
  const std::string command = command_line(verb.name(), creature, seed, differences, verb.options());
  return scenario_text(command, verb.name(), creature, seed, Options(world), verb.options(), verb.source());
}

double realtime_factor(const Motion& motion) {
  return motion.wall_seconds > 0 ? motion.duration() / motion.wall_seconds : 0;
}

}  // namespace

std::unique_ptr<MotionVerb> motion_verb_of(const Scenario& scenario) {
  std::unique_ptr<MotionVerb> verb = make_motion_verb(scenario.verb);
  std::vector<std::string> names;
  for (const auto& known : motion_verbs) names.push_back(known.name);
  if (!verb)
    throw Error(scenario.where, "scenario",
                "verb '" + scenario.verb + "' makes no motion" + did_you_mean(scenario.verb, names));
  return verb;
}

Task prepare(const Scenario& scenario, World world, MotionVerb& verb) {
  Task task;
  task.world = std::move(world);
  task.seed = scenario.seed;
  verb.set_source(scenario.source);
  apply(scenario.world, Options(task.asked), "world");
  apply(scenario.options, verb.options(), "options");
  apply(task.asked, task.world);
  return task;
}

Made make_motion(MotionVerb& verb, const std::string& creature, const Task& task) {
  StepOptions step;
  Made made;
  verb.begin(creature);
  made.motion = verb.make(task, step);
  made.given = task.world.body;
  made.asked = task.asked;
  made.world = verb.effective(task, step);
  made.motion.made = {verb.name(), creature, version(), scenario_of(verb, made, creature, task.seed),
                      task.seed};
  made.story = verb.tell(made.motion, task);
  return made;
}

Json common_keys(const Motion& motion) {
  const bool legged = !motion.creature.legs.empty() && motion.frames() > 0;
  Json json = {{"verb", motion.made.verb},
               {"creature", motion.made.creature},
               {"seed", motion.made.seed},
               {"version", motion.made.version},
               {"status", to_string(motion.status)},
               {"status_text", motion.status_text},
               {"fell", motion.status == Status::fell || (legged && has_fallen(motion))},
               {"realtime_factor", realtime_factor(motion)},
               {"duration", motion.duration()},
               {"frames", motion.frames()}};
  if (legged) json["gait"] = gait_summary(measure_gait(motion));
  return json;
}

Json summary(const Made& made) {
  Json json = common_keys(made.motion);
  for (const auto& [key, value] : made.story.keys.items()) json[key] = value;
  return json;
}

namespace {

// A line of the terminal as a sentence of the page: capitalized, without the clause that leads to indented
// lines.
std::string sentence_of(std::string line) {
  if (line.back() == ':') line.resize(std::min(line.rfind(';'), line.size() - 1));
  if (line[0] >= 'a' && line[0] <= 'z') line[0] = char(line[0] - 'a' + 'A');
  return line;
}

// Indented lines are tables and diagrams for a terminal; the page has its own.
Account account_of(const Story& story) {
  std::vector<std::string> sentences;
  for (const std::string& line : story.lines)
    if (!line.empty() && line[0] != ' ') sentences.push_back(sentence_of(line));
  return {story.about.empty() ? join(sentences, ". ") : story.about, story.measures, story.panels};
}

}  // namespace

int deliver(const MotionVerb& verb, const Made& made, const FileOptions& files,
            const OutputOptions& options) {
  const Motion& motion = made.motion;
  const Output output(options);
  for (const std::string& line : made.story.lines) output.say(line);
  output.say("computed in " + with_unit(motion.wall_seconds, "s") +
             (motion.duration() > 0 ? ", " + brief(realtime_factor(motion)) + " times real time" : ""));
  if (motion.status != Status::ok) output.say("status: " + motion.status_text);

  const Account account = account_of(made.story);
  Json json = summary(made);
  if (!files.save.empty()) {
    write_file(files.save,
               scenario_of(verb, made, seen_from(motion.made.creature, files.save), motion.made.seed));
    output.say("wrote " + files.save + "; legwork run " + files.save + " runs it again");
    json["files"]["save"] = files.save;
  }
  if (!files.report.empty()) {
    std::vector<Showing> page = {{&motion, made.story.title, account.text, account.measures, account.panels}};
    page.insert(page.end(), made.story.more.begin(), made.story.more.end());
    write_page(page, files.report, motion.creature.name + ", " + verb.name());
    output.say("wrote " + files.report + "; open it in a browser");
    json["files"]["report"] = files.report;
  }
  if (!files.out.empty()) {
    write_motion(motion, files.out, account, made.given);
    output.say("wrote " + files.out);
    json["files"]["out"] = files.out;
  }
  output.write(json);
  return motion.status == Status::ok ? fine : creature_failed;
}

void check_targets(const FileOptions& files, const OutputOptions& output) {
  check_target("--out", files.out, ".glb", "legwork export makes other formats of a .glb");
  check_target("--report", files.report, ".html", "name a page");
  check_target("--save", files.save, ".toml", "name a scenario file");
  if (output.json != "-") check_target("--json", output.json);
}

int run_motion_verb(const std::string& name, const Words& words) {
  const std::unique_ptr<MotionVerb> verb = make_motion_verb(name);
  std::string creature;
  WorldOptions world;
  RunOptions run;
  FileOptions files;
  OutputOptions output;
  Arguments arguments(verb->name(), verb->purpose(), verb->examples());
  arguments.place(verb->subject().first, creature, verb->subject().second);
  arguments.options("What to do", verb->options());
  arguments.options("The world, the same for all verbs", world);
  arguments.options("The run", run);
  arguments.options("Files", files);
  arguments.options("Output", output);
  if (!arguments.parse(words)) return fine;

  check_targets(files, output);
  Task task{load_world(creature), world, run.seed, run.threads, output.quiet};
  apply(world, task.world);
  return deliver(*verb, make_motion(*verb, creature, task), files, output);
}

}  // namespace legwork::cli
