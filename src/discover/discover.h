#pragma once
// Give a body, get the ways it can move: the search.
//
//   1 random   networks with random weights (van de Panne and Fiume, section 5.2)
//   2 vary     quality-diversity: elites are varied, and the best of every kind kept (search/elites.h)
//   3 tune     fine-tuning of the best gaits' numbers, weights unchanged (section 5.3, search/chain.h)
//   4 disturb  each gait under other friction, masses, ground and pushes, before and after tuning
// No candidate becomes an elite, and no tuning counts, that does not keep its speed at half the step.
// Every evaluation has a number; evaluation k draws from random stream k, so that the result depends on the
// seed alone, and a search that was interrupted goes on by taking from its ledger what is there.

#include <legwork/methods.h>
#include "discover/evaluate.h"

namespace legwork {

struct FoundGait {
  Record record;          // with its tuned values
  Evaluation untuned;     // what it was before
  Evaluation half_step;   // at half the step
  double robustness = 0;  // 0 to 1, robust.h
  double untuned_robustness = 0;
  std::string name;  // in words
};

struct Findings {
  std::vector<FoundGait> gaits;       // best first
  std::uint64_t evaluations = 0;      // records made, including those taken from the ledger
  std::uint64_t simulated = 0;        // those that this call simulated
  double useful_share = 0;            // share of the random networks that are useful
  double resting_share = 0;           // share in which nothing moves any more in the second half
  double best_random = 0;             // score
  int rejected = 0;                   // would-be elites and tunings that failed at half the step
  int diverged = 0;                   // candidates that the energy account or the step threw out
  std::vector<double> best_by_count;  // score after each evaluation
  double seconds = 0;                 // wall time of the evaluations
  std::string how;                    // they were made, at the end: evaluate.h
  std::string stopped_in;             // the part of the search in which it was stopped; empty: it ended
};

// Still moving in the second half: at a quarter of the mean speed or faster. No other becomes an elite.
bool goes_on(const Problem& problem, const Evaluation& e);
// A random network's motion is useful when it goes on and has carried the body by its own length.
bool is_useful(const Problem& problem, const Evaluation& e);
// Nothing moves any more in the second half.
bool is_resting(const Evaluation& e);

// seeds: networks of simpler bodies, tried first (seed.h). What is finished when the run is stopped is in the
// ledger, where there is one; a generation that was under way is lost. Where the run keeps what there is, the
// gaits found by then are returned.
Findings search_gaits(const Problem& problem, const DiscoverOptions& options, const Run& run,
                      const std::vector<Candidate>& seeds = {}, Ledger* ledger = nullptr);

// The same search cut short, for one that is part of another: no more than `budget` evaluations (those at
// half the step among them), random networks for a quarter of it and until one of them moves, then
// variations; the best gait alone, not tuned, robustness unknown. Nothing is kept.
Findings search_briefly(const Problem& problem, const DiscoverOptions& options, const Run& run,
                        const std::vector<Candidate>& seeds, int budget);

}  // namespace legwork
