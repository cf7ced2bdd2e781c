// How the centre of mass can move over the source's own footholds, as near to the source as the ground
// allows.
//
// A body whose centre of mass stays at a height z over the ground and whose spin does not change obeys
// x'' = w^2 (x - p) with w^2 = (g + z'') / z and the centre of pressure p. Of its two motions, x + x'/w runs
// away from p and x - x'/w comes to it. With p as near to what the source asks as the polygon of the standing
// feet allows, the part that runs away is found from the end backwards, where it is tame, and the rest from
// the start forwards (J. Englsberger, C. Ott, A. Albu-Schaeffer, IEEE Trans. Robotics 31 (2015), 355-368).

#include <algorithm>
#include <cmath>

#include "direct/track.h"
#include "math/real.h"
#include "motion/support.h"

namespace legwork {

namespace {

constexpr double bridged = 0.25;  // in units of sqrt(height / g): stances this near in time count, since the
                                  // body's spin bridges short gaps
constexpr double used_share = 0.9;  // share of the polygon that is planned with; the rest is left to feedback

Vec3d level(const Vec3d& v) { return {v.x, v.y, 0}; }

Vec3d nearest_inside(const std::vector<Vec3d>& hull, const Vec3d& p) {
  if (hull.size() > 2 && support_margin(hull, p) >= 0) return p;
  Vec3d best;
  double least = unlimited;
  for (size_t i = 0; i < hull.size(); ++i) {
    const Vec3d a = hull[i], way = hull[(i + 1) % hull.size()] - a;
    const double length = dot(way, way), s = length > 0 ? std::clamp(dot(p - a, way) / length, 0.0, 1.0) : 0;
    const Vec3d at = a + way * s;
    if (norm(p - at) < least) least = norm(p - at), best = at;
  }
  return best;
}

// Where the ground can push; between stances a straight line from one to the next.
std::vector<Vec3d> pressures(const std::vector<Demand>& demands, const Curve& center, double window) {
  std::vector<Vec3d> p(demands.size());
  std::vector<int> known;
  for (size_t k = 0; k < demands.size(); ++k) {
    const Demand& d = demands[k];
    if (d.feet.empty()) continue;
    std::vector<Vec3d> feet;
    const auto join = [&](const Demand& near) {
      for (const Vec3d& foot : near.feet) feet.push_back(level(foot));
    };
    for (size_t i = k; i < demands.size() && demands[i].time <= d.time + window; ++i) join(demands[i]);
    for (size_t i = k; i-- > 0 && demands[i].time >= d.time - window;) join(demands[i]);
    Vec3d middle;
    for (const Vec3d& foot : feet) middle += foot * (1.0 / double(feet.size()));
    for (Vec3d& foot : feet) foot = middle + (foot - middle) * used_share;
    p[k] = nearest_inside(convex_hull_2d(feet), level(d.has_pressure ? d.pressure : center.x[k]));
    known.push_back(int(k));
  }
  for (size_t k = 0; k < p.size(); ++k) {
    if (!demands[k].feet.empty()) continue;
    const auto after = std::upper_bound(known.begin(), known.end(), int(k));
    if (known.empty()) {
      p[k] = level(center.x[k]);
    } else if (after == known.begin() || after == known.end()) {
      p[k] = p[size_t(after == known.end() ? known.back() : known.front())];
    } else {
      const int a = *(after - 1), b = *after;
      p[k] = p[size_t(a)] + (p[size_t(b)] - p[size_t(a)]) * (double(int(k) - a) / (b - a));
    }
  }
  return p;
}

// Frames of the last stride: between the last two touch-downs of one foot; 0: there is none.
size_t last_stride(const TrackSource& source, const std::vector<Demand>& demands) {
  double period = 0;
  for (const FootSupport& s : source.supports)
    for (size_t i = 1; i < s.stances.size(); ++i)
      if (s.stances[i - 1].starts) period = std::max(period, s.stances[i].down - s.stances[i - 1].down);
  const double end = demands.back().time;
  size_t frames = 0;
  while (frames + 1 < demands.size() && demands[demands.size() - 1 - frames].time > end - period + 1e-9)
    ++frames;
  return period < end ? frames : 0;
}

}  // namespace

Curve plan_center(const TrackSource& source, const std::vector<Demand>& demands, double gravity) {
  Curve plan = source.center_of_mass;
  const size_t n = demands.size();
  if (n < 2 || gravity <= 0) return plan;
  std::vector<double> w(n);
  for (size_t k = 0; k < n; ++k) {
    double ground = 0;
    for (const Vec3d& foot : demands[k].feet) ground += foot.z / double(demands[k].feet.size());
    const double height = std::max(plan.x[k].z - ground, 1e-3);
    w[k] = std::sqrt(std::max(0.2 * gravity, gravity + plan.a[k].z) / height);
  }
  const std::vector<Vec3d> p = pressures(demands, plan, bridged / w[0]);
  // what runs away, from the end
  std::vector<Vec3d> run(n);
  const auto back = [&](const Vec3d& later, size_t k, const Vec3d& pressure) {
    const double h =
        k + 1 < n ? demands[k + 1].time - demands[k].time : demands[k].time - demands[k - 1].time;
    return pressure + (later - pressure) * exp(-w[k] * h);
  };
  run[n - 1] = level(plan.x[n - 1] + plan.v[n - 1] * (1 / w[n - 1]));
  // a gait is thought to go on as its last stride went: what its end asks may be beyond the ground
  if (const size_t stride = last_stride(source, demands); stride > 0) {
    const Vec3d travel = level(plan.x[n - 1] - plan.x[n - 1 - stride]);
    run[n - 1] += travel * 2.0;
    for (int again = 2; again >= 1; --again)
      for (size_t k = n; k-- > n - stride;) run[n - 1] = back(run[n - 1], k, p[k] + travel * double(again));
  }
  for (size_t k = n - 1; k-- > 0;) run[k] = back(run[k + 1], k, p[k]);
  // the centre follows it, from the start
  Vec3d x = level(plan.x[0]);
  for (size_t k = 0; k < n; ++k) {
    plan.x[k] = {x.x, x.y, plan.x[k].z};
    const Vec3d v = (run[k] - x) * w[k], a = (x - p[k]) * (w[k] * w[k]);
    plan.v[k] = {v.x, v.y, plan.v[k].z}, plan.a[k] = {a.x, a.y, plan.a[k].z};
    if (k + 1 == n) break;
    // x' = w (run - x) with run on its way from p: exact for constant p and w
    const double h = demands[k + 1].time - demands[k].time, grow = exp(w[k] * h), decay = 1 / grow;
    x = p[k] + (x - p[k]) * decay + (run[k] - p[k]) * (0.5 * (grow - decay));
  }
  return plan;
}

}  // namespace legwork
