#include "reach/animate.h"

#include <algorithm>
#include <cmath>

#include "math/curves.h"
#include "math/real.h"

namespace legwork::reaching {

namespace {

// Cubic through (t_k, y_k), periodic with period 1; slopes of the parabolas through three neighbours, and
// none where the values turn back, so that nothing overshoots.
double periodic(const std::vector<double>& t, const std::vector<double>& y, double at) {
  const int n = int(t.size());
  const auto time = [&](int k) { return t[size_t(((k % n) + n) % n)] + std::floor(double(k) / n); };
  const auto value = [&](int k) { return y[size_t(((k % n) + n) % n)]; };
  const auto slope = [&](int k) {
    const double h0 = time(k) - time(k - 1), h1 = time(k + 1) - time(k);
    const double d0 = (value(k) - value(k - 1)) / h0, d1 = (value(k + 1) - value(k)) / h1;
    if (d0 * d1 <= 0) return 0.0;
    const double w = (d0 * h1 + d1 * h0) / (h0 + h1), most = 3 * std::min(std::fabs(d0), std::fabs(d1));
    return std::clamp(w, -most, most);
  };
  int k = n - 1;
  while (k > 0 && at < t[size_t(k)]) --k;
  const double h = time(k + 1) - time(k), s = (at - time(k)) / h;
  const double a = value(k), b = value(k + 1), da = slope(k) * h, db = slope(k + 1) * h;
  return a + s * (da + s * (3 * (b - a) - 2 * da - db + s * (2 * (a - b) + da + db)));
}

}  // namespace

std::vector<double> mid_swing(const Limb& limb, const Placement& foot, const LimbKeys& keys, const Ways& ways,
                              double height) {
  // the root halfway between RU and the next RD, seen from the print that the foot left
  const auto half = [](double a, double b) { return (a + b) / 2; };
  const RootPose &u = keys.ru_pose, &d = keys.rd_pose;
  const double stride = 2 * ways.half;
  const RootPose root{
      {half(u.at.x, d.at.x + stride), half(u.at.y, d.at.y), half(u.at.z, d.at.z)},
      {half(u.turns.pitch, d.turns.pitch), half(u.turns.yaw, d.turns.yaw), half(u.turns.roll, d.turns.roll)}};
  const Placement girdle{matrix_of(root.turns) * limb.girdle_stand, {}};
  const Vec3d origin = root.at - girdle.R * limb.root;
  Placement wanted = foot;
  wanted.p.x += stride / 2, wanted.p.z += height;
  const Placement target = inverse(Placement{girdle.R, origin}) * wanted;
  const double length = std::max(limb.hip_height, 1e-6);
  const auto off = [&](const std::vector<double>& values) {
    const Placement at = limb.foot(limb.configuration(values));
    const Vec3d p = at * limb.sole - target * limb.sole;
    const double turn = rotation_angle(transpose(at.R) * target.R);
    return dot(p, p) / (length * length) + 0.05 * turn * turn;
  };
  std::vector<double> values;
  for (size_t k = 0; k < keys.rd.size(); ++k) values.push_back(half(keys.ru[k], keys.rd[k]));
  double best = off(values);
  for (double reach = 0.5; reach > 1e-3; reach *= 0.7)
    for (size_t k = 0; k < values.size(); ++k) {
      const Fdof& f = limb.fdofs[k];
      if (!f.used) continue;
      for (const double way : {-reach, reach}) {
        const double old = values[k];
        values[k] = std::clamp(old + way * (f.upper - f.lower) / 2, f.lower, f.upper);
        const double now = off(values);
        if (now < best)
          best = now;
        else
          values[k] = old;
      }
    }
  return values;
}

LimbKeys keys_of(const GirdleProblem& g, const std::array<std::uint32_t, 2>& events, const Ways& ways,
                 const Timing& timing) {
  const Candidates& c = g.candidates;
  LimbKeys k;
  const auto take = [&](std::uint32_t sample, std::vector<double>& values, RootPose& pose) {
    values = g.space.grid.configuration(sample);
    pose = root_pose(g.girdle.limb, g.foot, values);
  };
  take(c.sample[events[0]], k.rd, k.rd_pose);
  take(c.sample[events[1]], k.rlu, k.rlu_pose);
  take(c.sibling[events[0]], k.rld, k.rld_pose);
  take(c.sibling[events[1]], k.ru, k.ru_pose);
  k.swing = mid_swing(g.girdle.limb, g.foot, k, ways, timing.step_height);
  return k;
}

Footfall footfall(const Problem& p, size_t girdle, bool left, double ahead) {
  const GirdleProblem& g = p.girdles[girdle];
  const Limb& limb = g.girdle.limb;
  Footfall f;
  f.left = left;
  f.girdle = int(girdle);
  f.leg = left ? g.girdle.left : g.girdle.right;
  f.print = left ? image(g.foot) : g.foot;
  f.print.p += Vec3d(limb.root_stand.x + ahead, 0, limb.root_stand.z);
  f.print.p.z -= (f.print * (left ? image(limb.sole) : limb.sole)).z;
  return f;
}

Plan plan_gait(const Problem& p, const std::vector<LimbKeys>& keys, const Timing& timing) {
  Plan plan;
  plan.keys = keys;
  plan.timing = timing;
  plan.stride = 2 * p.ways.half;
  for (size_t g = 0; g < p.girdles.size(); ++g) {
    const double phase = fraction(timing.ipsilateral * double(g));
    for (const bool left : {false, true}) {
      const double down = fraction(phase + (left ? timing.contralateral : 0));
      // the body is at RD's place when the right hind foot comes down, and moves on evenly
      const double ahead = down * plan.stride + keys[0].rd_pose.at.x - keys[g].rd_pose.at.x;
      plan.feet.push_back(footfall(p, g, left, ahead));
      plan.feet.back().down = down;
    }
  }
  return plan;
}

bool Plan::stance(const Footfall& f, double phase) const {
  return fraction(phase - f.down + 1e-9) <= timing.duty + 2e-9;
}

Placement Plan::foot_at(const Footfall& f, double phase) const {
  const double strides = std::floor(phase - f.down + 1e-9), s = phase - f.down - strides;
  Placement at = f.print;
  at.p.x += strides * stride;
  if (s > timing.duty) {
    const double t = std::clamp((s - timing.duty) / (1 - timing.duty), 0.0, 1.0);
    at.p.x += stride * t * t * t * (10 + t * (6 * t - 15));
    const double bump = 4 * t * (1 - t);
    at.p.z += timing.step_height * bump * bump;
  }
  return at;
}

namespace {

// By how much the right and the left limb disagree on the root at the events, half a stride apart.
void measure_dual_support(const LimbKeys& k, double half_stride, RawGait& raw) {
  const auto off = [&](const RootPose& a, const RootPose& b) {
    Vec3d d = image(a).at - b.at;
    d.x += half_stride;
    raw.dual_error = std::max(raw.dual_error, norm(d));
    raw.dual_error_angle = std::max(
        raw.dual_error_angle, rotation_angle(transpose(matrix_of(image(a).turns)) * matrix_of(b.turns)));
  };
  off(k.rd_pose, k.rld_pose);
  off(k.rlu_pose, k.ru_pose);
}

// Values at a share of the right limb's own cycle (0 = RD): cubic through the keys, periodic.
std::vector<double> values_at(const LimbKeys& k, double duty, double phase) {
  const std::vector<double> times{0, duty - 0.5, 0.5, duty, (1 + duty) / 2};
  std::vector<double> out;
  for (size_t i = 0; i < k.rd.size(); ++i)
    out.push_back(periodic(times, {k.rd[i], k.rlu[i], k.rld[i], k.ru[i], k.swing[i]}, fraction(phase)));
  return out;
}

// Bends one girdle's limbs at a share of the stride; returns where the one that carries it wants the girdle's
// link, world.
Placement bend_limbs(const Problem& p, const Plan& plan, size_t g, double phase, std::vector<double>& q) {
  const Girdle& girdle = p.girdles[g].girdle;
  const Limb& limb = girdle.limb;
  std::vector<double> of_stance;
  const Footfall* on = nullptr;
  for (const Footfall& f : plan.feet) {
    if (f.girdle != int(g)) continue;
    const std::vector<double> values = values_at(plan.keys[g], plan.timing.duty, phase - f.down);
    const std::vector<double> chain = limb.configuration(values);
    for (size_t k = 0; k < chain.size(); ++k)
      q[size_t(f.left ? girdle.left_coordinates[k] : limb.coordinates[k])] =
          chain[k] * (f.left ? girdle.left_sign[k] : 1);
    // the limb that came down last carries the root until its twin lands
    if (fraction(phase - f.down) < 0.5 - 1e-9 || !on) on = &f, of_stance = values;
  }
  const Placement foot = plan.foot_at(*on, phase);
  const RootPose pose = root_pose(limb, p.girdles[g].foot, of_stance);
  Placement at{matrix_of(pose.turns) * limb.girdle_stand, {}};
  at.p = pose.at - at.R * limb.root;
  const Placement relative = inverse(p.girdles[g].foot) * at;
  return on->left ? foot * image(relative) : foot * relative;
}

// Moves the whole body so that a link is where it is wanted.
void carry(const Creature& c, int link, const Placement& wanted, std::vector<double>& q) {
  const std::vector<LinkFrame> frames = place(c, q);
  const Placement move = wanted * inverse(frames[size_t(link)]);
  const Placement to = move * frames[0];
  const Quatd turn = quaternion(to.R);
  q[0] = to.p.x, q[1] = to.p.y, q[2] = to.p.z;
  q[3] = turn.w, q[4] = turn.x, q[5] = turn.y, q[6] = turn.z;
}

// Bends the trunk so that a further girdle comes nearest to where it is wanted.
void bend_trunk(const Creature& c, const Problem& p, size_t g, const Placement& wanted,
                std::vector<double>& q, RawGait& raw) {
  const Girdle &first = p.girdles[0].girdle, &girdle = p.girdles[g].girdle;
  const LinkFrame h = place(c, q)[size_t(first.link)];
  const Vec3d want = wanted * girdle.limb.root, from = h * first.limb.root;
  const Mat3d R = h.R * transpose(first.limb.girdle_stand);
  const Trunk& trunk = p.girdles[g].trunk;
  const Trunk::Bend* nearest = &trunk.bends[0];
  double least = unlimited;
  for (const Trunk::Bend& bend : trunk.bends) {
    const double gap = norm(from + R * bend.v - want);
    if (gap < least) least = gap, nearest = &bend;
  }
  const double angle = rotation_angle(transpose(R * nearest->R * girdle.limb.girdle_stand) * wanted.R);
  trunk.bend(*nearest, q);
  raw.trunk_gap = std::max(raw.trunk_gap, least);
  raw.trunk_gap_angle = std::max(raw.trunk_gap_angle, angle);
}

}  // namespace

RawGait animate(const Creature& c, const Problem& p, const Plan& plan) {
  RawGait raw;
  for (const LimbKeys& k : plan.keys) measure_dual_support(k, p.ways.half, raw);
  const std::vector<double> stand = c.pose("stand");
  const int first = p.girdles[0].girdle.link;
  for (int frame = 0; frame < plan.timing.frames; ++frame) {
    const double phase = double(frame) / plan.timing.frames;
    std::vector<double> q = stand;
    std::vector<Placement> roots;  // wanted placement of each girdle's link, world
    for (size_t g = 0; g < p.girdles.size(); ++g) roots.push_back(bend_limbs(p, plan, g, phase, q));
    carry(c, first, roots[0], q);
    for (size_t g = 1; g < p.girdles.size(); ++g) {
      bend_trunk(c, p, g, roots[g], q, raw);
      carry(c, first, roots[0], q);
    }
    raw.q.push_back(std::move(q));
  }
  return raw;
}

}  // namespace legwork::reaching
