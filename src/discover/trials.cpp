#include "discover/trials.h"

#include <charconv>
#include <cmath>

#include <legwork/error.h>
#include "base/random.h"
#include "base/text.h"
#include "discover/robust.h"
#include "discover/words.h"

namespace legwork {

struct Trials::Variant {
  Problem problem;
  Evaluator evaluate;

  Variant(Problem p, const EvaluateOptions& options) : problem(std::move(p)), evaluate(problem, options) {}
};

namespace {

constexpr int plain_numbers = 6;  // of a result, before its descriptor

// Numbers with single spaces between them; false where there is anything else.
bool parse_numbers(const std::string& text, std::vector<double>& numbers) {
  const char *at = text.data(), *const end = at + text.size();
  while (true) {
    double x = 0;
    const auto [next, failed] = std::from_chars(at, end, x);
    if (failed != std::errc() || !std::isfinite(x)) return false;
    numbers.push_back(x);
    if (next == end) return true;
    if (*next != ' ') return false;
    at = next + 1;
  }
}

// "VARIANT #NUMBER" or "VARIANT CANDIDATE".
struct Job {
  int variant = 0;
  Candidate candidate;
};
Job parse_job(const std::string& text, const Problem& problem, std::uint64_t seed) {
  Job job;
  const char *const begin = text.data(), *const end = begin + text.size();
  const auto [space, failed] = std::from_chars(begin, end, job.variant);
  if (failed != std::errc() || space == end || *space != ' ')
    throw Error({}, "discover: job", "'" + text + "' names no variant");
  if (space + 1 == end || space[1] != '#') {
    job.candidate = parse_candidate(std::string(space + 1, end), problem);
    return job;
  }
  std::uint64_t number = 0;
  if (const auto [rest, bad] = std::from_chars(space + 2, end, number); bad != std::errc() || rest != end)
    throw Error({}, "discover: job", "'" + text + "' names no candidate");
  job.candidate.weights = random_weights(problem.shape, seed, number);
  return job;
}

}  // namespace

std::vector<std::int8_t> random_weights(const NetworkShape& shape, std::uint64_t seed, std::uint64_t number) {
  Random random(seed, number);
  std::vector<std::int8_t> w(size_t(shape.weights()));
  for (std::int8_t& x : w) x = std::int8_t(random.index(2 * largest_weight + 1) - largest_weight);
  return w;
}

Trials::Trials(const Problem& problem, const EvaluateOptions& options, std::uint64_t seed)
    : problem_(problem), options_(options), seed_(seed) {}
Trials::~Trials() = default;

int Trials::lanes() const { return options_.scalar || scalar_only(problem_.world) ? 1 : batch_lanes; }
long Trials::appetite() { return variant(as_it_is).evaluate.appetite(); }
std::string Trials::how() { return variant(as_it_is).evaluate.how(); }
int Trials::variants() const { return first_disturbance + disturbance_count; }

Trials::Variant& Trials::variant(int which) {
  std::unique_ptr<Variant>& made = variants_[which];
  if (made) return *made;
  Problem problem = problem_;
  if (which == at_half_step)
    problem.step.dt *= 0.5;
  else if (which >= first_disturbance)
    problem = disturbances(problem_)[size_t(which - first_disturbance)].problem;
  // few are evaluated under a disturbance
  EvaluateOptions options = options_;
  if (which >= first_disturbance) options.compiled = options.gpu = false;
  made = std::make_unique<Variant>(std::move(problem), options);
  return *made;
}

std::vector<Evaluation> Trials::operator()(int which, const std::vector<Candidate>& candidates) {
  return candidates.empty() ? std::vector<Evaluation>() : variant(which).evaluate(candidates);
}

std::vector<std::string> Trials::operator()(const std::vector<std::string>& jobs) {
  std::map<int, std::vector<size_t>> by_variant;
  std::vector<Candidate> candidates;
  for (size_t i = 0; i < jobs.size(); ++i) {
    Job job = parse_job(jobs[i], problem_, seed_);
    if (job.variant < 0 || job.variant >= variants())
      throw Error({}, "discover: job", "there is no variant " + std::to_string(job.variant));
    by_variant[job.variant].push_back(i);
    candidates.push_back(std::move(job.candidate));
  }
  std::vector<std::string> results(jobs.size());
  for (const auto& [which, places] : by_variant) {
    std::vector<Candidate> own;
    for (const size_t i : places) own.push_back(candidates[i]);
    const std::vector<Evaluation> evaluations = (*this)(which, own);
    for (size_t k = 0; k < places.size(); ++k) results[places[k]] = result_text(evaluations[k]);
  }
  return results;
}

std::string Trials::job(int variant, const Record& record) {
  const std::string which = std::to_string(variant) + " ";
  if (record.stage == "random") return which + "#" + std::to_string(record.number);
  return which + to_text(record.candidate);
}

std::string Trials::result_text(const Evaluation& e) {
  std::string text = std::to_string(int(e.status));
  for (const double x : {e.score, e.distance, e.speed, e.period, e.likeness}) text += " " + to_text(x);
  for (const double x : e.descriptor) text += " " + to_text(x);
  return text;
}

bool Trials::parse_result(const std::string& text, Evaluation& e) {
  std::vector<double> numbers;
  if (!parse_numbers(text, numbers) || int(numbers.size()) < plain_numbers) return false;
  const int status = int(numbers[0]);
  if (status != numbers[0] || status < int(Status::ok) || status > int(Status::stopped)) return false;
  e.status = Status(status);
  e.score = numbers[1], e.distance = numbers[2], e.speed = numbers[3];
  e.period = numbers[4], e.likeness = numbers[5];
  e.descriptor.assign(numbers.begin() + plain_numbers, numbers.end());
  return true;
}

}  // namespace legwork
