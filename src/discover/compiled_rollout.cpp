#include "discover/compiled_rollout.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "base/cache_folder.h"
#include "compile/code_plan.h"
#include "compile/emit_c.h"
#include "discover/measures.h"

namespace legwork {

namespace {

constexpr int longest = 8000;             // operations in one function
constexpr long most_operations = 150000;  // in all: some twenty seconds of a compiler

// As many lanes as a vector register holds.
const char* const lanes = R"(#if defined(__AVX512DQ__)
#define LEGWORK_LANES 8
#elif defined(__AVX__)
#define LEGWORK_LANES 4
#else
#define LEGWORK_LANES 2
#endif
)";

std::string copy(const char* array, int size, bool in) {
  if (size == 0) return "";
  const std::string name = array;
  return in ? "  memcpy(x.x." + name + ", " + name + ", sizeof x.x." + name + ");\n"
            : "  memcpy(" + name + ", x.x." + name + ", sizeof x.x." + name + ");\n";
}

}  // namespace

std::string rollout_source(const RolloutTape& r) {
  CFile file{"rollout", "One rollout. Made by Legwork; do not edit.", {}, {}};
  file.functions.push_back({"rollout", "From the start to the end.", r.tape.get(), {}});
  return lanes + c_text(file, longest) +
         "const int legwork_lanes = LEGWORK_LANES;\n"
         "void legwork_rollouts(const double* weight, const double* number, const double* follow, double* "
         "result, double* track) {\n"
         "  struct { rollout_io x; } x;\n"
         "  (void)number;\n" +
         copy("weight", r.weights, true) + copy("number", r.numbers, true) +
         "  x.x.follow = follow;\n  x.x.track = (legwork_number*)track;\n  x.x.track_stride = 1;\n"
         "  rollout(&x.x);\n" +
         copy("result", r.results, false) + "}\n";
}

std::unique_ptr<RolloutCode> RolloutCode::make(const Problem& problem, const std::atomic<bool>* stop,
                                               std::string& why, std::string& note) {
  NativeOptions options;
  options.compiler = find_c_compiler();
  if (options.compiler.command.empty()) {
    why = "there is no C compiler (cc, gcc or clang)";
    return nullptr;
  }
  if (const std::string obstacle = not_recordable(problem); !obstacle.empty()) {
    why = obstacle + " cannot be compiled";
    return nullptr;
  }
  options.flags = c_flags({"-O1", "-march=native", "-w"});
  if (const std::string cache = cache_folder(); !cache.empty())
    options.folder = (std::filesystem::path(cache) / "native").string();
  options.stop = stop;
  std::unique_ptr<RolloutCode> code(new RolloutCode);
  code->tape_ = record_rollout(problem);
  if (const long size = make_code_plan(*code->tape_.tape, longest).operations; size > most_operations) {
    why = "its code would be too long (" + std::to_string(size) + " operations)";
    return nullptr;
  }
  if (stop && *stop) return nullptr;
  code->native_ = NativeCode::make(rollout_source(code->tape_), options, why, note);
  if (!code->native_) return nullptr;
  code->lanes_ = *static_cast<const int*>(code->native_->find("legwork_lanes"));
  code->run = reinterpret_cast<Run>(code->native_->find("legwork_rollouts"));
  return code;
}

CompiledRollout::CompiledRollout(const Problem& problem, const RolloutCode& code)
    : problem_(problem), code_(code), nominal_(express(problem, {})) {
  for (const FollowPath& path : problem.follow) follow_.push_back(follow_table(problem, path));
  const RolloutTape& r = code.tape();
  const std::size_t lanes = std::size_t(code.lanes());
  const std::size_t sizes[] = {std::size_t(r.weights), std::size_t(r.numbers), std::size_t(r.results),
                               std::size_t(r.rows) * std::size_t(r.signals)};
  std::size_t all = 8;
  for (const std::size_t size : sizes) all += size * lanes;
  buffer_.assign(all, 0.0);
  double* at = buffer_.data();
  while (reinterpret_cast<std::uintptr_t>(at) % 64 != 0) ++at;
  weight_ = at, at += sizes[0] * lanes;
  track_ = at, at += sizes[3] * lanes;
  number_ = at, at += sizes[1] * lanes;
  result_ = at;
}

template <class Look>
bool CompiledRollout::run_groups(const Candidate* const* candidates, int count, const Look& look) {
  const RolloutTape& r = code_.tape();
  const int lanes = code_.lanes();
  std::vector<std::vector<double>> inputs;
  for (int i = 0; i < count; ++i) {
    std::optional<std::vector<double>> own = inputs_of(problem_, r, nominal_, *candidates[i]);
    if (!own) return false;
    inputs.push_back(std::move(*own));
  }
  for (int first = 0; first < count; first += lanes) {
    const int here = std::min(lanes, count - first);
    for (int lane = 0; lane < lanes; ++lane) {
      const std::size_t i = std::size_t(first + std::min(lane, here - 1));
      for (int k = 0; k < r.weights; ++k) weight_[k * lanes + lane] = candidates[i]->weights[std::size_t(k)];
      for (int k = 0; k < r.numbers; ++k) number_[k * lanes + lane] = inputs[i][std::size_t(k)];
    }
    look(first, here);
  }
  return true;
}

void CompiledRollout::simulate(std::size_t curve) {
  code_.run(weight_, number_, follow_[curve].data(), result_, track_);
}

bool CompiledRollout::run(const Candidate* const* candidates, int count, Evaluation* results) {
  return run_groups(candidates, count, [&](int first, int here) {
    sum_over_curves(
        problem_, here, results + first, [&](std::size_t curve) { simulate(curve); },
        [&](int lane) { return evaluation_of(problem_, outcome(lane)); });
  });
}

bool CompiledRollout::run(const Candidate* const* candidates, int count, Outcome* outcomes) {
  return run_groups(candidates, count, [&](int first, int here) {
    simulate(0);
    for (int lane = 0; lane < here; ++lane) outcomes[first + lane] = outcome(lane);
  });
}

Outcome CompiledRollout::outcome(int lane) const {
  const RolloutTape& r = code_.tape();
  const int lanes = code_.lanes();
  std::vector<double> own;
  for (int k = 0; k < r.results; ++k) own.push_back(result_[k * lanes + lane]);
  Outcome o = outcome_of(problem_, own.data(), r.results, 0, 0);
  if (!counts(problem_, o)) return o;
  std::vector<double> rows(std::size_t(r.rows) * std::size_t(r.signals));
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = track_[k * std::size_t(lanes) + std::size_t(lane)];
  find_cycle_of(problem_, rows, o);
  return o;
}

}  // namespace legwork
