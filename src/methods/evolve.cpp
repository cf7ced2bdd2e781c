// evolve: bodies that change with their networks.

#include <legwork/archive.h>
#include <legwork/files.h>
#include "archive/body_ledger.h"
#include "base/meter.h"
#include "base/parallel.h"
#include "base/text.h"
#include "base/version.h"
#include "evolve/parts.h"
#include "formats/toml/creature_toml.h"
#include "methods/evolve_account.h"
#include "methods/evolve_judge.h"
#include "methods/finish.h"
#include "methods/method_of.h"
#include "methods/run_scenario.h"
#include "scenario/scenario.h"
#include "search/crew.h"
#include "search/shard.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace legwork {

using evolution::Evolution;
using evolution::Newborn;

namespace {

std::vector<Creature> founders_of(const World& world, const EvolveOptions& options) {
  std::vector<Creature> founders = {world.body};
  for (const std::string& name : options.from) founders.push_back(load_world(name).body);
  for (const Creature& founder : founders) evolution::take_apart(founder);  // complains of what cannot change
  return founders;
}

// All that decides the bodies: a run may be longer than the one whose archive it continues.
SearchIdentity identity_of(const World& world, const std::vector<Creature>& founders, EvolveOptions options,
                           const Run& run) {
  options.archive.clear(), options.shard.clear(), options.minutes = 0;
  options.generations = EvolveOptions().generations, options.atlas = EvolveOptions().atlas;
  WorldOptions words = in_words(world);
  Scenario scenario;
  scenario.verb = "evolve";
  scenario.creature = world.origin.name.empty() ? world.body.name : world.origin.name;
  scenario.seed = run.seed;
  const Options world_options(words), own_options(options);
  scenario.world = settings_of(world_options);
  scenario.options = settings_of(own_options);
  std::string bodies;
  for (const Creature& founder : founders) bodies += write_creature_toml(founder);
  return {bodies, plain_scenario_text(scenario, world_options, own_options), version()};
}

// The motion of a body, and the scenario that makes it again.
Result motion_of(const Creature& body, const std::string& controller, const Scenario& evolved,
                 const Run& run) {
  Scenario scenario;
  scenario.verb = "discover";
  scenario.creature = body.name;
  scenario.seed = evolved.seed;
  scenario.world = evolved.world;
  for (const Setting& setting : evolved.options)
    if (setting.key == "metric" || setting.key == "seconds") scenario.options.push_back(setting);
  scenario.options.push_back({"controller", {controller}});
  World world;
  world.body = body;
  remember_origin(world, body.name);
  return run_in(std::move(world), scenario, *method_of(scenario), run);
}

// A body that nothing moves, as it lies.
Result still(const Creature& body, const Scenario& evolved, const Run& run) {
  Scenario scenario;
  scenario.verb = "drop";
  scenario.creature = body.name;
  scenario.world = evolved.world;
  World world;
  world.body = body;
  remember_origin(world, body.name);
  return run_in(std::move(world), scenario, *method_of(scenario), run);
}

using BodyOf = std::function<Creature(std::uint64_t number)>;

// The atlas: the best body's motion first, then those of the others.
Result present(const Chronicle& chronicle, const BodyOf& body_of, const Scenario& scenario, int atlas,
               const Run& run) {
  std::vector<Shown> shown;
  for (const evolution::Member& member : chronicle.population.best())
    if (int(shown.size()) < atlas && member.score > 0) shown.push_back({member.number});
  Meter meter(run, "recording", long(shown.size()));
  std::vector<Result> all;
  for (auto& [number, walks] : shown) {
    const evolution::Life& life = chronicle.lives[number];
    const Creature body = body_of(number);
    walks = unfit_to_walk(body).empty();
    all.push_back(motion_of(body, life.outcome.controller, scenario, {.threads = 1, .stop = run.stop}));
    tell_body(chronicle, life, body, all.back().account);
    meter.advance();
  }
  if (all.empty()) {
    all.push_back(still(body_of(0), scenario, {.threads = 1, .stop = run.stop}));
    all.front().motion.status = Status::stopped;
    all.front().motion.status_text = "no body moves; try more --generations or a larger --budget";
  }
  Result result = std::move(all.front());
  tell_evolution(chronicle, shown, result.account);
  result.others.assign(std::make_move_iterator(all.begin() + 1), std::make_move_iterator(all.end()));
  result.scenario = scenario;
  return result;
}

class Evolver {
 public:
  Evolver(const World& world, const EvolveOptions& asked, const Run& run)
      : call_("evolve", world, asked, run),
        world_(world),
        run_(run),
        shard_(parse_shard(asked.shard, "evolve: shard")),
        founders_(founders_of(world, asked)),
        judge_(world, asked, run),
        evolution_(founders_, asked, run.seed) {
    if (!shard_.whole() && asked.archive.empty())
      throw Error({}, "evolve: shard", "a part of a generation is of use in an archive only",
                  "add --archive part.db");
  }

  Result run() {
    const SearchIdentity identity = identity_of(world_, founders_, options_, run_);
    if (run_.crew)
      run_.crew->begin(identity.version + "\n" + identity.scenario + identity.creature, std::cref(judge_));
    if (!options_.archive.empty()) ledger_.emplace(options_.archive, identity);
    Meter meter(run_, "generations", options_.generations + 1);
    std::string unfinished;
    try {
      while (evolution_.generation() <= options_.generations && !is_over()) {
        stop_if_asked(run_);
        live();
        meter.advance();
      }
    } catch (const ShardDone& done) {
      unfinished = "part " + options_.shard + " has done its share of generation " +
                   std::to_string(evolution_.generation()) + ": " + std::to_string(done.evaluations) +
                   " bodies, " + std::to_string(done.missing) +
                   " of other parts come next; put all parts together with legwork " +
                   "archive merge, and give the same command the whole as its --archive";
    }
    return result(unfinished);
  }

 private:
  // Time is looked at between generations only, so that a shorter run's archive is the beginning of a longer
  // one's.
  bool is_over() const { return options_.minutes > 0 && call_.watch.seconds() > 60 * options_.minutes; }

  // One generation.
  void live() {
    const std::vector<Newborn>& newborn = evolution_.ask();
    std::vector<evolution::Outcome> outcomes(newborn.size());
    std::vector<size_t> open;
    std::uint64_t missing = 0;
    for (size_t i = 0; i < newborn.size(); ++i) {
      if (const evolution::Outcome* known = ledger_ ? ledger_->find(newborn[i].number) : nullptr)
        outcomes[i] = *known;
      else if (shard_.has(newborn[i].number))
        open.push_back(i);
      else
        ++missing;
    }
    search(newborn, open, outcomes);
    if (missing > 0) throw ShardDone{open.size(), missing};
    evolution_.tell(outcomes);
  }

  // Searches for the networks of newborn bodies, here or with others; each is kept as soon as it is known.
  void search(const std::vector<Newborn>& newborn, const std::vector<size_t>& open,
              std::vector<evolution::Outcome>& outcomes) {
    std::vector<std::string> jobs(open.size());
    parallel_for(int(open.size()), run_.threads,
                 [&](int k, int) { jobs[size_t(k)] = job(newborn[open[size_t(k)]]); });
    const auto arrived = [&](const std::vector<size_t>& which, const std::vector<std::string>& results) {
      std::vector<ArchivedBody> fresh;
      for (size_t k = 0; k < which.size(); ++k) {
        const Newborn& n = newborn[open[which[k]]];
        evolution::Outcome outcome;
        if (!BodyJudge::parse_result(results[k], outcome)) return false;
        outcomes[open[which[k]]] = outcome;
        fresh.push_back({{n.number, n.parent, n.generation, n.born, n.how, n.plan, outcome},
                         write_creature_toml(n.body)});
      }
      if (ledger_) ledger_->keep(fresh);
      return true;
    };
    simulated_ += jobs.size();
    if (run_.crew) {
      run_.crew->share(jobs, thread_count(run_.threads), arrived);
      return;
    }
    // as many at a time as there are threads, so that a kill costs no more than those
    const size_t step = size_t(thread_count(run_.threads)) * 2;
    for (size_t first = 0; first < jobs.size(); first += step) {
      std::vector<size_t> which;
      for (size_t i = first; i < std::min(first + step, jobs.size()); ++i) which.push_back(i);
      std::vector<std::string> some;
      for (const size_t i : which) some.push_back(jobs[i]);
      arrived(which, judge_(some));
    }
  }

  std::string job(const Newborn& newborn) const {
    if (newborn.parent < 0) return judge_.job(newborn, nullptr, "");
    const std::uint64_t parent = std::uint64_t(newborn.parent);
    return judge_.job(newborn, &evolution_.body(parent), evolution_.lives()[parent].outcome.controller);
  }

  Result result(const std::string& unfinished) {
    const Scenario scenario = call_.scenario(in_words(world_));
    Chronicle chronicle = chronicle_of(evolution_.lives(), options_.patience);
    const auto body_of = [&](std::uint64_t number) {
      return evolution_.lives().empty() ? founders_.front() : evolution_.body(number);
    };
    Result result = chronicle.lives.empty() ? still(founders_.front(), scenario, {.threads = 1})
                                            : present(chronicle, body_of, scenario, options_.atlas, run_);
    result.scenario = scenario;
    if (!unfinished.empty()) {
      result.motion.status = Status::ok, result.motion.status_text.clear();
      result.account.statements.insert(result.account.statements.begin(), {unfinished});
    }
    if (ledger_ && ledger_->found() > 0)
      result.effort.statements.push_back("went on from " + std::to_string(ledger_->found()) + " bodies in " +
                                         options_.archive);
    result.effort.seconds = call_.watch.seconds();
    result.effort.values["searched_bodies"] = simulated_;
    return result;
  }

  Call<EvolveOptions> call_;
  EvolveOptions& options_ = call_.options;
  const World& world_;
  const Run& run_;
  const Shard shard_;
  const std::vector<Creature> founders_;
  const BodyJudge judge_;
  Evolution evolution_;
  std::optional<BodyLedger> ledger_;
  std::uint64_t simulated_ = 0;
};

const ArchivedBody& body_in(const ArchivedEvolution& all, const std::string& path, std::uint64_t number) {
  for (const ArchivedBody& body : all.bodies)
    if (body.life.number == number) return body;
  throw Error({path}, "", "has no body " + std::to_string(number),
              "it has " + std::to_string(all.bodies.size()) + " bodies, from 0 on");
}

// Complete generations.
std::vector<evolution::Life> lives_of(const ArchivedEvolution& all) {
  std::vector<evolution::Life> lives;
  for (const ArchivedBody& body : all.bodies) {
    if (body.life.number != lives.size()) break;
    lives.push_back(body.life);
  }
  return lives;
}

int patience_of(const Scenario& scenario) {
  const std::unique_ptr<Method> method = method_of(scenario);
  for (const Setting& setting : scenario.options)
    if (setting.key == "patience") return std::stoi(setting.values.front());
  return EvolveOptions().patience;
}

}  // namespace

Result evolve(const World& given, const EvolveOptions& asked, const Run& run) {
  const World world = for_batches(given);
  return Evolver(world, asked, run).run();
}

std::vector<EvolvedBody> read_evolution(const std::string& path) {
  const ArchivedEvolution all = read_bodies(path);
  const Scenario scenario = parse_scenario(all.identity.scenario, path);
  const Chronicle chronicle = chronicle_of(lives_of(all), patience_of(scenario));
  std::vector<std::uint64_t> best;
  for (const evolution::Member& member : chronicle.population.best()) best.push_back(member.number);
  std::vector<EvolvedBody> bodies;
  for (const ArchivedBody& body : all.bodies) {
    const evolution::Life& l = body.life;
    bodies.push_back({l.number, l.parent, l.generation, l.how, in_words(l.plan), l.plan.legs, l.outcome.score,
                      l.outcome.distance / l.plan.length,
                      std::find(best.begin(), best.end(), l.number) != best.end()});
  }
  return bodies;
}

std::string evolved_creature(const std::string& path, std::uint64_t number) {
  return body_in(read_bodies(path), path, number).creature;
}

Result replay_body(const std::string& path, std::uint64_t number, const Run& run) {
  const ArchivedEvolution all = read_bodies(path);
  const ArchivedBody& body = body_in(all, path, number);
  const Scenario scenario = parse_scenario(all.identity.scenario, path);
  const Creature creature = parse_creature_toml(body.creature, path);
  if (body.life.outcome.controller.empty()) return still(creature, scenario, run);
  Result result = motion_of(creature, body.life.outcome.controller, scenario, run);
  tell_body(chronicle_of(lives_of(all), patience_of(scenario)), body.life, creature, result.account);
  return result;
}

Result evolution_so_far(const std::string& path, const Run& run) {
  const ArchivedEvolution all = read_bodies(path);
  if (all.bodies.empty()) throw Error({path}, "", "has no bodies yet", "wait for the first generation");
  const Scenario scenario = parse_scenario(all.identity.scenario, path);
  return present(
      chronicle_of(lives_of(all), patience_of(scenario)),
      [&](std::uint64_t number) { return parse_creature_toml(body_in(all, path, number).creature, path); },
      scenario, EvolveOptions().atlas, run);
}

std::unique_ptr<Method> evolve_method() {
  return std::make_unique<MethodOf<EvolveOptions>>(
      MethodText{"evolve", "let bodies change with their networks, and show an atlas of body plans",
                 "legwork evolve bounder --report atlas.html\n"
                 "legwork evolve blob --minutes 10 --archive blob.db --report atlas.html\n"
                 "legwork evolve --start-from blob --start-from crawler --children 64 --generations 100\n"
                 "legwork evolve --show blob.db --body 17 --creature body.toml --out body.glb"},
      evolve);
}

}  // namespace legwork
