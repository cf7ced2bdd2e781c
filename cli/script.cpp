// legwork script: a file of corpus commands (McKenna 1990) builds figures, gives them gaits and moves them.

#include "cli/script.h"

#include <cmath>
#include <filesystem>

#include "base/meter.h"
#include "base/text.h"
#include "cli/legacy.h"
#include "cli/motion_verb.h"
#include "corpus/command.h"
#include "corpus/corpus.h"
#include "corpus/script.h"
#include "formats/file.h"
#include "walk/walk.h"

namespace legwork::cli {

namespace {

struct ScriptOptions {
  std::vector<std::string> then;
  double seconds = 0;
  std::string log;
};

template <class Visitor>
void describe(Visitor& v, ScriptOptions& o) {
  v.texts("then", o.then, {"COMMAND"},
          "a command to run after the script, such as 'speed 1' or 'go 2400'; may be repeated");
  v.number("seconds", o.seconds, {0, 3600, "s", "how long to go on after the script's last command"});
  v.file("log", o.log, "write what the script prints to this file");
}

std::string command_list() {
  std::string text = "\n\nCommands of the language (docs/corpus.md tells more)\n";
  for (const CorpusCommandGroup& group : corpus_commands()) {
    std::vector<std::string> names;
    for (const CorpusCommand& command : group.commands) names.push_back(command.name);
    text += "  " + std::string(group.title);
    std::size_t width = 100;
    for (const std::string& name : names) {
      if (width + 1 + name.size() > 100) text += "\n   ", width = 3;
      text += " " + name;
      width += 1 + name.size();
    }
    text += "\n";
  }
  return text;
}

class Script : public MotionVerb {
 public:
  std::string name() const override { return "script"; }
  std::string purpose() const override {
    return "run a script of corpus commands: build figures, set springs and gaits, go";
  }
  std::string examples() const override {
    return "legwork script examples/roach.corpus --out roach.glb --report roach.html\n"
           "legwork script examples/roach_jumps.corpus --out jump.glb\n"
           "legwork script examples/roach.corpus --then 'speed 3' --then 'go 2400' --friction 0.4\n"
           "legwork script my.corpus --seconds 2 --integrator rk4 --json -" +
           command_list();
  }
  std::pair<std::string, std::string> subject() const override { return {"FILE", "a script, .corpus"}; }
  const Options& options() const override { return described_; }

  void begin(const std::string& file) override {
    file_ = file;
    if (!source_.empty()) return;
    if (std::filesystem::path(file).extension() != ".corpus")
      throw Error({file, 0}, "script",
                  "does not end in .corpus; give a script, or use legwork drop for a body");
    source_ = gather_corpus(file);
  }
  std::string source() const override { return source_; }
  void set_source(const std::string& text) override { source_ = text; }
  // Whatever the script says stays the script's: the scenario names only what was asked for.
  WorldOptions effective(const Task& task, const StepOptions&) const override { return task.asked; }

  Motion make(const Task& task, StepOptions& step) override {
    CorpusOptions options;
    options.world = task.asked;
    options.then = options_.then;
    options.seconds = options_.seconds;
    Meter progress(task.run, "frames", frames_to_go());
    options.watch = [&](double) {
      progress.advance();
      return !task.run.stopped();
    };
    run_ = run_corpus(source_, file_, options);
    stop_if_interrupted(task);
    step = run_.step;
    if (!options_.log.empty()) write_file(options_.log, join(run_.printed, "\n") + "\n");
    return std::move(run_.motion);
  }

  Story tell(const Motion& motion, const Task&) const override {
    const Creature& body = motion.creature;
    const double length = trunk_length(body);
    Story story;
    story.lines.push_back(body.name + ": " + std::to_string(body.links.size()) + " bodies, " +
                          std::to_string(body.nv()) + " degrees of freedom, " +
                          with_unit(1000 * body.mass(), "g") + ", " + with_unit(length, "m") + " long");
    if (motion.frames() < 2) {
      story.lines.push_back("the script moves nothing: it has no go; try --seconds 2");
    } else {
      const Channel* com = motion.channel("center of mass");
      const std::size_t last = com->values.size() - 3;
      const double dx = com->values[last] - com->values[0], dy = com->values[last + 1] - com->values[1];
      story.lines.push_back("moved for " + brief(motion.duration()) + " s, by " +
                            with_unit(std::hypot(dx, dy), "m"));
    }
    if (run_.attachments > 0)
      story.lines.push_back(std::to_string(run_.breaks) + " of " + std::to_string(run_.attachments) +
                            " attachments broke");
    tell_printed(story);
    story.keys = {{"mass", body.mass()},
                  {"length", length},
                  {"breaks", run_.breaks},
                  {"attachments", run_.attachments},
                  {"dynamics_calls", run_.dynamics_calls},
                  {"printed", run_.printed}};
    return story;
  }

 private:
  // What the script's own `go` lines add up to.
  long frames_to_go() const {
    double frames = 0, iterations = 1;
    for (const CorpusLine& line : parse_corpus(source_, file_)) {
      const std::string command = line.command->name;
      if (command == "iter") iterations = corpus_number(line.words[0]);
      if (command == "go") frames += iterations * (line.words.empty() ? 1 : corpus_number(line.words[0]));
    }
    return std::max(1L, long(frames));
  }
  void tell_printed(Story& story) const {
    constexpr std::size_t most = 12;
    const std::vector<std::string>& printed = run_.printed;
    const std::size_t hidden = printed.size() > most ? printed.size() - most : 0;
    if (hidden > 0)
      story.lines.push_back("the script printed " + std::to_string(printed.size()) +
                            " lines, --log FILE writes them; the last:");
    for (std::size_t i = hidden; i < printed.size(); ++i) story.lines.push_back("  " + printed[i]);
  }

  ScriptOptions options_;
  Options described_{options_};
  std::string file_, source_;
  CorpusRun run_;
};

}  // namespace

std::unique_ptr<MotionVerb> make_script() { return std::make_unique<Script>(); }

int script(const Words& words) { return run_method("script", words); }

}  // namespace legwork::cli
