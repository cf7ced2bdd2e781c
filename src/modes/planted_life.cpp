// Life in a planted gait: the trunk as the forces of its feet move it, and what follows it.

#include <algorithm>
#include <cmath>

#include "creature/tree.h"
#include "dynamics/dynamics.h"
#include "life/followers.h"
#include "math/curves.h"
#include "math/real.h"
#include "modes/height_profile.h"
#include "modes/planted_parts.h"

namespace legwork {

namespace {

constexpr int n = MomentumCycle::samples;
constexpr int rounds = 3;          // in which the centre of mass is led to where it should be
constexpr double rolling = 0.7;    // share of a foot's length along which its pressure goes
constexpr double together = 0.3;   // how much nearer tracks are at the highest speed
constexpr double sprawled = 0.35;  // hip heights beside the hip: feet that stand so do not come nearer
constexpr int far = 12;            // a cycle that is sampled

// About the centre of mass over the mass, per axis.
Vec3d spread_of(const Model<double>& m, const Workspace<double>& w, const Vec3d& com) {
  Vec3d sum;
  for (size_t b = 0; b < size_t(m.nlink); ++b) {
    const Vec3d r = w.p[b] + w.c[b] - com;
    const Vec3d own{w.I[b].xx, w.I[b].yy, w.I[b].zz};
    for (int k = 0; k < 3; ++k) sum[k] += own[k] + m.mass[b] * (dot(r, r) - r[k] * r[k]);
  }
  return sum * (1 / total_mass(m));
}

}  // namespace

// A lively gait has the footfalls of its name to the letter; each leg's modes are led to them.
void PlantedGait::Parts::keep_the_footfalls() {
  life->lead.assign(phase.size(), 0);
  if (options.phase.size() != phase.size()) return;
  double re = 0, im = 0;
  for (size_t l = 0; l < phase.size(); ++l)
    re += cos(2 * pi * (phase[l] - options.phase[l])), im += sin(2 * pi * (phase[l] - options.phase[l]));
  const double start = atan2(im, re) / (2 * pi);
  for (size_t l = 0; l < phase.size(); ++l) {
    const double beat = fraction(options.phase[l] + start);
    life->lead[l] = phase[l] - beat;
    phase[l] = beat;
  }
}

// The body at rest over the point that goes along its path.
void PlantedGait::Parts::begin_life() {
  if (!options.life.on() || options.in_place) return;
  life.emplace();
  keep_the_footfalls();
  MomentumProblem& p = life->problem;
  update_positions(model, modes.q0.data(), w);
  const Vec3d origin = rest.p - w.p[size_t(limbs.root)];
  p.com = center_of_mass(model, w) + origin;
  p.inertia = spread_of(model, w, p.com - origin);
  p.period = 1 / options.hz, p.gravity = options.gravity;
  const double pace = options.life.speed / std::sqrt(options.gravity * length);
  for (size_t l = 0; l < legs.size(); ++l) {
    LegSupport leg;
    leg.begin = phase[l], leg.duty = options.duty;
    leg.hip = w.p[size_t(limbs.legs[l].hip)] + origin;
    leg.foot = {rest_foot[l].p.x, rest_foot[l].p.y, 0};
    const double beside = std::fabs(leg.foot.y - leg.hip.y) / (sprawled * length);
    leg.foot.y *= 1 - together * std::max(0.0, 1 - beside) * pace / (1 + pace);
    double low = 0, high = 0;
    for (const LegSite& site : legs[l].body().sites)
      if (site.stands) {
        const double x = (rest_foot[l].R * site.rest.p).x;
        low = std::min(low, x), high = std::max(high, x);
      }
    leg.roll = rolling * (high - low);
    p.legs.push_back(leg);
  }
  std::vector<TrunkEnd> ends;
  for (size_t l = 0; l < legs.size(); ++l) {
    const LimbLeg& leg = limbs.legs[l];
    if (leg.side != Side::left || leg.partner < 0) continue;
    TrunkEnd end;
    end.link = legs[l].body().carrier;
    end.left = int(l), end.right = leg.partner;
    end.width = p.legs[l].hip.y - p.legs[size_t(leg.partner)].hip.y;
    ends.push_back(end);
  }
  for (const LimbArm& arm : limbs.arms) {
    int link = arm.hand;
    const std::vector<int> begin = dof_begins(creature);
    const auto of_arm = [&](int b) {
      return begin[size_t(b)] == begin[size_t(b) + 1] || limbs.in_arm[size_t(begin[size_t(b)])];
    };
    while (link >= 0 && of_arm(link)) link = creature.links[size_t(link)].parent;
    if (link >= 0 &&
        std::none_of(ends.begin(), ends.end(), [&](const TrunkEnd& e) { return e.link == link; })) {
      TrunkEnd end;
      end.link = link, end.arms = true;
      ends.push_back(end);
    }
  }
  life->trunk.emplace(creature, modes.q0, limbs.root, ends);
  std::vector<char> bends(y.size(), 0);
  for (const int j : life->trunk->dofs()) bends[size_t(j)] = 1;
  for (size_t j = 0; j < y.size(); ++j)
    if (!root[j] && !limbs.in_leg[j] && !bends[j]) life->followers.push_back(int(j));
  life->natural = natural_speed;
  natural_speed = options.life.speed;
}

// The motion of the trunk at the speed that the manner leaves.
void PlantedGait::Parts::set_up_life() {
  PlantedLife& of = *life;
  of.problem.speed = speed;
  of.cycle = find_momentum(of.problem);
  const TrunkBend::Bent bent = of.trunk->bend(of.problem, of.cycle, manner.calm);
  of.joints.clear();
  for (size_t k = 0; k < bent.joint.size(); ++k) of.joints[of.trunk->dofs()[k]] = bent.joint[k];
  for (int k = 0; k < 3; ++k) {
    of.shift[k].clear(), of.turn[k].clear();
    for (size_t i = 0; i < size_t(n); ++i) {
      const double dial = k == 1 ? options.life.sway : options.life.bounce;
      of.shift[k].push_back(dial * of.cycle.shift[i][k]);
      of.turn[k].push_back(bent.root[i][k]);
    }
  }
  of.wanted = {of.shift[0], of.shift[1], of.shift[2]};
}

// Leads the centre of mass to where it should be, now that legs swing, and lets followers follow.
double PlantedGait::Parts::refine_life(double miss) {
  if (cycles == 0) return miss;
  PlantedLife& of = *life;
  const double period = 1 / options.hz, begin = far * period;
  for (int round = 0; round < rounds; ++round) {
    for (const int j : of.followers) of.joints.erase(j);
    FollowProblem follows;
    follows.creature = &creature, follows.model = &model;
    follows.dofs = of.followers, follows.period = period, follows.lag = options.life.lag,
    follows.size = length;
    for (const LimbArm& arm : limbs.arms) follows.arms.push_back({arm.side == Side::left, arm.hand, arm.pos});
    for (int i = 0; i <= n; ++i) {
      at(begin + period * i / n);
      i < n ? follows.cycle.push_back(q) : void(follows.next = q);
    }
    const std::vector<std::vector<double>> found = follow(follows);
    for (size_t k = 0; k < of.followers.size(); ++k) of.joints[of.followers[k]] = found[k];
    Vec3d mean;
    std::vector<Vec3d> off;
    for (int i = 0; i < n; ++i) {
      const double t = begin + period * i / n;
      at(t);
      update_positions(model, q.data(), w);
      const LinkFrame along = path(t);
      const Vec3d c = transpose_times(
          along.R, center_of_mass(model, w) - along.p - Vec3d{0, 0, ground_under(along).height});
      off.push_back(Vec3d{of.wanted[0][size_t(i)], of.wanted[1][size_t(i)], of.wanted[2][size_t(i)]} - c);
      mean += off.back() * (1.0 / n);
    }
    // ahead and sideways to where the feet carry it, upward as high as legs reach
    const Vec3d rests{-of.problem.com.x, -of.problem.com.y, mean.z};
    for (size_t i = 0; i < size_t(n); ++i)
      for (int k = 0; k < 3; ++k) of.shift[k][i] += off[i][k] - (k == 2 ? mean.z : rests[k]);
    set_up_height();
    miss = solve_legs();
  }
  return miss;
}

}  // namespace legwork
