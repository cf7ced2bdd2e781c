#pragma once
// The one exception of Legwork: bad input, told to a person.
//
// Thrown at the edges only (check, io, cli). The text reads
//   file:line: who: what is wrong; what to try
// where each part but the third may be missing.

#include <stdexcept>
#include <string>

namespace legwork {

// A place in an input file. line is 1-based; 0 means the file as a whole.
struct Where {
  std::string file;
  int line = 0;
};

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what) : std::runtime_error(what) {}
  Error(const Where& where, const std::string& who, const std::string& what);
};

// "file:line" or "file", or nothing for an unknown place.
std::string to_string(const Where& where);

}  // namespace legwork
