// Measures of a real trackway.

#include <algorithm>
#include <cmath>
#include <limits>

#include <legwork/error.h>
#include "math/real.h"
#include "reach/reach.h"

namespace legwork::reaching {

TrackwayMeasures measure_trackway(const std::vector<Footprint>& all, const std::string& girdle) {
  std::vector<Footprint> prints;
  for (const Footprint& p : all)
    if (p.girdle == girdle) prints.push_back(p);
  int left = 0;
  for (const Footprint& p : prints) left += p.left;
  if (prints.size() < 3 || left == 0 || left == int(prints.size()))
    throw Error({}, "reach: trackway", "'" + girdle + "' has " + std::to_string(prints.size()) + " prints",
                "three of alternating sides are needed");
  // travel: the line of least squares through all prints, away from the first
  Vec3d mean;
  for (const Footprint& p : prints) mean += p.at * (1.0 / double(prints.size()));
  double xx = 0, xy = 0, yy = 0;
  for (const Footprint& p : prints) {
    const Vec3d d = p.at - mean;
    xx += d.x * d.x, xy += d.x * d.y, yy += d.y * d.y;
  }
  double angle = 0.5 * atan2(2 * xy, xx - yy);
  Vec3d forward{cos(angle), sin(angle), 0};
  if (dot(prints.back().at - prints.front().at, forward) < 0) forward = -forward, angle += pi;
  const Vec3d side{-forward.y, forward.x, 0};
  std::sort(prints.begin(), prints.end(),
            [&](const Footprint& a, const Footprint& b) { return dot(a.at, forward) < dot(b.at, forward); });

  TrackwayMeasures m;
  int steps = 0, strides = 0, yaws = 0, paces = 0;
  double y[2] = {0, 0};
  int count[2] = {0, 0};
  for (size_t i = 0; i < prints.size(); ++i) {
    y[prints[i].left] += dot(prints[i].at, side), ++count[prints[i].left];
    if (std::isfinite(prints[i].yaw)) m.yaw += prints[i].yaw, ++yaws;
    if (i + 1 < prints.size() && prints[i].left != prints[i + 1].left)
      m.step += dot(prints[i + 1].at - prints[i].at, forward), ++steps;
    if (i + 2 < prints.size() && prints[i].left == prints[i + 2].left) {
      m.stride += dot(prints[i + 2].at - prints[i].at, forward), ++strides;
      const Vec3d a = prints[i].at - prints[i + 1].at, b = prints[i + 2].at - prints[i + 1].at;
      m.pace_angulation += atan2(norm(cross(a, b)), dot(a, b)), ++paces;
    }
  }
  const double none = std::numeric_limits<double>::quiet_NaN();
  m.step = steps ? m.step / steps : none;
  m.stride = strides ? m.stride / strides : none;
  m.pace_angulation = paces ? m.pace_angulation / paces : none;
  m.yaw = yaws ? m.yaw / yaws : none;
  m.width = std::fabs(y[1] / count[1] - y[0] / count[0]);
  return m;
}

}  // namespace legwork::reaching
