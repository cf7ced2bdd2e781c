#include "legwork/search/chain.h"

#include <algorithm>

#include "legwork/math/real.h"

namespace legwork {

Chain::Chain(const std::vector<Variable>& variables, std::vector<double> start, double score,
             const ChainOptions& options)
    : variables_(variables),
      options_(options),
      present_(start),
      trial_(start),
      best_(std::move(start)),
      score_(score),
      best_score_(score),
      temperature_(options.temperature * abs(score)) {}

const std::vector<double>& Chain::ask(Random& random) {
  trial_ = present_;
  const int k = random.index(int(variables_.size()));
  const double side = random.index(2) == 0 ? -1 : 1;
  luck_ = random.uniform();
  const Variable& v = variables_[k];
  trial_[k] = std::clamp(present_[k] + side * options_.step * (v.upper - v.lower), v.lower, v.upper);
  return trial_;
}

bool Chain::tell(double score) noexcept {
  bool kept = score > score_;
  if (options_.type == ChainType::annealing) {
    if (!kept && temperature_ > 0) kept = luck_ < exp((score - score_) / temperature_);
    if (++trials_ % options_.trials_a_heat == 0) temperature_ *= options_.cooling;
  }
  if (kept) present_ = trial_, score_ = score;
  if (score > best_score_) best_ = trial_, best_score_ = score;
  return kept;
}

}  // namespace legwork
