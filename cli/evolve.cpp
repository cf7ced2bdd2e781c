// legwork evolve: bodies that change; with --show look into the archive of a run, also while it is being
// written.

#include <algorithm>

#include <legwork/archive.h>
#include <legwork/files.h>
#include <legwork/methods.h>
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/motion_verb.h"
#include "formats/file.h"

namespace legwork::cli {

namespace {

struct ShowOptions {
  std::string show, creature;
  std::int64_t body = -1;
};

template <class Visitor>
void describe(Visitor& v, ShowOptions& o) {
  v.file("show", o.show, "the archive of an evolution: its atlas so far");
  v.integer("body", o.body, {-1, 9e18, "", "only this body, by its number; -1 = the atlas"});
  v.file("creature", o.creature, "write the body as a creature file to this .toml");
}

int show_archive(const Words& words) {
  ShowOptions o;
  FileOptions files;
  OutputOptions output;
  Arguments arguments("evolve", "look into the archive of an evolution",
                      "legwork evolve --show blob.db --report so_far.html\n"
                      "legwork evolve --show blob.db --body 17 --creature body.toml --out body.glb");
  arguments.options("What to show", o);
  add_files(arguments, files, output);
  arguments.writes("creature", ".toml", "name a creature file");
  if (!arguments.parse(words)) return fine;
  if (!o.creature.empty() && o.body < 0)
    throw Error({}, "evolve: creature", "which body?", "add --body NUMBER");

  std::optional<ProgressLine> line(output.quiet);
  const Run run = run_of({}, *line);
  const Result result =
      o.body >= 0 ? replay_body(o.show, std::uint64_t(o.body), run) : evolution_so_far(o.show, run);
  line.reset();
  const int code = deliver(result, files, output);
  if (!o.creature.empty()) {
    write_file(o.creature, evolved_creature(o.show, std::uint64_t(o.body)));
    std::vector<std::string> verbs;
    for (const Support& support : supports(load_world(o.creature)))
      if (support.supported) verbs.push_back(support.method);
    Output(output).say("wrote " + o.creature + "; it is for legwork " + join(verbs, ", "));
  }
  return code;
}

// --from is short for --start-from; without a creature the first of them stands in its place.
Words with_creature(Words words) {
  const std::string flag = "--start-from";
  for (std::string& word : words)
    if (word == "--from" || word.rfind("--from=", 0) == 0) word.replace(0, 6, flag);
  if (!words.empty() && words.front().rfind("-", 0) != 0) return words;
  for (size_t i = 0; i < words.size(); ++i) {
    const bool apart = words[i] == flag && i + 1 < words.size(), joined = words[i].rfind(flag + "=", 0) == 0;
    if (!apart && !joined) continue;
    const std::string first = apart ? words[i + 1] : words[i].substr(flag.size() + 1);
    words.erase(words.begin() + long(i), words.begin() + long(i) + (apart ? 2 : 1));
    words.insert(words.begin(), first);
    return words;
  }
  return words;
}

}  // namespace

int evolve(const Words& words) {
  const bool shows = std::any_of(words.begin(), words.end(), [](const std::string& w) {
    return w == "--show" || w.rfind("--show=", 0) == 0;
  });
  if (shows) return show_archive(words);
  return run_method("evolve", with_creature(words));
}

}  // namespace legwork::cli
