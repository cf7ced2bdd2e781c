#pragma once
// Rollouts by compiled code: the same bits as Rollout<Batch>, several times as fast.

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "compile/native.h"
#include "discover/measures.h"
#include "discover/record_rollout.h"

namespace legwork {

// The C of a rollout. Beside the tape's own function it has
//   extern const int legwork_lanes;
//   void legwork_rollouts(const double* weight, const double* number, const double* follow, double* result,
//                         double* track);
// which runs as many at once; arrays hold the lanes of each number beside each other.
std::string rollout_source(const RolloutTape& rollout);

// Code for all candidates of a problem, for any number of threads.
class RolloutCode {
 public:
  // Null where there is none: why says so. Where `stop` says so, it is null soon.
  static std::unique_ptr<RolloutCode> make(const Problem& problem, const std::atomic<bool>* stop,
                                           std::string& why, std::string& note);
  const RolloutTape& tape() const { return tape_; }
  int lanes() const { return lanes_; }
  bool was_kept() const { return native_->was_kept(); }

  using Run = void (*)(const double*, const double*, const double*, double*, double*);
  Run run = nullptr;

 private:
  RolloutTape tape_;
  std::unique_ptr<NativeCode> native_;
  int lanes_ = 1;
};

// What a thread needs.
class CompiledRollout {
 public:
  CompiledRollout(const Problem& problem, const RolloutCode& code);  // keeps references
  // False where the code is not theirs: nothing was done. count: any.
  bool run(const Candidate* const* candidates, int count, Evaluation* results);
  // The same without a verdict, on the first curve.
  bool run(const Candidate* const* candidates, int count, Outcome* outcomes);

 private:
  // look(first, count) of each group of lanes, once its inputs are set.
  template <class Look>
  bool run_groups(const Candidate* const* candidates, int count, const Look& look);
  void simulate(std::size_t curve);
  Outcome outcome(int lane) const;

  const Problem& problem_;
  const RolloutCode& code_;
  Expressed nominal_;
  std::vector<std::vector<double>> follow_;
  std::vector<double> buffer_;  // of the arrays below, which begin where vectors may
  double *weight_, *number_, *result_, *track_;
};

}  // namespace legwork
