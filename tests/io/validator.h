#pragma once
// The Khronos glTF validator, run through node (tests/tools, installed by `make test`).

#include <stdio.h>

#include <nlohmann/json.hpp>
#include <string>

namespace legwork {

struct Verdict {
  int errors = -1, warnings = -1;  // -1: the validator did not run
  std::string messages;            // one a line
};

// source_dir: LEGWORK_SOURCE_DIR
inline Verdict validate_gltf(const std::string& path, const std::string& source_dir) {
  Verdict verdict;
  const std::string command = "node '" + source_dir + "/tests/tools/validate.js' '" + path + "' 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  std::string text;
  char buffer[4096];
  for (std::size_t got; pipe && (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, got);
  if (pipe) pclose(pipe);
  const auto report = nlohmann::json::parse(text, nullptr, false);
  if (!report.is_object()) {
    verdict.messages = "the validator did not run (make test installs it): " + text;
    return verdict;
  }
  verdict.errors = report["errors"], verdict.warnings = report["warnings"];
  for (const auto& message : report["messages"]) verdict.messages += message.get<std::string>() + "\n";
  return verdict;
}

}  // namespace legwork
