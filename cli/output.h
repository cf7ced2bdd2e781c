#pragma once
// What a verb reports: lines for a person on stdout, a summary for programs with --json.

#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "math/vec.h"

namespace legwork::cli {

using Json = nlohmann::ordered_json;

struct OutputOptions {
  std::string json;
  bool quiet = false;
};

template <class Visitor>
void describe(Visitor& v, OutputOptions& o) {
  v.file("json", o.json, "write a summary for programs to this file; - is stdout, with nothing else on it");
  v.flag("quiet", o.quiet, "no text and no progress");
}

class Output {
 public:
  explicit Output(const OutputOptions& options) : options_(options) {}

  // A line for a person, unless --quiet or --json -.
  void say(const std::string& line) const;
  // The summary, where --json asked for it.
  void write(const Json& summary) const;

 private:
  OutputOptions options_;
};

// Columns of text, wide enough for their widest cell; the first is left-aligned.
std::string table(const std::vector<std::vector<std::string>>& rows);

Json to_json(const Vec3d& v);
Json to_json(const std::vector<double>& values);

}  // namespace legwork::cli
