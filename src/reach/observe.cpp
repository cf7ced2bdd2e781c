#include "reach/observe.h"

#include <algorithm>
#include <cmath>

#include "math/real.h"

namespace legwork::reaching {

namespace {

template <class Get>
double spread(const std::vector<RootPose>& roots, const Get& get) {
  double mean = 0, sum = 0;
  for (const RootPose& r : roots) mean += get(r) / double(roots.size());
  for (const RootPose& r : roots) sum += (get(r) - mean) * (get(r) - mean);
  return std::sqrt(sum / double(roots.size()));
}

}  // namespace

Observables observe(const Limb& limb, const std::vector<RootPose>& roots,
                    const std::vector<std::vector<double>>& values) {
  Observables o;
  if (roots.empty()) return o;
  o.pitch = spread(roots, [](const RootPose& r) { return r.turns.pitch; }) * 180 / pi;
  o.yaw = spread(roots, [](const RootPose& r) { return r.turns.yaw; }) * 180 / pi;
  o.roll = spread(roots, [](const RootPose& r) { return r.turns.roll; }) * 180 / pi;
  o.lateral = spread(roots, [](const RootPose& r) { return r.at.y; }) * 100;
  o.vertical = spread(roots, [](const RootPose& r) { return r.at.z; }) * 100;
  for (size_t k = 0; k < limb.fdofs.size(); ++k) {
    const Fdof& f = limb.fdofs[k];
    if (f.q < 0) continue;
    double low = 1e300, high = -1e300;
    for (const auto& v : values) low = std::min(low, v[k]), high = std::max(high, v[k]);
    const double share = f.upper > f.lower ? (high - low) / (f.upper - f.lower) : 0;
    o.excursion.emplace_back(f.name, share * f.excursion * (f.translation ? 100 : 180 / pi));
  }
  return o;
}

}  // namespace legwork::reaching
