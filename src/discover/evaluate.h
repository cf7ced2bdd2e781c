#pragma once
// Many evaluations: eight at a time on every core.

#include <functional>
#include <memory>
#include <vector>

#include "discover/problem.h"

namespace legwork {

struct EvaluateOptions {
  int threads = 0;                  // 0 = all cores
  bool scalar = false;              // one at a time instead of in batches; the same bits
  std::function<bool()> stop = {};  // true ends the evaluations, which then throw Stopped
};

class Evaluator {
 public:
  Evaluator(const Problem& problem, const EvaluateOptions& options);  // keeps a reference to the problem
  ~Evaluator();

  // In the order of the candidates, whatever thread did which.
  std::vector<Evaluation> operator()(const std::vector<Candidate>& candidates);

 private:
  struct Seat;  // what a thread needs
  const Problem& problem_;
  EvaluateOptions options_;
  std::vector<std::unique_ptr<Seat>> seats_;
};

}  // namespace legwork
