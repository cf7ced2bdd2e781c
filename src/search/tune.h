#pragma once
// Tuning: a few bounded numbers, a score to raise.
//
// Covariance matrix adaptation (CMA-ES) in the form that keeps a Cholesky factor up to date by rank-one
// updates (Krause, Arbones and Igel, "CMA-ES with optimal covariance update and storage complexity", NIPS
// 2016), with weights that fall linearly with rank. Plain loops in one order: the same seed gives the same
// bits on every machine and for every number of threads.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <legwork/run.h>

namespace legwork {

struct Variable {
  std::string name;
  double lower, upper;  // never left
  double start;
};

struct TuneOptions {
  int evaluations = 400;  // how often the search may compute the score
  int population = 0;     // candidates in a generation; 0 = 4 + 3 ln n, rounded up to whole batches of eight
  double spread = 0.2;    // first standard deviation, as a share of each variable's range
  double converged = 1e-4;  // stop when every standard deviation is a smaller share of its range than this
};
template <class Visitor>
void describe(Visitor& v, TuneOptions& o) {
  v.integer("evaluations", o.evaluations, {1, 1e9, "", "simulations that the search may use"});
  v.integer("population", o.population, {0, 1e6, "", "candidates in a generation; 0 = from the variables"});
  v.number("spread", o.spread, {1e-6, 1, "1", "first standard deviation over a variable's range"});
  v.number("converged", o.converged, {0, 1, "1", "stop when all standard deviations are below this share"});
}

struct Tuned {
  std::vector<double> values;  // the best
  double score = 0;
  double start_score = 0;             // score of the variables' starts
  std::vector<double> best_by_count;  // best score after 1, 2, ... evaluations
  bool converged = false;

  int evaluations() const { return int(best_by_count.size()); }
};

// Fills scores[i] for candidates[i]; higher is better, not a number is worst.
using ScoreAll =
    std::function<void(const std::vector<std::vector<double>>& candidates, std::vector<double>& scores)>;
// Candidate 0 of all is the start. Throws Error on empty or crossed ranges.
Tuned tune(const std::vector<Variable>& variables, const ScoreAll& score_all, const TuneOptions& options,
           std::uint64_t seed);

// One candidate at a time, on `threads` threads; `thread` names the scratch to use.
using ScoreOne = std::function<double(const std::vector<double>& values, int thread)>;
Tuned tune(const std::vector<Variable>& variables, const ScoreOne& score, const TuneOptions& options,
           std::uint64_t seed, int threads);
// The same by all processes and threads of a run, metered, until it is stopped. The score is a pure function
// of the values, the same in every process.
Tuned tune(const std::vector<Variable>& variables, const ScoreOne& score, const TuneOptions& options,
           const Run& run);

}  // namespace legwork
