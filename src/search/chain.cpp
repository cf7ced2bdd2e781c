#include "search/chain.h"

#include <algorithm>

#include "math/real.h"

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
  const int number = random.index(int(variables_.size()));
  const double side = random.index(2) == 0 ? -1 : 1;
  luck_ = random.uniform();
  if (!again_) number_ = number, side_ = side;
  const Variable& v = variables_[number_];
  const double value = present_[number_] + side_ * options_.step * (v.upper - v.lower);
  trial_[number_] = std::clamp(value, v.lower, v.upper);
  return trial_;
}

bool Chain::tell(double score) noexcept {
  bool kept = score > score_;
  if (options_.type == ChainType::annealing) {
    if (!kept && temperature_ > 0) kept = luck_ < exp((score - score_) / temperature_);
    if (++trials_ % options_.trials_a_heat == 0) temperature_ *= options_.cooling;
  }
  again_ = options_.type == ChainType::ascent && kept;
  if (kept) present_ = trial_, score_ = score;
  if (score > best_score_) best_ = trial_, best_score_ = score;
  return kept;
}

}  // namespace legwork
