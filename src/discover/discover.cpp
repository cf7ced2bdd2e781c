#include "discover/discover.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/meter.h"
#include "base/stopwatch.h"
#include "discover/robust.h"
#include "search/chain.h"
#include "search/elites.h"

namespace legwork {

namespace {

constexpr int generation = 64;         // candidates made from the same elites; whatever the threads
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

Problem at_half_step(Problem problem) {
  problem.step.dt *= 0.5;
  return problem;
}

std::vector<std::int8_t> random_weights(const NetworkShape& shape, Random& random) {
  std::vector<std::int8_t> w(size_t(shape.weights()));
  for (std::int8_t& x : w) x = std::int8_t(random.index(2 * largest_weight + 1) - largest_weight);
  return w;
}

class Search {
 public:
  Search(const Problem& problem, const DiscoverOptions& options, const Run& run,
         const std::vector<Candidate>& seeds, Ledger* ledger)
      : problem_(problem),
        options_(options),
        run_(run),
        seeds_(seeds),
        ledger_(ledger),
        evaluate_options_{run.threads, options.scalar, run.stop},
        half_(at_half_step(problem)),
        evaluate_(problem, evaluate_options_),
        evaluate_half_(half_, evaluate_options_),
        elites_(options.apart),
        meter_(run, "", pieces()) {}

  Findings run() {
    std::vector<FoundGait> gaits;
    try {
      random();
      vary();
      gaits = choose();
      tune(gaits);
      confirm(gaits);
      disturb(gaits);
    } catch (const Stopped&) {
      if (!run_.keep_partial) throw;
      found_.stopped_in = part_;
      found_.gaits = choose();
    }
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
  void enter(const char* part, long done) {
    part_ = part, before_ = done;
    meter_.enter(part);
    meter_.reach(done);
  }

  // Evaluates records, or takes them from the ledger.
  void settle(std::vector<Record>& records, Evaluator& evaluate) {
    stop_if_asked(run_);
    std::vector<Candidate> candidates;
    std::vector<size_t> open;
    for (size_t i = 0; i < records.size(); ++i) {
      const Record* known = ledger_ ? ledger_->find(records[i].number) : nullptr;
      if (known) {
        records[i].evaluation = known->evaluation;
        continue;
      }
      open.push_back(i);
      candidates.push_back(records[i].candidate);
    }
    const Stopwatch watch;
    const std::vector<Evaluation> results = evaluate(candidates);
    found_.seconds += watch.seconds();
    std::vector<Record> fresh;
    for (size_t k = 0; k < open.size(); ++k) {
      records[open[k]].evaluation = results[k];
      fresh.push_back(records[open[k]]);
    }
    found_.simulated += fresh.size();
    if (ledger_ && !fresh.empty()) ledger_->keep(fresh);
    found_.evaluations += records.size();
  }

  void settle(std::vector<Record>& records) {
    settle(records, evaluate_);
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
    settle(halves, evaluate_half_);
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

  void random() {
    int useful = 0, resting = 0, counted = 0;
    const int seeds = int(seeds_.size()), total = options_.random + seeds;
    enter("random networks", 0);
    while (next_ < std::uint64_t(total)) {
      std::vector<Record> records;
      for (int i = 0; i < generation && next_ < std::uint64_t(total); ++i, ++next_) {
        Record r{next_, "random", -1, {}, {}};
        Random numbers = stream(next_);
        if (int(next_) < seeds)
          r.stage = "seed", r.candidate = seeds_[next_];
        else
          r.candidate.weights = random_weights(problem_.shape, numbers);
        records.push_back(std::move(r));
      }
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
      std::vector<Record> records;
      for (int i = 0; i < generation && done < options_.vary; ++i, ++done, ++next_) {
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
    enter("disturbances", pieces() - 2L * options_.gaits);
    stop_if_asked(run_);
    const std::vector<double> after = robustness(problem_, tuned, tuned_results, evaluate_options_);
    meter_.advance(options_.gaits);
    stop_if_asked(run_);
    const std::vector<double> before = robustness(problem_, untuned, untuned_results, evaluate_options_);
    meter_.advance(options_.gaits);
    for (size_t i = 0; i < gaits.size(); ++i)
      gaits[i].robustness = after[i], gaits[i].untuned_robustness = before[i];
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
  const EvaluateOptions evaluate_options_;
  const Problem half_;
  Evaluator evaluate_, evaluate_half_;
  Elites elites_;
  std::map<std::uint64_t, Record> known_;       // every elite so far ...
  std::map<std::uint64_t, Evaluation> halves_;  // ... and what it did at half the step
  std::vector<std::vector<Record>> better_;     // for each gait: tuned values, each better than the last
  std::uint64_t next_ = 0;
  Meter meter_;
  std::string part_;
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

}  // namespace legwork
