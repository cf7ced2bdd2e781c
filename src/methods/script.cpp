// script: a file of corpus commands (McKenna 1990) builds figures, gives them gaits and moves them.

#include <cmath>

#include "base/text.h"
#include "corpus/command.h"
#include "corpus/corpus.h"
#include "formats/file.h"
#include "math/scalar.h"
#include "methods/finish.h"
#include "methods/method_of.h"
#include "walk/walk.h"

namespace legwork {

namespace {

Statement printed_lines(const std::vector<std::string>& printed) {
  constexpr size_t most = 12;
  const size_t hidden = printed.size() > most ? printed.size() - most : 0;
  std::string text =
      "the script printed " + std::to_string(printed.size()) + (printed.size() == 1 ? " line" : " lines");
  if (hidden > 0) text += ", --log FILE writes them; the last " + std::to_string(most);
  return {text, {printed.begin() + long(hidden), printed.end()}};
}

Account tell(const CorpusRun& done) {
  const Motion& motion = done.motion;
  const Creature& body = motion.creature;
  const double length = trunk_length(body);
  Account account;
  std::vector<Statement>& list = account.statements;
  list.push_back({body.name + " has " + std::to_string(body.links.size()) + " bodies and " +
                  std::to_string(body.nv()) + " degrees of freedom, weighs " +
                  with_unit(1000 * body.mass(), "g") + " and is " + with_unit(length, "m") + " long"});
  if (!(motion.duration() > 0)) {
    list.push_back({"the script moves nothing: it has no go; try --seconds 2"});
  } else {
    const std::vector<double>& com = motion.channel("center of mass")->values;
    const size_t last = com.size() - 3;
    list.push_back({"it moved for " + brief(motion.duration()) + " s, by " +
                    with_unit(hypot(com[last] - com[0], com[last + 1] - com[1]), "m")});
  }
  if (done.attachments > 0)
    list.push_back(
        {std::to_string(done.breaks) + " of " + std::to_string(done.attachments) + " attachments broke"});
  if (!done.printed.empty()) list.push_back(printed_lines(done.printed));
  account.values = {{"mass", body.mass()},
                    {"length", length},
                    {"breaks", done.breaks},
                    {"attachments", done.attachments},
                    {"dynamics_calls", done.dynamics_calls},
                    {"printed", done.printed}};
  return account;
}

// The commands of the language, for help.
std::string command_list() {
  std::string text = "\n\nCommands of the language (docs/corpus.md has more)\n";
  for (const CorpusCommandGroup& group : corpus_commands()) {
    text += "  " + std::string(group.title);
    size_t width = 100;
    for (const CorpusCommand& command : group.commands) {
      const std::string name = command.name;
      if (width + 1 + name.size() > 100) text += "\n   ", width = 3;
      text += " " + name;
      width += 1 + name.size();
    }
    text += "\n";
  }
  return text;
}

}  // namespace

void describe(Options& v, ScriptOptions& o) {
  v.texts("then", o.then, {"COMMAND"},
          "a command to run after the script, such as 'speed 1' or 'go 2400'; may be repeated");
  v.number("seconds", o.seconds, {0, 3600, "s", "how long to go on after the script's last command"});
  v.file("log", o.log, "write what the script prints to this file");
}

// The script builds its bodies and its world itself. Of the world given, its script counts, and what somebody
// asked for, which wins over the script.
Result script(const World& world, const ScriptOptions& asked, const Run& run) {
  const Call call("script", world, asked, run);
  const ScriptOptions& options = call.options;
  check_frames(world, options.seconds);
  const std::string &source = world.origin.source, &file = world.origin.name;
  if (source.empty())
    throw Error({file, 0}, "script", "does not end in .corpus",
                "give a script, or use legwork drop for a body");
  if (!options.log.empty()) check_can_write(options.log);

  CorpusOptions corpus;
  corpus.world = asked_in_words(world);
  corpus.then = options.then;
  corpus.seconds = options.seconds;
  CorpusRun done = run_corpus(source, file, corpus, run);
  if (!options.log.empty()) write_file(options.log, join(done.printed, "\n") + "\n");

  // Whatever the script says stays the script's: the scenario names only what was asked for.
  Scenario scenario = call.scenario(corpus.world);
  scenario.source = source;
  Result result;
  result.account = tell(done);
  result.motion = std::move(done.motion);
  call.finish(result, scenario);
  return result;
}

std::unique_ptr<Method> script_method() {
  return std::make_unique<MethodOf<ScriptOptions>>(
      MethodText{"script",
                 "run a script of corpus commands: build figures, set springs and gaits, go",
                 "legwork script examples/roach.corpus --out roach.glb --report roach.html\n"
                 "legwork script examples/roach_jumps.corpus --out jump.glb\n"
                 "legwork script examples/roach.corpus --then 'speed 3' --then 'go 2400' --friction 0.4\n"
                 "legwork script my.corpus --seconds 2 --integrator rk4 --json -" +
                     command_list(),
                 {"FILE", "a script, .corpus"}},
      script);
}

}  // namespace legwork
