#pragma once
// Rollouts on a graphics processor: one candidate a thread, the bits of Rollout<Batch>.
//
// What runs there is the emitted code of one rollout (record_rollout.h), the search for cycles (cycle.h) and
// a small runtime. It is compiled by nvcc when it is first needed, and kept like other code
// (compile/native.h).

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "compile/native.h"
#include "discover/measures.h"
#include "discover/record_rollout.h"

namespace legwork {

// A card that can be used: what it is called and what it can, "90" for compute capability 9.0.
struct Gpu {
  std::string name, capability;
};
// No name: there is none; why says so.
Gpu find_gpu(std::string& why);

// The CUDA of a rollout. Beside the tape's own function it has
//   extern "C" const char* legwork_gpu_rollouts(long n, const signed char* weight, const double* number,
//                                               int shared, const double* follow, double* result);
// which returns null or what failed. number: of each candidate, or of all where they are shared. result:
// n x (results of the tape, lag and likeness of the cycle).
std::string gpu_source(const Problem& problem, const RolloutTape& rollout);

// The options of nvcc that the same bits need.
std::vector<std::string> gpu_flags(const std::string& capability);

class GpuRollouts {
 public:
  // Null where there are none: why says so.
  static std::unique_ptr<GpuRollouts> make(const Problem& problem, const std::atomic<bool>* stop,
                                           std::string& why, std::string& note);
  const std::string& card() const { return card_; }
  // False where the code is not theirs, or the card failed: why() says so.
  bool run(const std::vector<Candidate>& candidates, int threads, std::vector<Evaluation>& results);
  const std::string& why() const { return why_; }

 private:
  using Run = const char* (*)(long, const signed char*, const double*, int, const double*, double*);
  explicit GpuRollouts(const Problem& problem) : problem_(problem) {}

  const Problem& problem_;
  Expressed nominal_;
  RolloutTape tape_;
  std::vector<std::vector<double>> follow_;
  std::unique_ptr<NativeCode> native_;
  Run run_ = nullptr;
  std::string card_, why_;
};

}  // namespace legwork
