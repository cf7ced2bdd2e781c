#include "cli/output.h"

#include <filesystem>
#include <iostream>

#include <legwork/error.h>
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

void check_target(const std::string& flag, const std::string& path, const std::string& ending,
                  const std::string& advice) {
  if (path.empty()) return;
  const std::filesystem::path file(path);
  std::error_code failed;
  if (!ending.empty() && file.extension() != ending && !std::filesystem::is_other(file, failed))
    throw Error({}, flag, "'" + path + "' does not end in " + ending, advice);
  check_can_write(path);
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
