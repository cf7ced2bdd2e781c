#include "formats/table/follow_file.h"

#include <charconv>
#include <cmath>
#include <sstream>

#include <legwork/options.h>
#include "formats/file.h"

namespace legwork {

FollowPath read_follow(const std::string& file) {
  FollowPath path;
  std::istringstream lines(read_file(file, std::uint64_t(64) << 20));
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    std::vector<double> row;
    bool words = false;
    for (const std::string& cell : split_commas(line)) {
      double x = 0;
      const char* end = cell.data() + cell.size();
      const auto [stop, failed] = std::from_chars(cell.data(), end, x);
      words = words || failed != std::errc() || (stop != end && *stop != '\r') || !std::isfinite(x);
      row.push_back(x);
    }
    if (words && number == 1) continue;
    if (words || row.size() < 3 || row.size() > 4)
      throw Error({file, number}, "", "'" + line + "' is no point to follow", "write time,x,y or time,x,y,z");
    if (!path.time.empty() && row[0] <= path.time.back())
      throw Error({file, number}, "", "times must rise, but this one is not after the line before");
    path.time.push_back(row[0]);
    path.point.push_back({row[1], row[2], row.size() > 3 ? row[3] : 0});
  }
  if (path.time.empty()) throw Error({file}, "", "holds no point to follow", "write lines of time,x,y");
  return path;
}

}  // namespace legwork
