#include "tests/scenes/blender.h"

#include <gtest/gtest.h>
#include <stdio.h>

#include <cstdlib>
#include <fstream>

namespace legwork {

bool blender_is_here() {
  return std::getenv("LEGWORK_LONG") || std::system("command -v blender >/dev/null 2>&1") == 0;
}

nlohmann::json in_blender(const std::string& script, const std::vector<std::string>& words,
                          const std::vector<std::string>& files, const std::string& written) {
  std::string command =
      "blender --background --factory-startup --python-exit-code 3 --python '" LEGWORK_SOURCE_DIR
      "/tests/blender/" +
      script + "' --";
  for (const std::string& word : words) command += " '" + word + "'";
  for (const std::string& file : files) command += " '" + file + "'";
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::string text;
  char buffer[4096];
  for (std::size_t got; pipe && (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, got);
  const int code = pipe ? pclose(pipe) : -1;
  std::ifstream file(written);
  nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
  if (code != 0 || json.is_discarded()) {
    ADD_FAILURE() << command << "\nexit status " << code << "\n" << text;
    return {};
  }
  return json;
}

}  // namespace legwork
