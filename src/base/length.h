#pragma once

#include <string>
#include <string_view>

namespace legwork {

// A length in metres, or in hip heights (h, the height of the hips in the pose "stand"): 1.2m, 35cm, 0.48h.
struct Length {
  double value = 0;
  bool hip_heights = false;

  double meters(double hip_height) const { return hip_heights ? value * hip_height : value; }
};

// "1.2m", "35cm", "4mm", "0.48h"; a plain number means metres. Throws Error that says what is wrong.
Length parse_length(std::string_view text);
// Reads back as the same length.
std::string to_text(const Length& length);

}  // namespace legwork
