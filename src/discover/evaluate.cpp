#include "discover/evaluate.h"

#include <algorithm>
#include <thread>

#include "base/parallel.h"
#include "discover/compiled_rollout.h"
#include "discover/gpu_rollout.h"
#include "discover/rollout.h"

namespace legwork {

namespace {

constexpr long worth_compiling = 300000;  // steps
constexpr long worth_sending = 4096;      // evaluations, to a graphics processor
constexpr long gpu_appetite = 200000;     // evaluations

}  // namespace

// Makes code in a thread of its own.
class Evaluator::Workshop {
 public:
  explicit Workshop(const Problem& problem) : problem_(problem) {
    thread_ = std::thread([this] {
      try {
        made_ = RolloutCode::make(problem_, &stop_, why_, note_);
      } catch (const std::exception& e) {
        why_ = e.what();
      }
      code_ = made_.get();
      done_ = true;
    });
  }
  ~Workshop() {
    stop_ = true;
    wait();
  }

  void wait() {
    if (thread_.joinable()) thread_.join();
  }
  const RolloutCode* code() const { return code_; }
  std::string how() const {
    if (!done_) return "in batches, while code is compiled";
    if (!made_) return "in batches, since " + why_;
    return "by compiled code" + (note_.empty() ? "" : "; " + note_);
  }

 private:
  const Problem& problem_;
  std::thread thread_;
  std::atomic<bool> stop_ = false, done_ = false;
  std::atomic<const RolloutCode*> code_ = nullptr;
  std::unique_ptr<RolloutCode> made_;
  std::string why_, note_;
};

struct Evaluator::Seat {
  std::unique_ptr<CompiledRollout> compiled;
  std::unique_ptr<Rollout<Batch>> eight;
  std::unique_ptr<Rollout<double>> one;
};

Evaluator::Evaluator(const Problem& problem, const EvaluateOptions& options)
    : problem_(problem), options_(options) {
  // contact between bodies is scalar only
  options_.scalar = options.scalar || scalar_only(problem.world);
  options_.compiled = options.compiled && !options_.scalar;
  for (int i = 0; i < thread_count(options.threads); ++i) seats_.push_back(std::make_unique<Seat>());
  if (!options.gpu) return;
  std::string why, note;
  gpu_ = GpuRollouts::make(problem, nullptr, why, note);
  gpu_said_ = gpu_ ? "many at once on " + gpu_->card() + (note.empty() ? "" : " (" + note + ")")
                   : "not on a graphics processor, since " + why;
}
Evaluator::~Evaluator() = default;

long Evaluator::appetite() const { return gpu_ ? gpu_appetite : 0; }

void Evaluator::compile() {
  if (!options_.compiled) return;
  if (!workshop_) workshop_ = std::make_unique<Workshop>(problem_);
  workshop_->wait();
}

std::string Evaluator::how() const {
  const std::string here = options_.scalar ? "one at a time" : workshop_ ? workshop_->how() : "in batches";
  return gpu_said_.empty() ? here : gpu_said_ + "; here " + here;
}

std::vector<Evaluation> Evaluator::operator()(const std::vector<Candidate>& candidates) {
  std::vector<Evaluation> results(candidates.size());
  std::vector<const Candidate*> pointers;
  for (const Candidate& c : candidates) pointers.push_back(&c);
  const int lanes = options_.scalar ? 1 : batch_lanes, n = int(candidates.size());
  if (gpu_ && n >= worth_sending) {
    if (options_.stop && options_.stop()) throw Stopped{};
    if (gpu_->run(candidates, int(seats_.size()), results)) return results;
    gpu_said_ = "no longer on a graphics processor, since " + gpu_->why();
    gpu_.reset();
  }
  asked_ += n * frame_count(problem_) * steps_in_frame(problem_);
  if (options_.compiled && !workshop_ && asked_ >= worth_compiling)
    workshop_ = std::make_unique<Workshop>(problem_);
  parallel_for((n + lanes - 1) / lanes, int(seats_.size()), [&](int piece, int thread) {
    const int first = piece * lanes, count = std::min(lanes, n - first);
    Seat& seat = *seats_[size_t(thread)];
    if (const RolloutCode* code = workshop_ ? workshop_->code() : nullptr) {
      if (options_.stop && options_.stop()) throw Stopped{};
      if (!seat.compiled) seat.compiled = std::make_unique<CompiledRollout>(problem_, *code);
      if (seat.compiled->run(&pointers[size_t(first)], count, &results[size_t(first)])) return;
    }
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
