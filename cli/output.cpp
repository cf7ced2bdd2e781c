#include "cli/output.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include <legwork/error.h>
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
    throw Error(flag + ": '" + path + "' does not end in " + ending + "; " + advice);
  check_can_write(path);
}

namespace {

// Columns that UTF-8 text takes: its continuation bytes take none.
size_t columns(const std::string& text) {
  return size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> width;
  for (const auto& row : rows) {
    width.resize(std::max(width.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], columns(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string gap(width[i] - columns(row[i]), ' ');
      line += (i > 0 ? "  " : "") + (i == 0 ? row[i] + gap : gap + row[i]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string brief(double x) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.4g", x);
  return buffer;
}

std::string with_unit(double x, const std::string& unit) {
  static const struct {
    double factor;
    const char* prefix;
  } prefixes[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}};
  const double size = std::abs(x);
  if (size < 1e-12) return "0 " + unit;
  if (!std::isfinite(x)) return brief(x) + " " + unit;
  if (unit == "kg") return size < 0.1 ? with_unit(x * 1000, "g") : brief(x) + " kg";
  for (const auto& [factor, prefix] : prefixes)
    if (size >= factor && !(unit == "m" && factor > 1)) return brief(x / factor) + " " + prefix + unit;
  return brief(x) + " " + unit;
}

Json to_json(const Vec3d& v) { return Json::array({v.x, v.y, v.z}); }

Json to_json(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double x : values) list.push_back(x);
  return list;
}

}  // namespace legwork::cli
