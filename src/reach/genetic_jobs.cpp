#include "reach/genetic_jobs.h"

#include <sstream>

#include <legwork/error.h>
#include "base/text.h"

namespace legwork::reaching {

std::string search_job(const SearchJob& job) {
  return std::to_string(job.widened) + " " + std::to_string(job.search);
}

SearchJob parse_search_job(const std::string& text) {
  SearchJob job;
  std::istringstream words(text);
  if (!(words >> job.widened >> job.search) || job.widened < 0 || job.search < 0)
    throw Error({}, "reach: job", "names no search");
  return job;
}

// The rise of the best fitness as pairs of iteration and value: it rises seldom.
std::string search_text(const GeneticResult& r) {
  std::string text = std::to_string(r.evaluations) + " " + to_text(r.fitness);
  for (const std::uint64_t word : r.best.words) text += " " + std::to_string(word);
  text += " " + std::to_string(r.best_by_iteration.size());
  for (size_t i = 0; i < r.best_by_iteration.size(); ++i)
    if (i == 0 || r.best_by_iteration[i] != r.best_by_iteration[i - 1])
      text += " " + std::to_string(i) + " " + to_text(r.best_by_iteration[i]);
  return text;
}

bool parse_search(const std::string& text, const Problem& problem, int iterations, GeneticResult& r) {
  std::istringstream words(text);
  const size_t count = size_t(iterations);
  size_t told = 0;
  words >> r.evaluations >> r.fitness;
  for (std::uint64_t& word : r.best.words) words >> word;
  if (!(words >> told) || told != count) return false;
  double value = 0;
  for (size_t at = 0; words >> at;) {
    if (at < r.best_by_iteration.size() || at >= count) return false;
    r.best_by_iteration.resize(at, value);
    if (!(words >> value)) return false;
    r.best_by_iteration.push_back(value);
  }
  r.best_by_iteration.resize(count, value);
  return words.eof() && Decoder(problem).fitness(r.best) == r.fitness;
}

}  // namespace legwork::reaching
