#include <legwork/gait.h>

#include <algorithm>
#include <cmath>

#include <legwork/options.h>
#include "creature/place.h"
#include "creature/tree.h"
#include "dynamics/dynamics.h"
#include "ground/terrain.h"
#include "math/real.h"
#include "math/scalar.h"
#include "motion/check_motion.h"
#include "motion/fallen.h"
#include "motion/footfalls.h"
#include "motion/gait_name.h"
#include "motion/support.h"
#include "motion/travel.h"

namespace legwork {

namespace {

constexpr double least_travel = 0.02;  // hip heights in a stride: below, a body stays where it is

Vec3d level(const Vec3d& v) { return {v.x, v.y, 0}; }

double mean(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value;
  return x.empty() ? unknown : sum / double(x.size());
}

// Touch-downs that begin whole strides. The first stride is a start, left out where there are three or more.
std::vector<int> stride_starts(const LegGait& leg) {
  std::vector<int> starts;
  for (size_t i = 0; i < leg.stances.size(); ++i)
    if (leg.stances[i].starts) starts.push_back(int(i));
  if (starts.size() >= 4) starts.erase(starts.begin());
  return starts;
}

void measure_leg(LegGait& leg) {
  const std::vector<int> starts = stride_starts(leg);
  std::vector<double> duty, times, lengths;
  for (size_t i = 0; i + 1 < starts.size(); ++i) {
    const Stance &s = leg.stances[starts[i]], &next = leg.stances[starts[i] + 1];
    times.push_back(next.down - s.down);
    duty.push_back((s.up - s.down) / times.back());
    lengths.push_back(norm(level(next.at - s.at)));
  }
  leg.duty_factor = mean(duty);
  leg.stride_time = mean(times);
  leg.stride_length = mean(lengths);
  for (const Stance& s : leg.stances) leg.slip = std::max(leg.slip, s.slip);
}

double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  const size_t n = x.size();
  return n == 0 ? unknown : (x[(n - 1) / 2] + x[n / 2]) / 2;
}

// The circular median of the leg's touch-downs within the reference's strides: about their mean direction
// the circle is cut open. A touch that comes late now and then does not move it.
void measure_phase(const LegGait& reference, LegGait& leg) {
  const std::vector<int> starts = stride_starts(reference);
  std::vector<double> shares;
  double sines = 0, cosines = 0;
  for (size_t i = 0; i + 1 < starts.size(); ++i) {
    const double from = reference.stances[starts[i]].down, to = reference.stances[starts[i] + 1].down;
    for (const Stance& stance : leg.stances) {
      if (!stance.starts || stance.down < from - 1e-9 || stance.down >= to - 1e-9) continue;
      shares.push_back((stance.down - from) / (to - from));
      sines += sin(2 * pi * shares.back());
      cosines += cos(2 * pi * shares.back());
    }
  }
  if (shares.empty()) return;
  const double middle = atan2(sines, cosines) / (2 * pi);
  for (double& share : shares) share -= middle, share -= std::round(share);
  const double offset = median(shares), phase = middle + offset;
  for (double& share : shares) share = std::abs(share - offset);
  leg.phase_scatter = median(shares);
  leg.phase = phase < -1e-12 ? phase + 1 : phase >= 1 ? phase - 1 : std::max(phase, 0.0);
}

int reference_leg(const Creature& c) {
  int best = 0;
  const std::vector<LinkFrame> standing = place(c, c.pose("stand"));
  auto rank = [&](int k) {
    return std::pair(c.legs[k].side == Side::left ? 0 : 1, std::lround(standing[c.legs[k].hip].p.x * 1e6));
  };
  for (int k = 1; k < int(c.legs.size()); ++k)
    if (rank(k) < rank(best)) best = k;
  return best;
}

// Frames [first, last] that cover whole strides of the reference leg, or the whole motion.
std::pair<int, int> stride_window(const Motion& motion, const LegGait& reference, int stride = -1) {
  const std::vector<int> starts = stride_starts(reference);
  if (starts.size() < 2) return {0, motion.frames() - 1};
  const double from = reference.stances[starts[stride < 0 ? 0 : stride]].down;
  const double to = reference.stances[stride < 0 ? starts.back() : starts[stride + 1]].down;
  auto frame = [&](double time) {
    return int(std::lower_bound(motion.time.begin(), motion.time.end(), time - 1e-9) - motion.time.begin());
  };
  return {frame(from), std::min(frame(to), motion.frames() - 1)};
}

// Where it travels, stride by stride of the reference leg; without strides over the whole motion.
std::vector<Heading> stride_headings(const Motion& motion, const Course& travel, const LegGait& reference) {
  const std::vector<int> starts = stride_starts(reference);
  std::vector<Heading> headings;
  for (size_t i = 0; i + 1 < starts.size(); ++i)
    headings.push_back(travel.over(reference.stances[starts[i]].down, reference.stances[starts[i] + 1].down));
  if (headings.empty()) headings.push_back(travel.over(motion.time.front(), motion.time.back()));
  return headings;
}

// How the body turned from the first stride to the last, stride by stride, so that a full circle counts as
// one; and which way it looked as it travelled.
void measure_turn(const std::vector<Heading>& strides, Gait& g) {
  double turned = 0, sines = 0, cosines = 0;
  long travelling = 0;
  for (size_t i = 0; i < strides.size(); ++i) {
    const Heading& h = strides[i];
    if (i > 0) turned += turn_between(strides[i - 1].body, h.body);
    if (!h.travels) continue;
    const double angle = turn_between(h.body, h.direction);
    sines += sin(angle), cosines += cos(angle);
    ++travelling;
  }
  if (g.strides >= 1) g.heading_drift = turned;
  if (2 * travelling > long(strides.size())) g.travel_angle = atan2(sines, cosines);
}

void measure_progress(const Motion& motion, const GaitTrack& t, const Course& travel, Gait& g) {
  const LegGait& reference = g.legs[g.reference];
  const auto [first, last] = stride_window(motion, reference);
  const double span = motion.time[last] - motion.time[first];
  double way = 0;
  for (int f = first + 1; f <= last; ++f)
    way += dot(t.com[f] - t.com[f - 1], travel.at(0.5 * (motion.time[f - 1] + motion.time[f])).direction);
  if (span > 0) g.speed = way / span;
  for (int f = 1; f < t.frames; ++f) g.distance += norm(level(t.com[f] - t.com[f - 1]));
  g.froude = g.speed * g.speed / (motion.gravity * g.hip_height);
  g.strides = std::max(int(stride_starts(reference).size()) - 1, 0);
  measure_turn(stride_headings(motion, travel, reference), g);

  const int nv = motion.creature.nv();
  if (motion.tau.size() == motion.v.size() && span > 0 && !motion.tau.empty()) {
    double work = 0;
    auto power = [&](int f) {
      double sum = 0;
      for (int j = 0; j < nv; ++j)
        sum += std::max(0.0, motion.tau[size_t(f) * nv + j] * motion.v[size_t(f) * nv + j]);
      return sum;
    };
    for (int f = first + 1; f <= last; ++f)
      work += (power(f) + power(f - 1)) / 2 * (motion.time[f] - motion.time[f - 1]);
    if (std::abs(way) > 1e-3 * g.hip_height && work > 0)
      g.cost_of_transport = work / (motion.creature.mass() * motion.gravity * std::abs(way));
  }
}

void measure_support(const Motion& motion, const GaitTrack& t, const std::vector<double>& load, Gait& g) {
  const auto [first, last] = stride_window(motion, g.legs[g.reference]);
  g.margin.assign(t.frames, unknown);
  for (int f = 0; f < t.frames; ++f) {
    std::vector<Vec3d> points;
    for (int k = 0; k < t.legs; ++k) {
      if (load[size_t(f) * t.legs + k] <= 0) continue;
      bool any = false;
      for (int s = 0; s < t.sites; ++s)
        if (t.leg_of_site[s] == k && t.depth[size_t(f) * t.sites + s] > 0) {
          points.push_back(t.site[size_t(f) * t.sites + s]);
          any = true;
        }
      if (!any) points.push_back(t.sole[size_t(f) * t.legs + k]);
    }
    if (points.empty()) continue;
    g.margin[f] = support_margin(convex_hull_2d(points), t.com[f]);
    if (f >= first && f <= last && !(g.stability_margin <= g.margin[f])) g.stability_margin = g.margin[f];
  }
}

struct Print {
  double time;
  Vec3d at;
  bool left;
};

// Where two feet came down, in the order of time.
std::vector<Print> prints_of(const LegGait& left, const LegGait& right) {
  std::vector<Print> prints;
  for (const LegGait* leg : {&left, &right})
    for (const int i : stride_starts(*leg))
      prints.push_back({leg->stances[i].down, level(leg->stances[i].at), leg == &left});
  std::stable_sort(prints.begin(), prints.end(),
                   [](const Print& a, const Print& b) { return a.time < b.time; });
  return prints;
}

// Feet that come down within this share of a stride come down together and make no step.
constexpr double no_step = 0.05;

// Footprints of a girdle's two feet: step length, width, and pace angulation. Lengths and widths keep their
// sign until they are averaged, and steps to the left foot count as much as those to the right: sideways, one
// of them goes back.
void measure_trackway(const Course& travel, Gait& g) {
  std::vector<double> steps, widths, angles;
  for (size_t a = 0; a < g.legs.size(); ++a)
    for (size_t b = a + 1; b < g.legs.size(); ++b) {
      if (g.legs[a].girdle != g.legs[b].girdle || g.legs[a].side == g.legs[b].side ||
          g.legs[a].side == Side::none)
        continue;
      const std::vector<Print> prints = prints_of(g.legs[a], g.legs[b]);
      std::vector<double> along[2], across;  // to either foot; from the first leg's track to the second's
      for (size_t i = 0; i + 1 < prints.size(); ++i) {
        const Print &from = prints[i], &to = prints[i + 1];
        if (from.left == to.left || to.time - from.time < no_step * g.stride_time) continue;
        const Vec3d way = to.at - from.at, heading = travel.at(0.5 * (from.time + to.time)).direction;
        along[to.left].push_back(dot(way, heading));
        across.push_back((heading.x * way.y - heading.y * way.x) * (from.left ? 1 : -1));
        if (i + 2 >= prints.size() || prints[i + 2].left == to.left) continue;
        const Vec3d back = from.at - to.at, on = prints[i + 2].at - to.at;
        if (norm(back) > 0 && norm(on) > 0)
          angles.push_back(acos(std::clamp(dot(back, on) / (norm(back) * norm(on)), -1.0, 1.0)));
      }
      for (const std::vector<double>& to : along)
        if (!to.empty()) steps.push_back(mean(to));
      if (!across.empty()) widths.push_back(std::abs(mean(across)));
    }
  g.step_length = steps.empty() ? g.stride_length / 2 : std::abs(mean(steps));
  g.step_width = mean(widths);
  g.pace_angulation = mean(angles);
}

// Whether the timing is one at all: every leg keeps to its phase and to the same stride, and the stride is
// not shorter than legs can swing, which is a vibration.
bool is_steady(const Motion& motion, const Gait& g) {
  constexpr double most_scatter = 0.1, most_ratio = 1.25;
  std::vector<std::vector<Stance>> stances;
  for (const LegGait& leg : g.legs) stances.push_back(leg.stances);
  const double stride = usual_stride(stances);
  if (motion.gravity > 0 && stride < std::sqrt(g.hip_height / motion.gravity)) return false;
  for (const LegGait& leg : g.legs) {
    const double own = usual_stride(leg.stances);
    if (leg.phase_scatter > most_scatter || own > most_ratio * stride || stride > most_ratio * own)
      return false;
  }
  return true;
}

}  // namespace

double hip_height(const Creature& creature) {
  if (creature.legs.empty()) return unknown;
  const std::vector<LinkFrame> standing = place(creature, creature.pose("stand"));
  double sum = 0;
  for (const Leg& leg : creature.legs) sum += standing[leg.hip].p.z - (standing[leg.foot] * leg.sole).z;
  return sum / double(creature.legs.size());
}

Gait measure_gait(const Motion& motion, const GaitOptions& options) {
  const Creature& c = motion.creature;
  if (motion.frames() == 0)
    throw Error({}, "motion of '" + c.name + "'", "has no frames", "nothing can be measured");
  check_motion(motion);
  if (motion.v.empty())
    throw Error({}, "motion of '" + c.name + "'", "has no velocities v", "a gait is measured by them");
  if (c.legs.empty())
    throw Error({}, "creature '" + c.name + "'", "has no legs, so no gait",
                "add a [[leg]] with name, hip and foot for each");

  Gait g;
  g.hip_height = hip_height(c);
  g.stances_from = stances_source(motion);
  const GaitTrack t = follow(motion);
  const std::vector<double> load = foot_loads(motion, t, options, g.hip_height);
  std::vector<std::vector<Stance>> stances = find_stances(motion, t, load, options, g.hip_height);
  const double stride = usual_stride(stances);
  for (int k = 0; k < t.legs; ++k) {
    LegGait leg;
    leg.leg = c.legs[k].name;
    leg.side = c.legs[k].side;
    leg.girdle = c.legs[k].girdle;
    leg.stances = std::move(stances[k]);
    measure_leg(leg);
    g.slip = std::max(g.slip, leg.slip);
    g.legs.push_back(leg);
  }
  for (const double depth : t.depth) g.penetration = std::max(g.penetration, depth);

  g.reference = reference_leg(c);
  std::vector<double> duty, times, lengths;
  for (LegGait& leg : g.legs) {
    measure_phase(g.legs[g.reference], leg);
    if (std::isfinite(leg.duty_factor)) duty.push_back(leg.duty_factor);
    if (std::isfinite(leg.stride_time)) times.push_back(leg.stride_time);
    if (std::isfinite(leg.stride_length)) lengths.push_back(leg.stride_length);
  }
  g.duty_factor = mean(duty);
  g.stride_time = mean(times);
  g.stride_length = mean(lengths);
  const Course travel(motion, t, stride, least_travel * g.hip_height);
  measure_progress(motion, t, travel, g);
  measure_support(motion, t, load, g);
  measure_trackway(travel, g);

  const std::vector<LinkFrame> standing = place(c, c.pose("stand"));
  std::vector<LegTiming> timing;
  for (int k = 0; k < t.legs; ++k)
    timing.push_back(
        {g.legs[k].leg, g.legs[k].side, standing[c.legs[k].hip].p.x, g.legs[k].phase, g.legs[k].duty_factor});
  if (is_steady(motion, g)) g.name = gait_name(timing);
  return g;
}

bool has_fallen(const Motion& motion) {
  if (motion.status == Status::fell) return true;
  const Creature& c = motion.creature;
  if (motion.frames() == 0 || c.links.empty()) return false;
  check_motion(motion);
  const Model<double> model = make_model(c);
  Workspace<double> w(model);
  update_positions(model, &motion.q[size_t(motion.frames() - 1) * model.nq], w);
  return has_fallen(standing_in(c, model, c.pose("stand")), model, motion.terrain, w);
}

void describe(Options& v, GaitOptions& o) {
  v.number("force_threshold", o.force_threshold,
           {0, 1, "1", "a foot is down when it carries more than this share of the weight"});
  v.number("height_threshold", o.height_threshold,
           {0, 1, "1",
            "without forces and plan: a foot is down when its sole is lower than this share of the hip "
            "height ..."});
  v.number("speed_threshold", o.speed_threshold,
           {0, 100, "1", "... and moves over the ground slower than this share of the body's speed"});
  v.number(
      "chatter", o.chatter,
      {0, 0.5, "1",
       "swings shorter than this share of the stride, and stances shorter than half of it, are no steps"});
  v.number("shortest", o.shortest, {0, 10, "s", "stances and swings shorter than this are no steps either"});
}

}  // namespace legwork
