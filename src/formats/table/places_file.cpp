#include "formats/table/places_file.h"

#include <charconv>
#include <cmath>
#include <sstream>

#include <legwork/options.h>
#include "formats/file.h"

namespace legwork {

std::vector<Vec2> parse_places(const std::string& text, const Where& where, const std::string& who) {
  std::vector<Vec2> places;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.find_first_not_of(" \t") == std::string::npos) continue;
    std::vector<double> row;
    bool words = false;
    for (const std::string& cell : split_commas(line)) {
      double x = 0;
      const char* end = cell.data() + cell.size();
      const auto [stop, failed] = std::from_chars(cell.data(), end, x);
      words = words || failed != std::errc() || stop != end || !std::isfinite(x) || std::fabs(x) > 1e6;
      row.push_back(x);
    }
    if (words && number == 1 && !where.file.empty()) continue;
    if (words || row.size() != 2)
      throw Error(where.file.empty() ? where : Where{where.file, number}, who, "'" + line + "' is no place",
                  "write x,y in m: 3,0.5");
    places.push_back({row[0], row[1]});
  }
  return places;
}

std::vector<Vec2> read_places(const std::string& file) {
  const std::vector<Vec2> places = parse_places(read_file(file, std::uint64_t(64) << 20), {file, 0}, "");
  if (places.empty()) throw Error({file, 0}, "", "holds no place to walk to", "write lines of x,y");
  return places;
}

}  // namespace legwork
