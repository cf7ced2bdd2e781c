#include "reach/constrain.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace legwork::reaching {

Ways ways_of(double step, double duty, StepOf of) {
  const double stance = of == StepOf::feet ? 2 * duty * step : step;
  const double half = stance / (2 * duty);
  return {half, stance - half, stance};
}

int sibling_box(const Boxes& b, int box, double half) {
  const int iz = box % b.nz, ix = box / b.nz / b.ny;
  const int forward = ix + int(std::lround(half / b.size));
  // the mirrored box lies between two of the grid: the one that it shares more with
  const double across = (-b.center(box).y - b.size / 2 - b.lower.y) / b.size;
  if (forward >= b.nx || across <= -1 || across >= b.ny) return -1;
  return b.index(forward, std::clamp(int(std::lround(across)), 0, b.ny - 1), iz);
}

namespace {

// The sample of [begin, end), sorted by pitch, whose turns are nearest to the image of (pitch, yaw, roll):
// from the nearest pitch outward, until pitch alone is too far.
std::uint32_t nearest(const Boxes& b, std::uint32_t begin, std::uint32_t end, int pitch, int yaw, int roll,
                      std::int64_t& best) {
  std::uint32_t found = end;
  const auto first = b.pitch.begin() + begin, last = b.pitch.begin() + end;
  std::uint32_t up = begin + std::uint32_t(std::lower_bound(first, last, pitch) - first), down = up;
  const auto look = [&](std::uint32_t i) {
    const std::int64_t p = b.pitch[i] - pitch, y = b.yaw[i] + yaw, r = b.roll[i] + roll;
    const std::int64_t d = p * p + y * y + r * r;
    if (d < best) best = d, found = i;
    return p * p < best;
  };
  bool rising = true, falling = true;
  while (rising || falling) {
    rising = rising && up < end && look(up++);
    falling = falling && down > begin && look(--down);
  }
  return found;
}

}  // namespace

Constrained constrain(const Space& space, const Boxes& b, double half, double epsilon,
                      const Workers& workers) {
  const double limit = epsilon / space.unit_angle;
  const std::int64_t farthest = std::int64_t(3 * limit * limit) + 1;  // squared sum of three turns
  constexpr std::uint32_t none = ~std::uint32_t(0);
  std::vector<std::uint32_t> sibling(b.order.size(), none);
  // slices as pieces of work: their boxes lie side by side
  parallel_for(b.nx * b.ny, workers, [&](int column, int) {
    for (int iz = 0; iz < b.nz; ++iz) {
      const int box = column * b.nz + iz;
      if (b.begin[size_t(box)] == b.begin[size_t(box) + 1]) continue;
      const int other = sibling_box(b, box, half);
      if (other < 0 || b.begin[size_t(other)] == b.begin[size_t(other) + 1]) continue;
      for (std::uint32_t i = b.begin[size_t(box)]; i < b.begin[size_t(box) + 1]; ++i) {
        std::int64_t best = farthest;
        const std::uint32_t j = nearest(b, b.begin[size_t(other)], b.begin[size_t(other) + 1], b.pitch[i],
                                        b.yaw[i], b.roll[i], best);
        if (best < farthest) sibling[i] = b.order[j];
      }
    }
  });
  Constrained out;
  std::vector<bool> seen(space.size());
  for (size_t i = 0; i < sibling.size(); ++i) {
    if (sibling[i] == none) continue;
    out.sample.push_back(b.order[i]);
    out.sibling.push_back(sibling[i]);
    seen[b.order[i]] = seen[sibling[i]] = true;
  }
  out.with_siblings = size_t(std::count(seen.begin(), seen.end(), true));
  return out;
}

}  // namespace legwork::reaching
