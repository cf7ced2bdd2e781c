#pragma once
// Many evaluations, on every core: by compiled code as soon as there is some, eight at a time until then.
//
// Code is made while batches already run, and the bits are the same: when it takes over does not show.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "discover/problem.h"

namespace legwork {

class GpuRollouts;

struct EvaluateOptions {
  int threads = 0;                  // 0 = all cores
  bool scalar = false;              // one at a time instead of in batches; the same bits
  std::function<bool()> stop = {};  // true ends the evaluations, which then throw Stopped
  bool compiled = true;             // false: never by compiled code
  bool gpu = false;                 // many at once on a graphics processor
};

class Evaluator {
 public:
  Evaluator(const Problem& problem, const EvaluateOptions& options);  // keeps a reference to the problem
  ~Evaluator();

  // In the order of the candidates, whatever thread did which.
  std::vector<Evaluation> operator()(const std::vector<Candidate>& candidates);

  // Makes the code now, and waits for it.
  void compile();
  // How many at once keep all of it busy.
  long appetite() const;
  // How evaluations are made at present, in words: "by compiled code (gcc ...)", "in batches, since ...".
  std::string how() const;

 private:
  struct Seat;     // what a thread needs
  class Workshop;  // where code is made
  const Problem& problem_;
  EvaluateOptions options_;
  std::vector<std::unique_ptr<Seat>> seats_;
  std::unique_ptr<Workshop> workshop_;
  std::unique_ptr<GpuRollouts> gpu_;
  std::string gpu_said_;
  long asked_ = 0;  // steps so far
};

}  // namespace legwork
