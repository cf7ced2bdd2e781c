// legwork discover --show: look into the archive of a search.

#include "archive/ledger.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/discover.h"
#include "cli/legacy.h"
#include "cli/motion_verb.h"
#include "discover/words.h"
#include "formats/toml/creature_toml.h"
#include "methods/run_scenario.h"

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

// The evaluation that was asked for, or null.
const Record* find(const ArchivedSearch& search, const ShowOptions& o) {
  std::int64_t wanted = o.number;
  if (wanted < 0)
    for (const GaitRecord& g : search.gaits)
      if (g.rank == o.gait) wanted = std::int64_t(g.number);
  for (const Record& r : search.records)
    if (std::int64_t(r.number) == wanted) return &r;
  return nullptr;
}

// The motion made again from its row.
int make_again(const ArchivedSearch& search, const Record& record, const std::string& archive,
               const FileOptions& files, const OutputOptions& output) {
  World world;
  world.body = parse_creature_toml(search.identity.creature, archive);
  const Scenario scenario = parse_scenario(search.identity.scenario, archive);
  const std::unique_ptr<Method> method = method_of("discover");
  method->options().find("controller")->set({to_text(record.candidate)}, {}, "--show");
  Scenario one = scenario;
  std::erase_if(one.options, [](const Setting& s) { return s.key == "controller"; });
  remember_origin(world, scenario.creature);
  std::optional<ProgressLine> line(output.quiet);
  const Result result = run_in(std::move(world), one, *method, run_of({}, *line));
  line.reset();
  return deliver(result, files, output);
}

void list(const ArchivedSearch& search, const Output& out) {
  std::vector<std::vector<std::string>> rows = {{"gait", "number", "speed", "robust", "what it does"}};
  Json gaits = Json::array();
  for (const GaitRecord& g : search.gaits) {
    rows.push_back({std::to_string(g.rank), std::to_string(g.number), with_unit(g.speed, "m/s"),
                    brief(g.robustness), g.name});
    gaits.push_back({{"gait", g.rank},
                     {"number", g.number},
                     {"name", g.name},
                     {"speed", g.speed},
                     {"robustness", g.robustness}});
  }
  out.say(std::to_string(search.records.size()) + " evaluations, " + std::to_string(search.gaits.size()) +
          " gaits" + (search.gaits.empty() ? ": the search has not finished" : ""));
  if (!search.gaits.empty()) out.say(table(rows));
  out.write({{"evaluations", search.records.size()}, {"gaits", std::move(gaits)}});
}

}  // namespace

int show_archive(const Words& words) {
  ShowOptions o;
  FileOptions files;
  OutputOptions output;
  Arguments arguments("discover", "look into the archive of a search",
                      "legwork discover --show cart.db\n"
                      "legwork discover --show cart.db --gait 3 --out third.glb --report third.html");
  arguments.options("What to show", o);
  arguments.options("Files", files);
  arguments.options("Output", output);
  if (!arguments.parse(words)) return fine;
  check_targets(files, output);

  const ArchivedSearch search = read_search(o.show);
  if (const Record* record = find(search, o)) return make_again(search, *record, o.show, files, output);
  if (o.gait > 0 || o.number >= 0) {
    const std::string what =
        o.number >= 0 ? "evaluation " + std::to_string(o.number) : "gait " + std::to_string(o.gait);
    throw Error({o.show}, "",
                "has no " + what + "; it has " + std::to_string(search.gaits.size()) + " gaits and " +
                    std::to_string(search.records.size()) + " evaluations");
  }
  list(search, Output(output));
  return fine;
}

}  // namespace legwork::cli
