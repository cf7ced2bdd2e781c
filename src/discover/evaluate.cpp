#include "discover/evaluate.h"

#include <algorithm>

#include "base/parallel.h"
#include "discover/rollout.h"

namespace legwork {

struct Evaluator::Seat {
  std::unique_ptr<Rollout<Batch>> eight;
  std::unique_ptr<Rollout<double>> one;
};

Evaluator::Evaluator(const Problem& problem, const EvaluateOptions& options)
    : problem_(problem), options_(options) {
  // contact between bodies is scalar only
  options_.scalar = options.scalar || problem.world.body_contact;
  for (int i = 0; i < thread_count(options.threads); ++i) seats_.push_back(std::make_unique<Seat>());
}
Evaluator::~Evaluator() = default;

std::vector<Evaluation> Evaluator::operator()(const std::vector<Candidate>& candidates) {
  std::vector<Evaluation> results(candidates.size());
  std::vector<const Candidate*> pointers;
  for (const Candidate& c : candidates) pointers.push_back(&c);
  const int lanes = options_.scalar ? 1 : batch_lanes, n = int(candidates.size());
  parallel_for((n + lanes - 1) / lanes, int(seats_.size()), [&](int piece, int thread) {
    const int first = piece * lanes, count = std::min(lanes, n - first);
    Seat& seat = *seats_[size_t(thread)];
    if (options_.scalar) {
      if (!seat.one) seat.one = std::make_unique<Rollout<double>>(problem_, options_.stop);
      seat.one->run(&pointers[size_t(first)], count, &results[size_t(first)]);
    } else {
      if (!seat.eight) seat.eight = std::make_unique<Rollout<Batch>>(problem_, options_.stop);
      seat.eight->run(&pointers[size_t(first)], count, &results[size_t(first)]);
    }
  });
  return results;
}

}  // namespace legwork
