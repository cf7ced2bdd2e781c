#include "legwork/discover/discover.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "legwork/discover/robust.h"
#include "legwork/search/elites.h"

namespace legwork {

namespace {

constexpr int generation = 64;         // candidates made from the same elites; whatever the threads
constexpr double changed_weights = 4;  // of a varied network, on average
constexpr double crossed = 0.25;       // share of varied networks that take nodes from another elite
constexpr double moved_numbers = 0.3;  // share of varied candidates whose numbers are moved, too
constexpr double useful_late = 0.25;   // share of the mean speed that is kept in the second half

std::vector<std::int8_t> random_weights(const NetworkShape& shape, Random& random) {
  std::vector<std::int8_t> w(size_t(shape.weights()));
  for (std::int8_t& x : w) x = std::int8_t(random.index(2 * largest_weight + 1) - largest_weight);
  return w;
}

class Search {
 public:
  Search(const Problem& problem, const DiscoverOptions& options, std::uint64_t seed,
         const EvaluateOptions& evaluate, const DiscoverHooks& hooks)
      : problem_(problem),
        options_(options),
        seed_(seed),
        evaluate_options_(evaluate),
        hooks_(hooks),
        evaluate_(problem, evaluate),
        elites_(options.apart) {}

  Findings run() {
    random();
    vary();
    std::vector<FoundGait> gaits = choose();
    tune(gaits);
    check(gaits);
    return std::move(found_);
  }

 private:
  Random stream(std::uint64_t number) const { return Random(seed_, number); }

  // Evaluates records, or takes them from the ledger.
  void settle(std::vector<Record>& records) {
    if (hooks_.stop && hooks_.stop()) throw SearchStopped();
    std::vector<Candidate> candidates;
    std::vector<size_t> open;
    for (size_t i = 0; i < records.size(); ++i) {
      const Record* known = hooks_.ledger ? hooks_.ledger->find(records[i].number) : nullptr;
      if (known) {
        records[i].evaluation = known->evaluation;
        continue;
      }
      open.push_back(i);
      candidates.push_back(records[i].candidate);
    }
    const auto start = std::chrono::steady_clock::now();
    const std::vector<Evaluation> results = evaluate_(candidates);
    found_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::vector<Record> fresh;
    for (size_t k = 0; k < open.size(); ++k) {
      records[open[k]].evaluation = results[k];
      fresh.push_back(records[open[k]]);
    }
    found_.simulated += fresh.size();
    if (hooks_.ledger && !fresh.empty()) hooks_.ledger->keep(fresh);
    for (const Record& r : records) {
      found_.diverged += r.evaluation.status == Status::diverged;
      const double best = found_.best_by_count.empty() ? 0 : found_.best_by_count.back();
      found_.best_by_count.push_back(std::max(best, r.evaluation.score));
    }
    found_.evaluations += records.size();
  }

  void offer(const Record& record) {
    if (record.evaluation.score <= 0 || record.evaluation.descriptor.empty()) return;
    if (elites_.add({record.number, record.evaluation.score, record.evaluation.descriptor}))
      known_[record.number] = record;
  }

  void tell(const char* stage, long done, long total) {
    if (hooks_.progress) hooks_.progress(stage, done, total);
  }

  void random() {
    int useful = 0, resting = 0, counted = 0;
    const int seeds = int(options_.seeds.size()), total = options_.random + seeds;
    while (next_ < std::uint64_t(total)) {
      std::vector<Record> records;
      for (int i = 0; i < generation && next_ < std::uint64_t(total); ++i, ++next_) {
        Record r{next_, "random", -1, {}, {}};
        Random numbers = stream(next_);
        if (int(next_) < seeds)
          r.stage = "seed", r.candidate = options_.seeds[next_];
        else
          r.candidate.weights = random_weights(problem_.shape, numbers);
        records.push_back(std::move(r));
      }
      settle(records);
      for (const Record& r : records) {
        offer(r);
        if (r.stage != "random") continue;
        ++counted;
        useful += is_useful(problem_, r.evaluation);
        resting += is_resting(r.evaluation);
        found_.best_random = std::max(found_.best_random, r.evaluation.score);
      }
      tell("random networks", long(next_), total);
    }
    if (counted == 0) return;
    found_.useful_share = double(useful) / counted;
    found_.resting_share = double(resting) / counted;
  }

  Candidate varied(const Elite& parent, Random& numbers) const {
    Candidate child = known_.at(parent.number).candidate;
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
    if (numbers.uniform() < moved_numbers && !problem_.parameters.empty()) {
      if (child.parameters.empty()) child.parameters = nominal(problem_);
      for (size_t i = 0; i < child.parameters.size(); ++i) {
        const Variable& v = problem_.parameters[i].variable;
        if (numbers.uniform() < 0.1)
          child.parameters[i] = std::clamp(child.parameters[i] + 0.1 * (v.upper - v.lower) * numbers.normal(),
                                           v.lower, v.upper);
      }
    }
    return child;
  }

  void vary() {
    long done = 0;
    while (done < options_.vary && !elites_.all().empty()) {
      std::vector<Record> records;
      for (int i = 0; i < generation && done < options_.vary; ++i, ++done, ++next_) {
        Random numbers = stream(next_);
        const Elite& parent = elites_.all()[size_t(numbers.index(int(elites_.all().size())))];
        records.push_back({next_, "vary", std::int64_t(parent.number), varied(parent, numbers), {}});
      }
      settle(records);
      for (const Record& r : records) offer(r);
      tell("varied networks", done, options_.vary);
    }
  }

  // The gallery before tuning: elites in order of score, those that fail at half the step replaced by the
  // next.
  std::vector<FoundGait> choose() {
    std::vector<FoundGait> gaits;
    Problem half = problem_;
    half.step.dt = 0.5 * problem_.step.dt;
    Evaluator at_half(half, evaluate_options_);
    const std::vector<Elite>& all = elites_.all();
    for (size_t from = 0; from < all.size() && int(gaits.size()) < options_.gaits;) {
      const size_t want = size_t(options_.gaits) - gaits.size();
      const size_t count = std::min(all.size() - from, std::max(want, size_t(batch_lanes)));
      std::vector<Candidate> candidates;
      for (size_t i = 0; i < count; ++i) candidates.push_back(known_.at(all[from + i].number).candidate);
      const std::vector<Evaluation> halves = at_half(candidates);
      for (size_t i = 0; i < count && int(gaits.size()) < options_.gaits; ++i) {
        const Record& r = known_.at(all[from + i].number);
        if (!keeps_speed(r.evaluation, halves[i])) {
          ++found_.rejected;
          continue;
        }
        gaits.push_back({r, r.evaluation, halves[i], 0, 0, ""});
      }
      from += count;
    }
    return gaits;
  }

  bool keeps_speed(const Evaluation& e, const Evaluation& half) const {
    return half.status == Status::ok &&
           std::fabs(half.distance - e.distance) <= options_.half_step * e.distance;
  }

  void tune(std::vector<FoundGait>& gaits) {
    if (problem_.parameters.empty() || options_.tune <= 0) return;
    std::vector<Variable> variables;
    for (const Parameter& p : problem_.parameters) variables.push_back(p.variable);
    ChainOptions chain_options;
    chain_options.type = options_.tuner;
    std::vector<Chain> chains;
    for (const FoundGait& g : gaits) {
      const std::vector<double>& own = g.record.candidate.parameters;
      chains.emplace_back(variables, own.empty() ? nominal(problem_) : own, g.record.evaluation.score,
                          chain_options);
    }
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
        const bool same = !e.descriptor.empty() &&
                          kind_distance(e.descriptor, gaits[i].untuned.descriptor) < 2 * options_.apart;
        const double before = chains[i].best_score();
        chains[i].tell(same ? e.score : 0);
        if (chains[i].best_score() > before) better_.push_back({i, records[i]});
      }
      tell("fine-tuning", trial + 1, options_.tune);
    }
  }

  // The best tuned values of each gait that keep their speed at half the step; then disturbances.
  void check(std::vector<FoundGait>& gaits) {
    Problem half = problem_;
    half.step.dt = 0.5 * problem_.step.dt;
    Evaluator at_half(half, evaluate_options_);
    for (int round = 0; round < 4; ++round) {  // the best, then the next best of those that failed ...
      std::vector<Candidate> candidates;
      std::vector<size_t> who;
      for (size_t i = 0; i < gaits.size(); ++i) {
        const Record* best = nullptr;
        for (const auto& [gait, record] : better_)
          if (gait == i && (!best || record.evaluation.score > best->evaluation.score)) best = &record;
        if (!best) continue;
        candidates.push_back(best->candidate);
        who.push_back(i);
      }
      if (who.empty()) break;
      const std::vector<Evaluation> halves = at_half(candidates);
      for (size_t k = 0; k < who.size(); ++k) {
        const size_t i = who[k];
        auto best = better_.end();
        for (auto it = better_.begin(); it != better_.end(); ++it)
          if (it->first == i &&
              (best == better_.end() || it->second.evaluation.score > best->second.evaluation.score))
            best = it;
        const Record record = best->second;
        if (keeps_speed(record.evaluation, halves[k])) {
          gaits[i].record = record;
          gaits[i].half_step = halves[k];
          std::erase_if(better_, [&](const auto& b) { return b.first == i; });
        } else {
          ++found_.rejected;
          better_.erase(best);
        }
      }
      tell("checking at half the step", round + 1, 4);
    }
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
    tell("disturbances", 0, 2);
    const std::vector<double> after = robustness(problem_, tuned, tuned_results, evaluate_options_);
    tell("disturbances", 1, 2);
    const std::vector<double> before = robustness(problem_, untuned, untuned_results, evaluate_options_);
    tell("disturbances", 2, 2);
    for (size_t i = 0; i < gaits.size(); ++i)
      gaits[i].robustness = after[i], gaits[i].untuned_robustness = before[i];
    std::stable_sort(gaits.begin(), gaits.end(), [](const FoundGait& a, const FoundGait& b) {
      return a.record.evaluation.score > b.record.evaluation.score;
    });
    found_.gaits = std::move(gaits);
  }

  const Problem& problem_;
  const DiscoverOptions& options_;
  const std::uint64_t seed_;
  const EvaluateOptions evaluate_options_;
  const DiscoverHooks& hooks_;
  Evaluator evaluate_;
  Elites elites_;
  std::map<std::uint64_t, Record> known_;          // every elite so far
  std::vector<std::pair<size_t, Record>> better_;  // tuned values that were better, by gait
  std::uint64_t next_ = 0;
  Findings found_;
};

}  // namespace

bool is_useful(const Problem& problem, const Evaluation& e) {
  return e.status == Status::ok && e.distance >= problem.length &&
         e.speed >= useful_late * e.distance / problem.seconds;
}

bool is_resting(const Evaluation& e) {
  return e.status == Status::ok && e.period == 0 && e.likeness == 0;  // no signal that varies: find_cycle
}

Findings discover(const Problem& problem, const DiscoverOptions& options, std::uint64_t seed,
                  const EvaluateOptions& evaluate, const DiscoverHooks& hooks) {
  return Search(problem, options, seed, evaluate, hooks).run();
}

}  // namespace legwork
