#pragma once
// Genetic searches as jobs of a crew and their results as text.

#include <string>

#include "reach/find.h"

namespace legwork::reaching {

struct SearchJob {
  int widened = 0;  // how often the trunk's tolerance has grown: the problem that is searched
  int search = 0;   // which of options.searches
};
std::string search_job(const SearchJob& job);
// Throws Error.
SearchJob parse_search_job(const std::string& text);

std::string search_text(const GeneticResult& result);
// False where the text is no result of a search of this problem over so many iterations.
bool parse_search(const std::string& text, const Problem& problem, int iterations, GeneticResult& result);

}  // namespace legwork::reaching
