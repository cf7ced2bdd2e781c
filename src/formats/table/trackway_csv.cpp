#include "formats/table/trackway_csv.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <sstream>

#include <legwork/options.h>
#include "base/text.h"
#include "formats/file.h"
#include "math/real.h"

namespace legwork {

std::vector<reaching::Footprint> read_trackway(const std::string& path) {
  std::istringstream lines(read_file(path));
  const std::vector<std::string> known = {"girdle", "side", "x", "y", "yaw"};
  std::vector<std::string> columns;
  std::vector<reaching::Footprint> prints;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    const Where where{path, number};
    const std::vector<std::string> cells = split_commas(line);
    if (columns.empty()) {
      columns = cells;
      for (const std::string& name : columns)
        if (std::find(known.begin(), known.end(), name) == known.end())
          throw Error(where, "trackway", "no column '" + name + "'", did_you_mean(name, known));
      for (const char* name : {"girdle", "side", "x", "y"})
        if (std::find(columns.begin(), columns.end(), name) == columns.end())
          throw Error(where, "trackway", std::string("column '") + name + "' is missing",
                      "the first line reads girdle,side,x,y,yaw");
      continue;
    }
    if (cells.size() != columns.size())
      throw Error(where, "trackway",
                  std::to_string(cells.size()) + " values for " + std::to_string(columns.size()) + " columns",
                  "one line for each print");
    reaching::Footprint p;
    p.yaw = std::numeric_limits<double>::quiet_NaN();
    for (size_t i = 0; i < cells.size(); ++i) {
      const std::string &cell = cells[i], &name = columns[i];
      if (name == "girdle") {
        p.girdle = cell;
      } else if (name == "side") {
        if (cell != "left" && cell != "l" && cell != "right" && cell != "r")
          throw Error(where, "trackway", "side '" + cell + "' is neither left nor right");
        p.left = cell[0] == 'l';
      } else if (!(name == "yaw" && cell.empty())) {
        double value = 0;
        const auto end = cell.data() + cell.size();
        if (std::from_chars(cell.data(), end, value).ptr != end || cell.empty())
          throw Error(where, "trackway", "'" + cell + "' is no number",
                      name + " is in " + (name == "yaw" ? "degrees" : "metres"));
        (name == "x" ? p.at.x : name == "y" ? p.at.y : p.yaw) = name == "yaw" ? value * pi / 180 : value;
      }
    }
    prints.push_back(p);
  }
  if (prints.empty())
    throw Error({path, 0}, "trackway", "no prints", "the first line reads girdle,side,x,y,yaw");
  return prints;
}

}  // namespace legwork
