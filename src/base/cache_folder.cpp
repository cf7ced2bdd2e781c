#include "base/cache_folder.h"

#include <cstdlib>

namespace legwork {

std::string cache_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  if (!variable("LEGWORK_CACHE").empty()) return variable("LEGWORK_CACHE");
  if (!variable("XDG_CACHE_HOME").empty()) return variable("XDG_CACHE_HOME") + "/legwork";
  return variable("HOME").empty() ? "" : variable("HOME") + "/.cache/legwork";
}

}  // namespace legwork
