#include <legwork/archive.h>

#include <algorithm>

#include "archive/ledger.h"
#include "discover/words.h"
#include "formats/toml/creature_toml.h"
#include "methods/run_scenario.h"
#include "scenario/world_words.h"

namespace legwork {

namespace {

[[noreturn]] void fail(const std::string& path, const ArchivedSearch& search, const std::string& what) {
  throw Error({path}, "", "has no " + what,
              "it has " + std::to_string(search.gaits.size()) + " gaits and " +
                  std::to_string(search.records.size()) + " evaluations");
}

// what: named where there is no such evaluation.
Result replay(const std::string& path, const ArchivedSearch& search, std::uint64_t number,
              const std::string& what, const Run& run) {
  const auto record = std::find_if(search.records.begin(), search.records.end(),
                                   [&](const Record& r) { return r.number == number; });
  if (record == search.records.end()) fail(path, search, what);
  World world;
  world.body = parse_creature_toml(search.identity.creature, path);
  Scenario scenario = parse_scenario(search.identity.scenario, path);
  std::erase_if(scenario.options, [](const Setting& s) { return s.key == "controller"; });
  scenario.options.push_back({"controller", {to_text(record->candidate)}});
  remember_origin(world, scenario.creature);
  return run_in(std::move(world), scenario, *method_of(scenario), run);
}

}  // namespace

SearchArchive read_archive(const std::string& path) {
  const ArchivedSearch search = read_search(path);
  SearchArchive archive{search.records.size(), {}};
  for (const GaitRecord& g : search.gaits)
    archive.gaits.push_back({g.rank, g.number, g.name, g.speed, g.period, g.robustness});
  return archive;
}

Result replay_gait(const std::string& path, int rank, const Run& run) {
  const ArchivedSearch search = read_search(path);
  const std::string what = "gait " + std::to_string(rank);
  for (const GaitRecord& g : search.gaits)
    if (g.rank == rank) return replay(path, search, g.number, what, run);
  fail(path, search, what);
}

Result replay_evaluation(const std::string& path, std::uint64_t number, const Run& run) {
  return replay(path, read_search(path), number, "evaluation " + std::to_string(number), run);
}

}  // namespace legwork
