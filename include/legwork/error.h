#pragma once
// The one exception of Legwork: bad input, explained to a person.
//
// Thrown by the public functions, check, the formats and the command line for bad input; never from inside a
// simulation. Its parts are data; what() joins them to one line,
//   file:line: who: what is wrong; what to try
// where each part but the third may be missing.

#include <stdexcept>
#include <string>

namespace legwork {

// A place in an input file. line is 1-based; 0 means the file as a whole, {} no place at all.
struct Where {
  std::string file;
  int line = 0;
};

class Error : public std::runtime_error {
 public:
  // who: what the problem is about, such as "joint 'knee'" or "walk: seconds"; problem: what is wrong with
  // it; advice: what to try.
  Error(Where where, std::string who, std::string problem, std::string advice = {});
  explicit Error(std::string problem, std::string advice = {});

  const Where& where() const { return where_; }
  const std::string& who() const { return who_; }
  const std::string& problem() const { return problem_; }
  const std::string& advice() const { return advice_; }

 private:
  Where where_;
  std::string who_, problem_, advice_;
};

// "file:line" or "file", or nothing for an unknown place.
std::string to_string(const Where& where);

}  // namespace legwork
