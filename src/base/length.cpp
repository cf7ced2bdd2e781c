#include <legwork/options.h>

#include <charconv>
#include <cmath>

#include <legwork/error.h>
#include "base/text.h"

namespace legwork {

Length parse_length(std::string_view text) {
  Length length;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, length.value);
  const std::string_view unit(rest, size_t(end - rest));
  if (error != std::errc() || !std::isfinite(length.value))
    throw Error("'" + std::string(text) + "' is not a length", "write 1.2m, 35cm or 0.48h (hip heights)");
  if (unit == "h")
    length.hip_heights = true;
  else if (unit == "cm")
    length.value /= 100;
  else if (unit == "mm")
    length.value /= 1000;
  else if (!unit.empty() && unit != "m")
    throw Error("'" + std::string(text) + "' has the unknown unit '" + std::string(unit) + "'",
                "use m, cm, mm or h (hip heights)");
  return length;
}

std::string to_text(const Length& length) { return to_text(length.value) + (length.hip_heights ? "h" : "m"); }

}  // namespace legwork
