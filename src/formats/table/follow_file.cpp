#include "formats/table/follow_file.h"

#include "formats/file.h"
#include "formats/table/number_rows.h"

namespace legwork {

FollowPath read_follow(const std::string& file) {
  FollowPath path;
  for (const NumberRow& row : number_rows(read_file(file, std::uint64_t(64) << 20), true)) {
    const std::vector<double>& x = row.values;
    if (!row.sound || x.size() < 3 || x.size() > 4)
      throw Error({file, row.line}, "", "'" + row.text + "' is no point to follow",
                  "write time,x,y or time,x,y,z");
    if (!path.time.empty() && x[0] <= path.time.back())
      throw Error({file, row.line}, "", "times must rise, but this one is not after the line before");
    path.time.push_back(x[0]);
    path.point.push_back({x[1], x[2], x.size() > 3 ? x[3] : 0});
  }
  if (path.time.empty()) throw Error({file}, "", "holds no point to follow", "write lines of time,x,y");
  return path;
}

}  // namespace legwork
