#include "formats/table/number_rows.h"

#include <charconv>
#include <cmath>
#include <sstream>

#include <legwork/options.h>

namespace legwork {

std::vector<NumberRow> number_rows(const std::string& text, bool header) {
  std::vector<NumberRow> rows;
  std::istringstream lines(text);
  NumberRow row;
  for (int number = 1; std::getline(lines, row.text); ++number) {
    if (!row.text.empty() && row.text.back() == '\r') row.text.pop_back();
    if (row.text.find_first_not_of(" \t") == std::string::npos) continue;
    row.line = number;
    row.sound = true;
    row.values.clear();
    for (const std::string& cell : split_commas(row.text)) {
      double x = 0;
      const char* end = cell.data() + cell.size();
      const auto [stop, failed] = std::from_chars(cell.data(), end, x);
      row.sound = row.sound && failed == std::errc() && stop == end && std::isfinite(x);
      row.values.push_back(x);
    }
    if (!row.sound && header && number == 1) continue;
    rows.push_back(row);
  }
  return rows;
}

}  // namespace legwork
