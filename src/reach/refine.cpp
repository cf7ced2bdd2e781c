#include "reach/refine.h"

#include <cmath>

namespace legwork::reaching {

namespace {

struct Variant {
  std::vector<double> values;
  RootPose pose;
  const Variant* sibling = nullptr;
};

// The event with one degree of freedom at each of its fine samples, and as it was.
std::vector<Variant> variants(const GirdleProblem& g, const std::vector<double>& values, const RootPose& pose,
                              size_t k, double angle, double length) {
  const Limb& limb = g.girdle.limb;
  std::vector<Variant> out{{values, pose}};
  const int n = sample_count(limb.fdofs[k], angle, length);
  for (int i = 0; i < n; ++i) {
    Variant v{values, {}};
    v.values[k] = limb.fdofs[k].value(-1 + (2.0 * i + 1) / n);
    v.pose = root_pose(limb, g.foot, v.values);
    out.push_back(std::move(v));
  }
  return out;
}

void match(std::vector<Variant>& events, const std::vector<Variant>& later, double half, double box,
           double epsilon) {
  for (Variant& e : events) {
    const RootPose wanted = image(e.pose);
    double best = 3 * epsilon * epsilon;
    for (const Variant& l : later) {
      const Vec3d d = l.pose.at - wanted.at - Vec3d(half, 0, 0);
      if (std::fabs(d.x) > box || std::fabs(d.y) > box || std::fabs(d.z) > box) continue;
      const double p = l.pose.turns.pitch - wanted.turns.pitch, y = l.pose.turns.yaw - wanted.turns.yaw,
                   r = l.pose.turns.roll - wanted.turns.roll;
      const double off = p * p + y * y + r * r;
      if (off <= best) best = off, e.sibling = &l;
    }
  }
}

}  // namespace

Refined refine(const GirdleProblem& g, const LimbKeys& keys, const Ways& ways, const Measure& m,
               double epsilon, double angle, double length) {
  const Limb& limb = g.girdle.limb;
  const double box = g.boxes.size;
  Refined out{keys, gait_terms(keys.rd_pose, keys.rlu_pose, normalized(limb, keys.rd),
                               normalized(limb, keys.rlu), m)};
  for (size_t k = 0; k < limb.fdofs.size(); ++k) {
    if (!limb.fdofs[k].used) continue;
    LimbKeys& now = out.keys;
    auto rd = variants(g, now.rd, now.rd_pose, k, angle, length);
    auto rlu = variants(g, now.rlu, now.rlu_pose, k, angle, length);
    const auto rld = variants(g, now.rld, now.rld_pose, k, angle, length);
    const auto ru = variants(g, now.ru, now.ru_pose, k, angle, length);
    match(rd, rld, ways.half, box, epsilon);
    match(rlu, ru, ways.half, box, epsilon);
    double best = out.terms.weighted(m.weights);
    const Variant *best_rd = nullptr, *best_rlu = nullptr;
    for (const Variant& a : rd) {
      if (!a.sibling) continue;
      const std::vector<double> u = normalized(limb, a.values);
      for (const Variant& b : rlu) {
        if (!b.sibling || std::fabs(b.pose.at.x - a.pose.at.x - ways.dual) > box) continue;
        const double e = gait_terms(a.pose, b.pose, u, normalized(limb, b.values), m).weighted(m.weights);
        if (e < best) best = e, best_rd = &a, best_rlu = &b;
      }
    }
    if (!best_rd) continue;
    ++out.changes;
    now.rd = best_rd->values, now.rd_pose = best_rd->pose;
    now.rlu = best_rlu->values, now.rlu_pose = best_rlu->pose;
    now.rld = best_rd->sibling->values, now.rld_pose = best_rd->sibling->pose;
    now.ru = best_rlu->sibling->values, now.ru_pose = best_rlu->sibling->pose;
    out.terms = gait_terms(now.rd_pose, now.rlu_pose, normalized(limb, now.rd), normalized(limb, now.rlu), m);
  }
  return out;
}

}  // namespace legwork::reaching
