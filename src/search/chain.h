#pragma once
// A chain of trials: one bounded number is moved a little, and the move kept or taken back.
//
//   ascent     kept when the score rises (van de Panne and Fiume 1993, figure 9), and then made once more
//   annealing  also kept, with probability e^(loss / temperature), when it falls; the temperature
//              drops by a factor after a number of trials (Kirkpatrick, Gelatt and Vecchi 1983)
// Ask for a trial, score it, tell the score; many chains can be asked before all are scored.

#include <vector>

#include "base/random.h"
#include "search/tune.h"

namespace legwork {

enum class ChainType { ascent, annealing };

struct ChainOptions {
  ChainType type = ChainType::ascent;
  double step = 0.05;         // as a share of a variable's range
  int trials_a_heat = 65;     // at one temperature
  double cooling = 0.75;      // from one temperature to the next
  double temperature = 0.05;  // the first, as a share of the score at the start
};

class Chain {
 public:
  Chain(const std::vector<Variable>& variables, std::vector<double> start, double score,
        const ChainOptions& options);

  // The next trial: the present values with one of them moved. Draws from random only here.
  const std::vector<double>& ask(Random& random);
  // Its score. True when the move was kept.
  bool tell(double score) noexcept;

  const std::vector<double>& best() const { return best_; }
  double best_score() const { return best_score_; }

 private:
  const std::vector<Variable> variables_;
  const ChainOptions options_;
  std::vector<double> present_, trial_, best_;
  double score_, best_score_, temperature_, luck_ = 0;
  int trials_ = 0, number_ = 0;
  double side_ = 1;
  bool again_ = false;  // the last move helped
};

}  // namespace legwork
