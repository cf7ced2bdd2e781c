// discover: give a body, get the ways it can move.

#include <filesystem>
#include <functional>
#include <optional>

#include "archive/ledger.h"
#include "base/text.h"
#include "base/version.h"
#include "discover/rollout.h"
#include "discover/seed.h"
#include "discover/trials.h"
#include "discover/words.h"
#include "formats/gltf/glb.h"
#include "formats/toml/creature_toml.h"
#include "methods/discover_account.h"
#include "methods/discover_problem.h"
#include "methods/finish.h"
#include "methods/method_of.h"
#include "scenario/scenario.h"
#include "search/crew.h"
#include "search/shard.h"

namespace legwork {

namespace fs = std::filesystem;

namespace {

// Before the search, so that hours of it do not end in an error.
void make_folder(const std::string& folder) {
  if (folder.empty()) return;
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed || !fs::is_directory(folder, failed))
    throw Error({}, "discover: folder", "'" + folder + "' cannot be made: " + failed.message(),
                "name another");
}

std::string file_in(const std::string& folder, size_t gait) {
  const std::string number = std::to_string(gait + 1);
  return (fs::path(folder) / ("gait_" + std::string(number.size() < 2 ? "0" : "") + number + ".glb"))
      .string();
}

// All that decides the evaluations, and nothing else.
SearchIdentity identity_of(const World& world, const Problem& problem, DiscoverOptions options,
                           const Run& run) {
  options.archive.clear(), options.folder.clear(), options.shard.clear();
  options.scalar = false, options.device = DiscoverOptions::Device::cpu;
  WorldOptions words = in_words(world, problem.step);
  Scenario scenario;
  scenario.verb = "discover";
  scenario.creature = problem.world.body.name;
  scenario.seed = run.seed;
  const Options world_options(words), own_options(options);
  scenario.world = settings_of(world_options);
  scenario.options = settings_of(own_options);
  return {write_creature_toml(problem.world.body), plain_scenario_text(scenario, world_options, own_options),
          version()};
}

const Record* record_of(const ArchivedSearch& search, std::uint64_t number) {
  for (const Record& record : search.records)
    if (record.number == number) return &record;
  return nullptr;
}

// The gaits of another search as networks for this problem.
std::vector<Candidate> seeds_from(const std::string& path, const Problem& problem, DiscoverOptions options) {
  const ArchivedSearch other = read_search(path);
  World world = problem.world;
  world.body = parse_creature_toml(other.identity.creature, path);
  std::vector<Candidate> seeds;
  for (const GaitRecord& gait : other.gaits) {
    const Record* record = record_of(other, gait.number);
    if (!record) continue;
    options.hidden = hidden_of(record->candidate.weights.size(), int(world.body.sensors.size()),
                               int(world.body.actuators.size()));
    const Problem simpler = make_problem(world, options, problem.step);
    seeds.push_back(carry_over(simpler, record->candidate, problem));
  }
  return seeds;
}

// ARCHIVE:RANK, ARCHIVE#NUMBER or the candidate itself.
Candidate controller_of(const std::string& text, const Problem& problem) {
  const size_t mark = text.find_last_of(":#");
  std::error_code failed;
  if (mark == std::string::npos || !fs::is_regular_file(text.substr(0, mark), failed))
    return parse_candidate(text, problem);
  const ArchivedSearch search = read_search(text.substr(0, mark));
  const bool by_rank = text[mark] == ':';
  const std::string which = text.substr(mark + 1);
  for (const GaitRecord& gait : search.gaits)
    if (by_rank && std::to_string(gait.rank) == which)
      if (const Record* record = record_of(search, gait.number))
        return parse_candidate(to_text(record->candidate), problem);
  for (const Record& record : search.records)
    if (!by_rank && std::to_string(record.number) == which)
      return parse_candidate(to_text(record.candidate), problem);
  throw Error({}, "discover: controller", "'" + text + "': no such " + (by_rank ? "gait" : "evaluation"),
              "it has " + std::to_string(search.gaits.size()) + " gaits and " +
                  std::to_string(search.records.size()) + " evaluations");
}

class Discoverer {
 public:
  Discoverer(const World& world, const DiscoverOptions& asked, const Run& run)
      : call_("discover", world, asked, run), world_(world), run_(run) {
    problem_ = pose_problem(world, options_, added_);
    check_frames(world, problem_.seconds);
  }

  Result single() {
    const Candidate candidate = controller_of(options_.controller, problem_);
    options_.controller = to_text(candidate);
    const Evaluation evaluation = Evaluator(problem_, {1, true, run_.stop})({candidate}).front();
    stop_if_asked(run_);
    Meter meter(run_, "simulating", long(problem_.seconds * 1000));
    Result result;
    result.motion = record_motion(problem_, candidate, watch_for(meter));
    stop_unless_kept(run_);
    result.account = tell_single(problem_, result.motion, candidate, evaluation);
    tell_added(result);
    call_.finish(result, scenario());
    return result;
  }

  Result search() {
    if (!parse_shard(options_.shard, "discover: shard").whole() && options_.archive.empty())
      throw Error({}, "discover: shard", "a part of a search is of use in an archive only",
                  "add --archive part.db");
    make_folder(options_.folder);
    std::optional<Trials> trials;
    if (run_.crew) {
      const SearchIdentity own = identity_of(world_, problem_, options_, run_);
      trials.emplace(problem_, EvaluateOptions{run_.threads, options_.scalar}, run_.seed);
      run_.crew->begin(own.version + "\n" + own.scenario + own.creature, std::ref(*trials));
    }
    Gallery gallery{problem_, {}, {}, {}};
    Effort effort;
    try {
      find(gallery, effort);
    } catch (const ShardDone& done) {
      return part(done);
    }
    Result result;
    result.effort = effort;
    result.motion = gallery.motions.empty() ? nothing_found(gallery.found) : gallery.motions.front();
    result.account = tell_search(gallery, options_.apart);
    tell_added(result);
    for (size_t i = 1; i < gallery.motions.size(); ++i) {
      Result other;
      other.motion = gallery.motions[i];
      other.account = tell_gait(gallery, i);
      call_.finish(other, scenario_of_gait(gallery.found.gaits[i]));
      result.others.push_back(std::move(other));
    }
    // a search that was stopped would not be the same again, its gait is
    const Findings& found = gallery.found;
    const bool whole = found.stopped_in.empty() || found.gaits.empty();
    call_.finish(result, whole ? scenario() : scenario_of_gait(found.gaits.front()));
    write(gallery, result);
    return result;
  }

 private:
  Scenario scenario() const { return call_.scenario(in_words(world_, problem_.step)); }

  // The scenario of the gait alone: no search, and none of its files.
  Scenario scenario_of_gait(const FoundGait& gait) {
    const DiscoverOptions search = options_;
    options_.controller = to_text(gait.record.candidate);
    options_.archive.clear(), options_.seed_from.clear(), options_.folder.clear();
    const Scenario own = scenario();
    options_ = search;
    return own;
  }

  // A part of the search has nothing to show but the start.
  Result part(const ShardDone& done) const {
    Result result;
    result.motion = at_rest();
    result.account.statements.push_back({"part " + options_.shard +
                                         " has done its share: " + std::to_string(done.evaluations) +
                                         " evaluations, kept in " + options_.archive});
    result.account.statements.push_back(
        {std::to_string(done.missing) +
         " evaluations of other parts come next; put all parts together with legwork archive merge, and give "
         "the same "
         "command the whole as its --archive, without --shard or in parts again"});
    result.account.values["shard"] = options_.shard;
    result.account.values["evaluations"] = done.evaluations;
    result.account.values["missing"] = done.missing;
    call_.finish(result, scenario());
    return result;
  }

  // The motion of a network without any connection.
  Motion at_rest() const {
    return record_motion(problem_, {std::vector<std::int8_t>(size_t(problem_.shape.weights()), 0), {}});
  }

  // Searches, records the motion of each gait found, and keeps all of it in the archive.
  void find(Gallery& gallery, Effort& effort) {
    std::unique_ptr<ArchiveLedger> ledger;
    if (!options_.archive.empty()) {
      ledger =
          std::make_unique<ArchiveLedger>(options_.archive, identity_of(world_, problem_, options_, run_));
      if (ledger->found() > 0)
        effort.statements.push_back("went on from " + std::to_string(ledger->found()) + " evaluations in " +
                                    options_.archive);
    }
    std::vector<Candidate> seeds;
    if (!options_.seed_from.empty()) {
      seeds = seeds_from(options_.seed_from, problem_, options_);
      added_.push_back(std::to_string(seeds.size()) + " networks were taken over from " + options_.seed_from);
    }
    gallery.found = search_gaits(problem_, options_, run_, seeds, ledger.get());
    record(gallery, ledger.get());

    const Findings& found = gallery.found;
    const double rate = found.seconds > 0 ? double(found.simulated) / found.seconds : 0;
    effort.statements.push_back(found.simulated > 0 ? brief(rate) + " evaluations a second"
                                                    : "all evaluations were in the archive");
    if (found.simulated > 0 && !found.how.empty()) effort.statements.back() += ", " + found.how;
    effort.values["evaluations_per_second"] = rate;
    effort.values["simulated_seconds_per_second"] = rate * problem_.seconds;
  }

  void record(Gallery& gallery, Ledger* ledger) {
    std::vector<GaitRecord> records;
    Meter meter(run_, "recording", long(gallery.found.gaits.size()));
    // a stopped search shows what it can within half a second, at least the start of its best gait
    std::optional<Stopwatch> since;
    const auto late = [&] {
      if (run_.stopped() && !since) since.emplace();
      return since && (!run_.keep_partial || since->seconds() > 0.5);
    };
    for (FoundGait& gait : gallery.found.gaits) {
      const Evaluation& e = gait.record.evaluation;
      Motion motion =
          record_motion(problem_, gait.record.candidate, [&](const Simulation<double>&) { return !late(); });
      stop_unless_kept(run_);
      if (late() && !gallery.motions.empty()) break;
      gait.name = name_gait(problem_, motion, e);
      records.push_back({int(records.size()) + 1, gait.record.number, gait.name,
                         e.distance / problem_.seconds, e.period, gait.robustness});
      const Scenario own = scenario_of_gait(gait);
      motion.made = {own.verb, own.creature, version(), text_of(own), own.seed};
      if (!options_.folder.empty()) gallery.files.push_back(file_in(options_.folder, gallery.motions.size()));
      gallery.motions.push_back(std::move(motion));
      meter.advance();
    }
    gallery.found.gaits.resize(gallery.motions.size());
    if (since && gallery.found.stopped_in.empty()) gallery.found.stopped_in = "recording";
    if (ledger && !since) ledger->keep_gaits(records);
  }

  Motion nothing_found(const Findings& found) const {
    Motion motion = at_rest();
    motion.status = Status::stopped;
    motion.status_text =
        found.stopped_in.empty()
            ? "no gait found in " + std::to_string(found.evaluations) +
                  " evaluations; try more --random, other --friction, wider actuator ranges or more strength"
            : "stopped by request during " + found.stopped_in + ", before a gait was found";
    return motion;
  }

  void tell_added(Result& result) const {
    std::vector<Statement> all;
    for (const std::string& line : added_) all.push_back({line});
    for (Statement& statement : result.account.statements) all.push_back(std::move(statement));
    result.account.statements = std::move(all);
  }

  // Every gait to the folder, each with its own account.
  void write(const Gallery& gallery, Result& result) const {
    if (options_.folder.empty()) return;
    const std::string given = write_creature_toml(world_.body);
    for (size_t i = 0; i < gallery.files.size(); ++i) {
      const Motion& motion = gallery.motions[i];
      const bool changed = given != write_creature_toml(motion.creature);
      write_glb(motion, gallery.files[i],
                {.rate = 0, .account = tell_gait(gallery, i), .given = changed ? given : ""});
    }
    result.effort.statements.push_back("wrote every gait to " + options_.folder);
  }

  Call<DiscoverOptions> call_;
  DiscoverOptions& options_ = call_.options;
  const World& world_;
  const Run& run_;
  Problem problem_;
  std::vector<std::string> added_;  // to the body and to the search, in words
};

}  // namespace

Result discover(const World& given, const DiscoverOptions& asked, const Run& run) {
  const World world = for_batches(given);
  Discoverer discovery(world, asked, run);
  return asked.controller.empty() ? discovery.search() : discovery.single();
}

std::unique_ptr<Method> discover_method() {
  return std::make_unique<MethodOf<DiscoverOptions>>(
      MethodText{"discover", "search for the ways a body can move, and show a gallery of them",
                 "legwork discover bounder --report gallery.html\n"
                 "legwork discover cart --random 2000 --gaits 20 --archive cart.db --folder cart_gaits\n"
                 "legwork discover fish --follow curve.csv --controller fish.db:1 --out chase.glb\n"
                 "legwork discover luxo --metric hops --hop-weight 20\n"
                 "legwork discover walker --metric 'distance / (1 + energy)' --tuner annealing --tune 1000\n"
                 "legwork discover --show cart.db --gait 3 --out third.glb"},
      discover);
}

}  // namespace legwork
