// legwork discover: give a body, get the ways it can move; with --show look into the archive of a search.

#include <algorithm>

#include <legwork/archive.h>
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/motion_verb.h"

namespace legwork::cli {

namespace {

struct ShowOptions {
  std::string show;
  int gait = 0;
  std::int64_t number = -1;
};

template <class Visitor>
void describe(Visitor& v, ShowOptions& o) {
  v.file("show", o.show, "the archive of a search");
  v.integer("gait", o.gait, {0, 1e6, "", "make this gait of its gallery again; 0 = list them"});
  v.integer("number", o.number, {-1, 9e18, "", "make any of its evaluations again, by number; -1 = none"});
}

void list(const SearchArchive& archive, const Output& out) {
  std::vector<std::vector<std::string>> rows = {{"gait", "number", "speed", "robust", "what it does"}};
  Json gaits = Json::array();
  for (const ArchivedGait& g : archive.gaits) {
    rows.push_back({std::to_string(g.rank), std::to_string(g.number), with_unit(g.speed, "m/s"),
                    brief(g.robustness), g.name});
    gaits.push_back({{"gait", g.rank},
                     {"number", g.number},
                     {"name", g.name},
                     {"speed", g.speed},
                     {"robustness", g.robustness}});
  }
  out.say(std::to_string(archive.evaluations) + " evaluations, " + std::to_string(archive.gaits.size()) +
          " gaits" + (archive.gaits.empty() ? ": the search has not finished" : ""));
  if (!archive.gaits.empty()) out.say(table(rows));
  out.write({{"evaluations", archive.evaluations}, {"gaits", std::move(gaits)}});
}

int show_archive(const Words& words) {
  ShowOptions o;
  FileOptions files;
  OutputOptions output;
  Arguments arguments("discover", "look into the archive of a search",
                      "legwork discover --show cart.db\n"
                      "legwork discover --show cart.db --gait 3 --out third.glb --report third.html");
  arguments.options("What to show", o);
  add_files(arguments, files, output);
  if (!arguments.parse(words)) return fine;

  if (o.gait == 0 && o.number < 0) {
    list(read_archive(o.show), Output(output));
    return fine;
  }
  std::optional<ProgressLine> line(output.quiet);
  const Run run = run_of({}, *line);
  const Result result = o.number >= 0 ? replay_evaluation(o.show, std::uint64_t(o.number), run)
                                      : replay_gait(o.show, o.gait, run);
  line.reset();
  return deliver(result, files, output);
}

}  // namespace

int discover(const Words& words) {
  const bool shows = std::any_of(words.begin(), words.end(), [](const std::string& w) {
    return w == "--show" || w.rfind("--show=", 0) == 0;
  });
  return shows ? show_archive(words) : run_method("discover", words);
}

}  // namespace legwork::cli
