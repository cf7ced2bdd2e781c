#include "cli/output.h"

#include <iostream>

#include "base/text.h"
#include "formats/file.h"

namespace legwork::cli {

void Output::say(const std::string& line) const {
  if (!options_.quiet && options_.json != "-") std::cout << line << "\n";
}

void Output::write(const Json& summary) const {
  if (options_.json.empty()) return;
  const std::string text = summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  if (options_.json == "-")
    std::cout << text;
  else
    write_file(options_.json, text);
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  return join(aligned(rows), "\n") + "\n";
}

Json to_json(const Vec3d& v) { return Json::array({v.x, v.y, v.z}); }

Json to_json(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double x : values) list.push_back(x);
  return list;
}

}  // namespace legwork::cli
