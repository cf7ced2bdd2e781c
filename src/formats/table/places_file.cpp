#include "formats/table/places_file.h"

#include <cmath>

#include "formats/file.h"
#include "formats/table/number_rows.h"

namespace legwork {

std::vector<Vec2> parse_places(const std::string& text, const Where& where, const std::string& who) {
  constexpr double furthest = 1e6;  // m
  std::vector<Vec2> places;
  for (const NumberRow& row : number_rows(text, !where.file.empty())) {
    if (!row.sound || row.values.size() != 2 || std::fabs(row.values[0]) > furthest ||
        std::fabs(row.values[1]) > furthest)
      throw Error(where.file.empty() ? where : Where{where.file, row.line}, who,
                  "'" + row.text + "' is no place", "write x,y in m: 3,0.5");
    places.push_back({row.values[0], row.values[1]});
  }
  return places;
}

std::vector<Vec2> read_places(const std::string& file) {
  const std::vector<Vec2> places = parse_places(read_file(file, std::uint64_t(64) << 20), {file, 0}, "");
  if (places.empty()) throw Error({file, 0}, "", "holds no place to walk to", "write lines of x,y");
  return places;
}

}  // namespace legwork
