#pragma once
// Evaluations of one problem as a list: as it is, at half the step, and under each disturbance (robust.h);
// here or, as jobs for a crew, anywhere.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "discover/evaluate.h"

namespace legwork {

// What is different about an evaluation: nothing, the step, or disturbance number variant -
// first_disturbance.
inline constexpr int as_it_is = 0, at_half_step = 1, first_disturbance = 2;

// Candidate k of the random ones: weights from stream k of the seed.
std::vector<std::int8_t> random_weights(const NetworkShape& shape, std::uint64_t seed, std::uint64_t number);

class Trials {
 public:
  Trials(const Problem& problem, const EvaluateOptions& options, std::uint64_t seed);
  ~Trials();

  // In the order of the candidates.
  std::vector<Evaluation> operator()(int variant, const std::vector<Candidate>& candidates);
  // Jobs to their results, for a crew.
  std::vector<std::string> operator()(const std::vector<std::string>& jobs);

  // A random candidate is its number alone; any other carries itself.
  static std::string job(int variant, const Record& record);
  static std::string result_text(const Evaluation& evaluation);
  // False where the text is no result.
  static bool parse_result(const std::string& text, Evaluation& evaluation);

  int lanes() const;  // evaluations that are made at the same time
  long appetite();    // that keep all of it busy; 0: any number does
  std::string how();  // they are made at present, in words (evaluate.h)
  int variants() const;

 private:
  struct Variant;
  Variant& variant(int which);

  const Problem& problem_;
  const EvaluateOptions options_;
  const std::uint64_t seed_;
  std::map<int, std::unique_ptr<Variant>> variants_;
};

}  // namespace legwork
