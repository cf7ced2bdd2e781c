#include "control/schedule.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "control/polygon.h"
#include "math/real.h"

namespace legwork {

namespace {

constexpr double usual_swing = 1.0;               // 1/w
constexpr double usual_speed = 0.3;               // sqrt(g h)
constexpr double slower_alone = 0.2;              // share of it that standing on one foot all the time costs
constexpr double usual_stroke = 0.5;              // h
constexpr double inset = 0.05;                    // h: feet bear inside their hull
constexpr int nodes = 60, cycles = 3;             // of a trial
constexpr double per_time = 0.015;                // what a cycle of 1/w costs beside a sway of h
constexpr double per_haste = 0.08;                // what a swing of half the usual time costs, likewise
constexpr double per_reaction = 0.1;              // what a swing costs that asks for a weight, likewise
constexpr double on_point = 0.3, on_line = 0.03;  // what standing on that all the time costs, likewise
constexpr double raised_with_foot = 0.5;          // share of a leg's mass that goes up and down with its foot
constexpr double per_stroke = 1.0;                // what a stroke that is too long costs, likewise

constexpr double per_slowness = 0.1;            // what no speed at all costs, likewise
constexpr double crawl = 0.6, per_crawl = 0.3;  // share of the usual speed below which it costs more

constexpr double hop_swing = 0.7, hop_duty = 0.5;  // 1/w; of bodies on one leg

double fraction(double x) { return x - std::floor(x); }

// Ranks of the legs on each side, counted from the hind; middle legs join the side that has fewer.
void rank_sides(const LeggedBody& b, const std::vector<char>& there, std::vector<int>& rank,
                std::vector<char>& right) {
  const size_t n = b.legs.size();
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t i, size_t j) { return b.legs[i].home.x < b.legs[j].home.x; });
  int lefts = 0, rights = 0;
  for (size_t i = 0; i < n; ++i)
    if (there[i]) (b.legs[i].side > 0 ? lefts : b.legs[i].side < 0 ? rights : lefts) += b.legs[i].side != 0;
  rank.assign(n, 0), right.assign(n, 0);
  for (size_t i = 0; i < n; ++i) {
    if (!there[i] || b.legs[i].side != 0) {
      right[i] = b.legs[i].side < 0;
      continue;
    }
    right[i] = rights < lefts;
    ++(right[i] ? rights : lefts);
  }
  int next[2] = {0, 0};
  for (const size_t i : order)
    if (there[i]) rank[i] = next[int(right[i])]++;
}

// m, from the centre of mass: how much further out the ground must press because legs swing, as one is pulled
// up and another slowed down; heading axes.
Vec2 swing_push(const LeggedBody& b, const Schedule& s, const std::vector<char>& there, double clock) {
  const double window = 1 - s.duty, time = s.swing * b.rate;
  const double quickest = 2 * pi * pi * usual_lift(b) / b.height / (time * time);  // g, of a foot
  Vec2 push;
  for (size_t i = 0; i < b.legs.size(); ++i) {
    const double phase = s.phase(i, clock);
    if (!there[i] || phase >= window) continue;
    double sine, cosine;
    sin_cos(2 * pi * phase / window, sine, cosine);
    const double share = raised_with_foot * b.legs[i].mass / b.mass * quickest * cosine;
    push = push + Vec2{b.legs[i].home.x, b.legs[i].home.y} * share;
  }
  return push;
}

// How far the divergent component of motion leaves the straight path in one cycle, h; and what it costs to
// stand on a point or a line, where the trunk's tilt cannot be held.
double sway(const LeggedBody& b, const Schedule& s, const std::vector<char>& there) {
  const double w = b.rate, C = s.cycle(), v = s.speed, dt = C / nodes;
  const double decay = exp(-w * dt);
  double thin = 0;
  std::vector<Vec2> p(nodes);
  Polygon feet;
  for (int k = 0; k < nodes; ++k) {
    const double clock = (k + 0.5) / nodes;
    feet.clear();
    for (size_t i = 0; i < b.legs.size(); ++i) {
      const double phase = s.phase(i, clock);
      if (!there[i] || phase < 1 - s.duty) continue;
      // relative to the centre of mass: half the stroke ahead at touch-down
      const double since = (phase - (1 - s.duty)) / s.duty;
      const Vec3d at = b.legs[i].home + Vec3d(v * s.stance() * (0.5 - since), 0, 0);
      const double size = 0.7 * b.legs[i].size;
      if (size < 0.02 * b.height) {
        feet.add({at.x, at.y});
        continue;
      }
      for (const double x : {-size, size})
        for (const double y : {-0.5 * size, 0.5 * size}) feet.add({at.x + x, at.y + y});
    }
    feet.close(inset * b.height);
    if (feet.empty()) return 1e3;
    const size_t corners = feet.hull().size();
    thin += (corners == 1 ? on_point : corners == 2 ? on_line : 0) / nodes;
    const Vec2 push = swing_push(b, s, there, clock);
    p[size_t(k)] = feet.nearest(push) - push;
  }
  Vec2 xi;
  double worst = 0;
  for (int round = 0; round < cycles; ++round)
    for (int k = nodes; k-- > 0;) {
      // p moves along with the path within a node
      xi = p[size_t(k)] + (xi - p[size_t(k)]) * decay;
      if (round == cycles - 1) worst = std::max(worst, norm(xi));
    }
  return worst / b.height + thin;
}

// Share of the cycle in which no more than one foot stands.
double alone(const LeggedBody& b, const Schedule& s, const std::vector<char>& there) {
  int count = 0;
  for (int k = 0; k < nodes; ++k) {
    int standing = 0;
    for (size_t i = 0; i < b.legs.size(); ++i)
      standing += there[i] && s.phase(i, (k + 0.5) / nodes) >= 1 - s.duty;
    count += standing <= 1;
  }
  return double(count) / nodes;
}

// The force, in weights, that the swing of the heaviest leg asks of the others: a third of its mass goes
// along with the foot, forward by the stroke in the whole time and up in less than half of it.
double reaction(const LeggedBody& b, const Schedule& s, const std::vector<char>& there) {
  double heaviest = 0;
  for (size_t i = 0; i < b.legs.size(); ++i)
    if (there[i]) heaviest = std::max(heaviest, b.legs[i].mass);
  const double time = s.swing * b.rate, stroke = s.speed * s.stance() / b.height;
  return heaviest / b.mass * (2 * stroke + 1.2) / (time * time);
}

// On one leg: it leaves the ground at every step.
Schedule hop(const LeggedBody& b, double speed, double swing, double stroke, const std::vector<char>& there) {
  Schedule s;
  for (size_t i = 0; i < there.size(); ++i)
    if (there[i]) s.cost = norm(b.legs[i].home) / b.height;
  s.duty = hop_duty;
  s.offset.assign(there.size(), 0);
  s.swing = swing > 0 ? swing : hop_swing / b.rate;
  const double usual = usual_speed * std::sqrt(b.gravity * b.height);
  s.speed = speed > 0 ? speed : std::min(usual, stroke / s.stance());
  return s;
}

}  // namespace

double Schedule::phase(size_t leg, double clock) const noexcept { return fraction(clock + offset[leg]); }

double longest_stroke(const LeggedBody& b) {
  double most = 1e300;
  const Mat3d& R = b.upright;
  for (const LimbOfBody& leg : b.legs) {
    const Vec3d hip = R * leg.hip_point - b.com + Vec3d(0, 0, b.height);
    const Vec3d out = leg.home + Vec3d(0, 0, leg.ankle) - hip;
    const double reach = 0.97 * leg.reach;
    const double left = reach * reach - out.y * out.y - out.z * out.z;
    most = std::min(most, 2 * (std::sqrt(std::max(left, 0.0)) - std::fabs(out.x)));
  }
  return std::clamp(most, 0.1 * b.height, std::max(b.stroke, 0.1 * b.height) / 0.8);
}

Schedule choose_schedule(const LeggedBody& b, double speed, double swing, const std::vector<char>& there) {
  const size_t n = b.legs.size();
  const double unit = std::sqrt(b.gravity * b.height);
  const double stroke = std::min(usual_stroke * b.height, 0.8 * longest_stroke(b));
  Schedule best;
  double least = 1e300;
  const auto try_swing = [&](Schedule s, double share) {
    s.swing = swing > 0 ? swing : share * usual_swing / b.rate;
    const double usual = usual_speed * unit * (1 - slower_alone * alone(b, s, there));
    s.speed = speed > 0 ? speed : std::min(usual, stroke / s.stance());
    const double over = std::max(s.speed * s.stance() / stroke - 1, 0.0);
    const double slow = speed > 0 ? 0
                                  : per_slowness * std::max(1 - s.speed / usual, 0.0) +
                                        per_crawl * std::max(crawl - s.speed / usual, 0.0);
    const double cost = sway(b, s, there) + per_time * b.rate * s.cycle() + per_stroke * over + slow +
                        per_haste * (1 / share - 1) + per_reaction * reaction(b, s, there);
    if (cost < least) least = cost, best = s, best.cost = cost;
  };
  const auto consider = [&](const Schedule& s) {
    for (const double share : {1.0, 0.85, 0.7, 0.6, 0.5}) {
      try_swing(s, share);
      if (swing > 0) break;
    }
  };
  if (std::count(there.begin(), there.end(), char(1)) == 1) return hop(b, speed, swing, stroke, there);
  std::vector<int> rank;
  std::vector<char> right;
  rank_sides(b, there, rank, right);
  for (const double duty : {0.55, 0.6, 0.65, 0.7, 0.75, 0.8}) {
    Schedule s;
    s.duty = duty;
    s.offset.assign(n, 0);
    // Wilson's wave, from the hind legs forward, sides half a cycle apart
    for (size_t i = 0; i < n; ++i) s.offset[i] = fraction(-rank[i] * (1 - duty) + (right[i] ? 0.5 : 0));
    consider(s);
    // neighbours alternate
    for (size_t i = 0; i < n; ++i) s.offset[i] = fraction(-rank[i] * 0.5 + (right[i] ? 0.5 : 0));
    consider(s);
  }
  // few legs: every order of one after the other
  std::vector<size_t> present;
  for (size_t i = 0; i < n; ++i)
    if (there[i]) present.push_back(i);
  const size_t count = present.size();
  if (count >= 2 && count <= 5) {
    std::vector<size_t> order(count);
    std::iota(order.begin(), order.end(), size_t(0));
    do {
      for (const double duty : {1 - 1.0 / double(count), 1 - 0.8 / double(count)}) {
        Schedule s;
        s.duty = std::max(duty, 0.55);
        s.offset.assign(n, 0);
        for (size_t k = 0; k < count; ++k)
          s.offset[present[order[k]]] = fraction(1 - double(k) / double(count));
        consider(s);
      }
    } while (std::next_permutation(order.begin() + 1, order.end()));
  }
  return best;
}

}  // namespace legwork
