#pragma once

#include <string>
#include <vector>

namespace legwork {

// A line of numbers with commas between them.
struct NumberRow {
  int line = 0;      // counted from 1
  std::string text;  // as it stands there
  std::vector<double> values;
  bool sound = true;  // every cell is a finite number
};

// The lines of a text; empty ones are left out, and so is a first line of words where `header` allows one.
std::vector<NumberRow> number_rows(const std::string& text, bool header);

}  // namespace legwork
