#include "motion/stride.h"

#include <vector>

namespace legwork {

std::optional<Stride> middle_stride(const Gait& gait) {
  std::vector<double> downs;
  if (gait.reference >= 0)
    for (const Stance& stance : gait.legs[std::size_t(gait.reference)].stances)
      if (stance.starts) downs.push_back(stance.down);
  if (downs.size() < 2) return {};
  const std::size_t middle = (downs.size() - 2) / 2;
  return Stride{downs[middle], downs[middle + 1] - downs[middle]};
}

}  // namespace legwork
