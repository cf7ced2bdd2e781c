#pragma once
// The Khronos glTF validator, run through node (tests/tools, installed by `make test`).

#include <stdio.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace legwork {

struct Verdict {
  int errors = -1, warnings = -1;  // -1: the validator did not run
  std::string messages;            // one a line
};

// One verdict for each file. source_dir: LEGWORK_SOURCE_DIR
inline std::vector<Verdict> validate_gltf(const std::vector<std::string>& paths,
                                          const std::string& source_dir) {
  std::string command = "node '" + source_dir + "/tests/tools/validate.js'";
  for (const std::string& path : paths) command += " '" + path + "'";
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::string text;
  char buffer[4096];
  for (std::size_t got; pipe && (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, got);
  if (pipe) pclose(pipe);

  std::vector<Verdict> verdicts(paths.size());
  std::istringstream lines(text);
  for (Verdict& verdict : verdicts) {
    std::string line;
    std::getline(lines, line);
    const auto report = nlohmann::json::parse(line, nullptr, false);
    if (!report.is_object()) {
      verdict.messages = "the validator did not run (make test installs it): " + text;
      continue;
    }
    verdict.errors = report["errors"], verdict.warnings = report["warnings"];
    for (const auto& message : report["messages"]) verdict.messages += message.get<std::string>() + "\n";
  }
  return verdicts;
}
inline Verdict validate_gltf(const std::string& path, const std::string& source_dir) {
  return validate_gltf(std::vector{path}, source_dir)[0];
}

}  // namespace legwork
