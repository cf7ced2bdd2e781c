#include "discover/discover.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/meter.h"
#include "base/parallel.h"
#include "base/stopwatch.h"
#include "discover/robust.h"
#include "discover/trials.h"
#include "search/chain.h"
#include "search/crew.h"
#include "search/elites.h"
#include "search/shard.h"

namespace legwork {

namespace {

constexpr double changed_weights = 4;  // weights changed in a varied network, on average
constexpr double crossed = 0.25;       // share of varied networks that take nodes from another elite
constexpr double moved_numbers = 0.5;  // share of varied candidates whose numbers are moved instead
constexpr double moved_at_once = 4;    // how many of their numbers are moved, on average ...
constexpr double moved_by = 0.1;       // ... by this share of their range, as a standard deviation
constexpr double least_late = 0.25;    // share of the mean speed that is kept in the second half
constexpr double half_step = 0.2;      // by how much the speed may differ at half the step, as a share

constexpr int confirm_rounds = 4;  // how often tuned values are tried at half the step

constexpr std::uint64_t half_numbers = std::uint64_t(1)
                                       << 62;  // numbers from here on are evaluations at half the step

class Search {
 public:
  Search(const Problem& problem, const DiscoverOptions& options, const Run& run,
         const std::vector<Candidate>& seeds, Ledger* ledger, bool brief = false)
      : problem_(problem),
        options_(options),
        run_(run),
        seeds_(seeds),
        ledger_(ledger),
        shard_(parse_shard(options.shard, "discover: shard")),
        trials_(problem,
                {run.threads, options.scalar, run.stop, !brief,
                 !brief && options.device == DiscoverOptions::Device::gpu && !run.crew},
                run.seed),
        elites_(options.apart),
        meter_(run, "", pieces()) {}

  // Each generation may need as many evaluations at half the step.
  Findings run_briefly(std::uint64_t budget) {
    budget_ = budget, enough_random_ = budget / 4;
    random();
    vary();
    found_.gaits = choose();
    return std::move(found_);
  }

  Findings run() {
    try {
      if (!shard_.whole() || trials_.appetite() > 0) random_part();
      random();
      vary();
      std::vector<FoundGait> gaits = choose();
      tune(gaits);
      confirm(gaits);
      disturb(gaits);
    } catch (const Stopped&) {
      if (!run_.keep_partial) throw;
      found_.stopped_in = stage_;
      found_.gaits = choose();
    }
    if (!run_.crew) found_.how = trials_.how();
    return std::move(found_);
  }

 private:
  Random stream(std::uint64_t number) const { return Random(run_.seed, number); }

  // All of the work in evaluations, so that the time left is that of the whole search.
  long pieces() const {
    const long gaits = options_.gaits;
    return options_.random + long(seeds_.size()) + options_.vary + gaits * (options_.tune + confirm_rounds) +
           2 * gaits;
  }
  // A part of the search begins when so many evaluations are done.
  void enter(const char* stage, long done) {
    stage_ = stage, before_ = done;
    meter_.enter(stage);
    meter_.reach(done);
  }

  // Candidates that may be made from the same elites.
  int generation() const {
    const std::uint64_t left = budget_ - std::min(budget_, found_.evaluations);
    return int(std::min(std::uint64_t(options_.generation), left / 2));
  }

  // Evaluates records, or takes them from the ledger. A shard that lacks others' records ends here.
  void settle(std::vector<Record>& records, int variant) {
    stop_if_asked(run_);
    std::vector<Record*> open;
    std::uint64_t missing = 0;
    for (Record& r : records) {
      const auto own = part_.find(r.number);
      if (own != part_.end())
        r.evaluation = own->second;
      else if (const Record* known = ledger_ ? ledger_->find(r.number) : nullptr)
        r.evaluation = known->evaluation;
      else if (shard_.has(r.number))
        open.push_back(&r);
      else
        ++missing;
    }
    evaluate(open, variant);
    if (missing > 0) throw ShardDone{found_.simulated, missing};
    found_.evaluations += records.size();
  }

  // Simulates records, here or with others, and keeps each as soon as it is known.
  void evaluate(const std::vector<Record*>& open, int variant) {
    const Stopwatch watch;
    const auto keep = [&](const std::vector<size_t>& which) {
      std::vector<Record> fresh;
      for (const size_t i : which) fresh.push_back(*open[i]);
      if (ledger_ && !fresh.empty()) ledger_->keep(fresh);
      found_.simulated += fresh.size();
    };
    if (run_.crew) {
      std::vector<std::string> jobs;
      for (const Record* r : open) jobs.push_back(Trials::job(variant, *r));
      share(
          jobs, [&](size_t i) { return &open[i]->evaluation; }, keep);
    } else {
      std::vector<Candidate> candidates;
      std::vector<size_t> all;
      for (const Record* r : open) all.push_back(all.size()), candidates.push_back(r->candidate);
      const std::vector<Evaluation> results = trials_(variant, candidates);
      for (const size_t i : all) open[i]->evaluation = results[i];
      keep(all);
    }
    found_.seconds += watch.seconds();
  }

  // Jobs for the crew; place(i) gets the result of job i.
  template <class Place, class Keep>
  void share(const std::vector<std::string>& jobs, const Place& place, const Keep& keep) {
    if (jobs.empty()) return;
    const int unit = trials_.lanes() * thread_count(run_.threads);
    run_.crew->share(jobs, unit,
                     [&](const std::vector<size_t>& which, const std::vector<std::string>& texts) {
                       std::vector<Evaluation> results(which.size());
                       for (size_t k = 0; k < which.size(); ++k)
                         if (!Trials::parse_result(texts[k], results[k])) return false;
                       for (size_t k = 0; k < which.size(); ++k) *place(which[k]) = std::move(results[k]);
                       keep(which);
                       return true;
                     });
  }

  void settle(std::vector<Record>& records) {
    settle(records, as_it_is);
    for (const Record& r : records) {
      found_.diverged += r.evaluation.status == Status::diverged;
      const double best = found_.best_by_count.empty() ? 0 : found_.best_by_count.back();
      found_.best_by_count.push_back(std::max(best, r.evaluation.score));
    }
  }

  // The same candidates at half the step; their numbers are those of the records, beyond all others.
  std::vector<Evaluation> at_half(const std::vector<Record>& records) {
    std::vector<Record> halves = records;
    for (Record& r : halves)
      r.parent = std::int64_t(r.number), r.number += half_numbers, r.stage = "half step";
    settle(halves, at_half_step);
    std::vector<Evaluation> results;
    for (const Record& r : halves) results.push_back(r.evaluation);
    return results;
  }

  // Those that would join the elites do if they keep their speed at half the step.
  void offer(const std::vector<Record>& records) {
    std::vector<Record> welcome;
    for (const Record& r : records)
      if (r.evaluation.score > 0 && goes_on(problem_, r.evaluation) &&
          elites_.welcomes(r.evaluation.score, r.evaluation.descriptor))
        welcome.push_back(r);
    const std::vector<Evaluation> halves = at_half(welcome);
    for (size_t i = 0; i < welcome.size(); ++i) {
      const Record& r = welcome[i];
      if (!keeps_speed(r.evaluation, halves[i])) {
        ++found_.rejected;
      } else if (elites_.add({r.number, r.evaluation.score, r.evaluation.descriptor})) {
        known_[r.number] = r;
        halves_[r.number] = halves[i];
      }
    }
  }

  // A shard's part of the random networks, none of which needs to know another; or all of them, as many at
  // once as keep a graphics processor busy.
  void random_part() {
    const std::uint64_t total = std::uint64_t(options_.random) + seeds_.size();
    const long most = std::max(long(options_.generation), trials_.appetite());
    enter("random networks", 0);
    for (std::uint64_t next = 0; next < total;) {
      std::vector<Record> records;
      for (; next < total && long(records.size()) < most; ++next)
        if (shard_.has(next) && !(ledger_ && ledger_->find(next))) records.push_back(first_record(next));
      std::vector<Record*> open;
      for (Record& r : records) open.push_back(&r);
      stop_if_asked(run_);
      evaluate(open, as_it_is);
      for (const Record& r : records) part_[r.number] = r.evaluation;
      meter_.reach(long(next));
    }
  }

  // Seeds first, then random networks.
  Record first_record(std::uint64_t number) const {
    Record r{number, "random", -1, {}, {}};
    if (number < seeds_.size())
      r.stage = "seed", r.candidate = seeds_[number];
    else
      r.candidate.weights = random_weights(problem_.shape, run_.seed, number);
    return r;
  }

  void random() {
    int useful = 0, resting = 0, counted = 0;
    const int seeds = int(seeds_.size()), total = options_.random + seeds;
    enter("random networks", 0);
    while (next_ < std::uint64_t(total)) {
      std::vector<Record> records;
      const int most = generation();
      if (most == 0 || (next_ >= enough_random_ && !elites_.all().empty())) break;
      for (int i = 0; i < most && next_ < std::uint64_t(total); ++i, ++next_)
        records.push_back(first_record(next_));
      settle(records);
      offer(records);
      for (const Record& r : records) {
        if (r.stage != "random") continue;
        ++counted;
        useful += is_useful(problem_, r.evaluation);
        resting += is_resting(r.evaluation);
        found_.best_random = std::max(found_.best_random, r.evaluation.score);
      }
      if (counted > 0)
        found_.useful_share = double(useful) / counted, found_.resting_share = double(resting) / counted;
      meter_.reach(long(next_));
    }
  }

  // Half of the children get other weights, some from another elite; the others keep theirs and get other
  // numbers.
  Candidate varied(const Elite& parent, Random& numbers) const {
    Candidate child = known_.at(parent.number).candidate;
    if (numbers.uniform() < moved_numbers && !problem_.parameters.empty())
      move_numbers(child, numbers);
    else
      change_weights(child, numbers);
    return child;
  }

  void change_weights(Candidate& child, Random& numbers) const {
    const int inputs = problem_.shape.inputs();
    if (numbers.uniform() < crossed) {
      const std::vector<Elite>& all = elites_.all();
      const Candidate& other = known_.at(all[size_t(numbers.index(int(all.size())))].number).candidate;
      for (int node = 0; node < problem_.shape.nodes(); ++node)
        if (numbers.index(2) == 0)
          std::copy_n(other.weights.begin() + node * inputs, inputs, child.weights.begin() + node * inputs);
    }
    const double share = changed_weights / double(child.weights.size());
    for (std::int8_t& w : child.weights)
      if (numbers.uniform() < share) w = std::int8_t(numbers.index(2 * largest_weight + 1) - largest_weight);
  }

  void move_numbers(Candidate& child, Random& numbers) const {
    if (child.parameters.empty()) child.parameters = nominal(problem_);
    const double share = moved_at_once / double(child.parameters.size());
    for (size_t i = 0; i < child.parameters.size(); ++i) {
      const Variable& v = problem_.parameters[i].variable;
      if (numbers.uniform() < share)
        child.parameters[i] = std::clamp(
            child.parameters[i] + moved_by * (v.upper - v.lower) * numbers.normal(), v.lower, v.upper);
    }
  }

  void vary() {
    long done = 0;
    enter("varied networks", options_.random + long(seeds_.size()));
    while (done < options_.vary && !elites_.all().empty()) {
      const int most = generation();
      if (most == 0) break;
      std::vector<Record> records;
      for (int i = 0; i < most && done < options_.vary; ++i, ++done, ++next_) {
        Random numbers = stream(next_);
        const int count = int(elites_.all().size());  // best first: of two, the better
        const Elite& parent = elites_.all()[size_t(std::min(numbers.index(count), numbers.index(count)))];
        records.push_back({next_, "vary", std::int64_t(parent.number), varied(parent, numbers), {}});
      }
      settle(records);
      offer(records);
      meter_.reach(before_ + done);
    }
  }

  // The gallery before tuning: the best elites.
  std::vector<FoundGait> choose() const {
    std::vector<FoundGait> gaits;
    for (const Elite& e : elites_.all()) {
      if (int(gaits.size()) == options_.gaits) break;
      const Record& r = known_.at(e.number);
      gaits.push_back({r, r.evaluation, halves_.at(e.number), 0, 0, ""});
    }
    return gaits;
  }

  bool keeps_speed(const Evaluation& e, const Evaluation& half) const {
    return half.status == Status::ok && std::fabs(half.distance - e.distance) <= half_step * e.distance;
  }

  void tune(std::vector<FoundGait>& gaits) {
    better_.assign(gaits.size(), {});
    if (problem_.parameters.empty()) return;
    std::vector<Variable> variables;
    for (const Parameter& p : problem_.parameters) variables.push_back(p.variable);
    ChainOptions chain_options;
    chain_options.type =
        options_.tuner == DiscoverOptions::Tuner::annealing ? ChainType::annealing : ChainType::ascent;
    std::vector<Chain> chains;
    for (const FoundGait& g : gaits) {
      const std::vector<double>& own = g.record.candidate.parameters;
      chains.emplace_back(variables, own.empty() ? nominal(problem_) : own, g.record.evaluation.score,
                          chain_options);
    }
    enter("fine-tuning", options_.random + long(seeds_.size()) + options_.vary);
    for (int trial = 0; trial < options_.tune && !gaits.empty(); ++trial) {
      std::vector<Record> records;
      for (size_t i = 0; i < gaits.size(); ++i, ++next_) {
        Random numbers = stream(next_);
        const FoundGait& g = gaits[i];
        records.push_back({next_,
                           "tune",
                           std::int64_t(g.record.number),
                           {g.record.candidate.weights, chains[i].ask(numbers)},
                           {}});
      }
      settle(records);
      for (size_t i = 0; i < gaits.size(); ++i) {
        const Evaluation& e = records[i].evaluation;
        // the same way of moving: another kind is no improvement of this one
        const bool same = goes_on(problem_, e) &&
                          kind_distance(e.descriptor, gaits[i].untuned.descriptor) < 2 * options_.apart;
        const double before = chains[i].best_score();
        chains[i].tell(same ? e.score : 0);
        if (chains[i].best_score() > before) better_[i].push_back(records[i]);
      }
      meter_.advance(options_.gaits);
    }
  }

  // Tuned values count if they keep their speed at half the step: the best, else earlier ones.
  void confirm(std::vector<FoundGait>& gaits) {
    constexpr int rounds = confirm_rounds;
    std::vector<size_t> left;  // for each gait: tunings that are still to be tried; 0 when done
    for (const std::vector<Record>& better : better_) left.push_back(better.size() + 1);
    enter("checking at half the step", pieces() - long(options_.gaits) * (rounds + 2));
    for (int round = 0; round < rounds; ++round) {
      std::vector<Record> records;
      std::vector<size_t> who;
      for (size_t i = 0; i < gaits.size(); ++i) {
        const size_t count = better_[i].size() * size_t(rounds - round) / rounds;
        if (count == 0 || count >= left[i]) continue;
        left[i] = count;
        records.push_back(better_[i][count - 1]);
        who.push_back(i);
      }
      const std::vector<Evaluation> halves = at_half(records);
      for (size_t k = 0; k < who.size(); ++k) {
        FoundGait& g = gaits[who[k]];
        if (!keeps_speed(records[k].evaluation, halves[k])) {
          ++found_.rejected;
          continue;
        }
        left[who[k]] = 0;
        g.record = records[k];
        g.half_step = halves[k];
      }
      meter_.advance(options_.gaits);
    }
  }

  // For each candidate: its evaluation under each disturbance.
  std::vector<std::vector<Evaluation>> under_disturbances(const std::vector<Candidate>& candidates) {
    std::vector<std::vector<Evaluation>> all(candidates.size(), std::vector<Evaluation>(disturbance_count));
    enter("disturbances", pieces() - 2L * options_.gaits);
    if (run_.crew) {
      std::vector<std::string> jobs;
      for (int d = 0; d < disturbance_count; ++d)
        for (const Candidate& c : candidates)
          jobs.push_back(Trials::job(first_disturbance + d, {0, "disturbed", -1, c, {}}));
      const size_t n = candidates.size();
      share(
          jobs, [&](size_t i) { return &all[i % n][i / n]; }, [](const auto&) {});
      return all;
    }
    for (int d = 0; d < disturbance_count; ++d) {
      stop_if_asked(run_);
      const std::vector<Evaluation> results = trials_(first_disturbance + d, candidates);
      for (size_t i = 0; i < candidates.size(); ++i) all[i][size_t(d)] = results[i];
      meter_.reach(before_ + 2L * options_.gaits * (d + 1) / disturbance_count);
    }
    return all;
  }

  // Disturbances, before and after tuning.
  void disturb(std::vector<FoundGait>& gaits) {
    std::vector<Candidate> tuned, untuned;
    std::vector<Evaluation> tuned_results, untuned_results;
    for (const FoundGait& g : gaits) {
      tuned.push_back(g.record.candidate), tuned_results.push_back(g.record.evaluation);
      Candidate before = g.record.candidate;
      const auto known =
          known_.find(std::uint64_t(g.record.stage == "tune" ? g.record.parent : g.record.number));
      if (known != known_.end()) before = known->second.candidate;
      untuned.push_back(before), untuned_results.push_back(g.untuned);
    }
    untuned.insert(untuned.begin(), tuned.begin(), tuned.end());
    const std::vector<std::vector<Evaluation>> disturbed = under_disturbances(untuned);
    for (size_t i = 0; i < gaits.size(); ++i) {
      gaits[i].robustness = robustness(tuned_results[i], disturbed[i]);
      gaits[i].untuned_robustness = robustness(untuned_results[i], disturbed[gaits.size() + i]);
    }
    std::stable_sort(gaits.begin(), gaits.end(), [](const FoundGait& a, const FoundGait& b) {
      return a.record.evaluation.score > b.record.evaluation.score;
    });
    found_.gaits = std::move(gaits);
  }

  const Problem& problem_;
  const DiscoverOptions& options_;
  const Run& run_;
  const std::vector<Candidate>& seeds_;
  Ledger* const ledger_;
  const Shard shard_;
  Trials trials_;
  Elites elites_;
  std::map<std::uint64_t, Record> known_;       // every elite so far ...
  std::map<std::uint64_t, Evaluation> halves_;  // ... and what it did at half the step
  std::vector<std::vector<Record>> better_;     // for each gait: tuned values, each better than the last
  std::map<std::uint64_t, Evaluation> part_;    // random networks that this shard has evaluated
  std::uint64_t next_ = 0;
  static constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t budget_ = no_end;         // of evaluations
  std::uint64_t enough_random_ = no_end;  // random networks, once one of them has become an elite
  Meter meter_;
  std::string stage_;
  long before_ = 0;  // evaluations before the part that is under way
  Findings found_;
};

}  // namespace

bool goes_on(const Problem& problem, const Evaluation& e) {
  return e.status == Status::ok && e.speed >= least_late * e.distance / problem.seconds;
}

bool is_useful(const Problem& problem, const Evaluation& e) {
  return goes_on(problem, e) && e.distance >= problem.length;
}

bool is_resting(const Evaluation& e) {
  return e.status == Status::ok && e.period == 0 && e.likeness == 0;  // no signal that varies: find_cycle
}

Findings search_gaits(const Problem& problem, const DiscoverOptions& options, const Run& run,
                      const std::vector<Candidate>& seeds, Ledger* ledger) {
  return Search(problem, options, run, seeds, ledger).run();
}

Findings search_briefly(const Problem& problem, const DiscoverOptions& asked, const Run& run,
                        const std::vector<Candidate>& seeds, int budget) {
  DiscoverOptions options = asked;
  options.random = options.vary = budget, options.gaits = 1;
  return Search(problem, options, run, seeds, nullptr, true).run_briefly(std::uint64_t(budget));
}

}  // namespace legwork
