#include <legwork/gait.h>

#include <algorithm>
#include <cmath>

#include <legwork/options.h>
#include "creature/place.h"
#include "creature/tree.h"
#include "dynamics/dynamics.h"
#include "ground/terrain.h"
#include "math/real.h"
#include "motion/gait_name.h"
#include "motion/stance_channel.h"
#include "motion/support.h"

namespace legwork {

namespace {

Vec3d level(const Vec3d& v) { return {v.x, v.y, 0}; }

double mean(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value;
  return x.empty() ? unknown : sum / double(x.size());
}

// Everything about a motion that the measures need, frame by frame.
struct Track {
  int frames = 0, legs = 0, sites = 0;
  std::vector<Vec3d> com;        // frames
  std::vector<Vec3d> heading;    // frames: the root's x axis, level, unit
  std::vector<Vec3d> sole;       // frames x legs
  std::vector<Vec3d> site;       // frames x contact points: lowest point
  std::vector<double> depth;     // frames x contact points, positive below the ground
  std::vector<Vec3d> slide;      // frames x contact points: velocity along the ground, m/s
  std::vector<int> leg_of_site;  // contact points; -1 = no foot
};

Track follow(const Motion& motion) {
  const Creature& c = motion.creature;
  const Model<double> model = make_model(c);
  Workspace<double> w(model);
  const int root = root_of(c, c.legs[0].hip);
  Track t;
  t.frames = motion.frames();
  t.legs = int(c.legs.size());
  t.sites = int(c.contacts.size());
  for (const ContactPoint& point : c.contacts) {
    int leg = -1;
    for (int k = 0; k < t.legs; ++k)
      if (is_below(c, point.link, c.legs[k].foot)) leg = k;
    t.leg_of_site.push_back(leg);
  }
  for (int f = 0; f < t.frames; ++f) {
    const double *q = &motion.q[size_t(f) * model.nq], *v = &motion.v[size_t(f) * model.nv];
    update_positions(model, q, w);
    update_velocities(model, q, v, w);
    t.com.push_back(center_of_mass(model, w));
    const Vec3d forward = level(w.R[root].column(0));
    t.heading.push_back(norm(forward) > 1e-6 ? normalized(forward) : Vec3d{1, 0, 0});
    for (const Leg& leg : c.legs) t.sole.push_back(point_position(w, leg.foot, leg.sole));
    for (const ContactPoint& point : c.contacts) {
      const Vec3d center = point_position(w, point.link, point.pos);
      const GroundSample ground = sample(motion.terrain, center.x, center.y);
      const Vec3d n = ground.normal, arm = w.R[point.link] * point.pos - n * point.radius;
      const Vec3d velocity = shift(w.vel[point.link], arm).lin;
      t.site.push_back(center - n * point.radius);
      t.depth.push_back((ground.height - center.z) * n.z + point.radius);
      t.slide.push_back(velocity - n * dot(n, velocity));
    }
  }
  return t;
}

// How strongly each leg is down at each frame: positive = down. The zero crossings are touch-down and
// lift-off.
std::vector<double> foot_loads(const Motion& motion, const Track& t, const GaitOptions& o, double hips) {
  std::vector<double> load(size_t(t.frames) * t.legs);
  const double weight = motion.creature.mass() * motion.gravity;
  if (motion.terrain.type == TerrainType::none) return std::vector<double>(load.size(), -1.0);
  if (!motion.contact_force.empty()) {
    for (int f = 0; f < t.frames; ++f) {
      for (int k = 0; k < t.legs; ++k) load[size_t(f) * t.legs + k] = -o.force_threshold;
      for (int s = 0; s < t.sites; ++s)
        if (t.leg_of_site[s] >= 0)
          load[size_t(f) * t.legs + t.leg_of_site[s]] +=
              norm(Vec3d{motion.contact_force[(size_t(f) * t.sites + s) * 3],
                         motion.contact_force[(size_t(f) * t.sites + s) * 3 + 1],
                         motion.contact_force[(size_t(f) * t.sites + s) * 3 + 2]}) /
              weight;
    }
    return load;
  }
  // A planned stance is yes or no. Between frames it begins as if the standing legs carried equal shares of
  // the weight, which is also how files of version 0.1 say it: the same stances come out of both.
  if (const Channel* stance = stance_channel(motion)) {
    for (int f = 0; f < t.frames; ++f) {
      const double* now = &stance->values[size_t(f) * t.legs];
      const auto standing = std::count_if(now, now + t.legs, says_stance);
      for (int k = 0; k < t.legs; ++k)
        load[size_t(f) * t.legs + k] = (says_stance(now[k]) ? 1.0 / double(standing) : 0) - o.force_threshold;
    }
    return load;
  }
  // neither: low and slow. Each condition as a share of its threshold; the worse one decides.
  double travelled = 0;
  for (int f = 1; f < t.frames; ++f) travelled += norm(level(t.com[f] - t.com[f - 1]));
  const double body_speed = motion.duration() > 0 ? travelled / motion.duration() : 0;
  for (int k = 0; k < t.legs; ++k) {
    std::vector<double> height(t.frames);
    for (int f = 0; f < t.frames; ++f) {
      const Vec3d& p = t.sole[size_t(f) * t.legs + k];
      height[f] = p.z - sample(motion.terrain, p.x, p.y).height;
    }
    const double lowest = *std::min_element(height.begin(), height.end());
    for (int f = 0; f < t.frames; ++f) {
      const int before = std::max(f - 1, 0), after = std::min(f + 1, t.frames - 1);
      const double span = motion.time[after] - motion.time[before];
      const Vec3d way = t.sole[size_t(after) * t.legs + k] - t.sole[size_t(before) * t.legs + k];
      const double speed = span > 0 ? norm(way) / span : 0;
      const double low = 1 - (height[f] - lowest) / (o.height_threshold * hips);
      const double slow = body_speed > 0 ? 1 - speed / (o.speed_threshold * body_speed) : 1;
      load[size_t(f) * t.legs + k] = std::min(low, slow);
    }
  }
  return load;
}

// Time at which the load passes zero between frames f - 1 and f.
double crossing(const Motion& motion, double before, double after, int f) {
  const double share = before == after ? 0.5 : before / (before - after);
  return motion.time[f - 1] + std::clamp(share, 0.0, 1.0) * (motion.time[f] - motion.time[f - 1]);
}

// tiny: m, a foot that neither rises nor goes further than this takes no step, though it may bear nothing.
std::vector<Stance> find_stances(const Motion& motion, const Track& t, const std::vector<double>& load,
                                 int leg, double shortest, double tiny) {
  auto at = [&](int f) { return load[size_t(f) * t.legs + leg]; };
  const auto stayed = [&](double from, double to) {
    const auto frame = [&](double time) {
      return int(std::lower_bound(motion.time.begin(), motion.time.end(), time) - motion.time.begin());
    };
    const int last = std::min(frame(to), t.frames - 1), first = std::min(frame(from), last);
    for (int f = first; f <= last; ++f)
      if (norm(t.sole[size_t(f) * t.legs + leg] - t.sole[size_t(first) * t.legs + leg]) > tiny) return false;
    return true;
  };
  std::vector<Stance> stances;
  const int frames = motion.frames();
  for (int f = 0; f < frames; ++f) {
    if (at(f) <= 0) continue;
    Stance s;
    s.starts = f > 0;
    s.down = f > 0 ? crossing(motion, at(f - 1), at(f), f) : motion.time[0];
    while (f < frames && at(f) > 0) ++f;
    s.ends = f < frames;
    s.up = f < frames ? crossing(motion, at(f - 1), at(f), f) : motion.time.back();
    // a gap too short to be a swing joins two stances
    if (!stances.empty() && (s.down - stances.back().up < shortest || stayed(stances.back().up, s.down))) {
      stances.back().up = s.up;
      stances.back().ends = s.ends;
    } else {
      stances.push_back(s);
    }
  }
  std::erase_if(stances, [&](const Stance& s) { return s.starts && s.ends && s.up - s.down < shortest; });
  return stances;
}

// Place, slip and depth of each stance of a leg.
void describe_stances(const Motion& motion, const Track& t, StancesFrom from, int leg,
                      std::vector<Stance>& stances) {
  for (Stance& s : stances) {
    const int first =
        int(std::lower_bound(motion.time.begin(), motion.time.end(), s.down) - motion.time.begin());
    s.at = t.sole[size_t(std::min(first, t.frames - 1)) * t.legs + leg];
    std::vector<Vec3d> way(t.sites);  // that each point slid so far; a foot that trembles comes back
    double touched = 0, sole_way = 0;
    bool sites = false;
    for (int f = first; f < t.frames && motion.time[f] <= s.up; ++f) {
      for (int k = 0; k < t.sites; ++k) {
        if (t.leg_of_site[k] != leg) continue;
        sites = true;
        const size_t i = size_t(f) * t.sites + k;
        s.depth = std::max(s.depth, t.depth[i]);
        // a point slides while it is in the ground at both ends of a frame
        if (f > first && t.depth[i] > 0 && t.depth[i - t.sites] > 0)
          way[k] += (t.slide[i] + t.slide[i - t.sites]) * (0.5 * (motion.time[f] - motion.time[f - 1]));
        touched = std::max(touched, norm(way[k]));
      }
      if (f > first)
        sole_way += norm(level(t.sole[size_t(f) * t.legs + leg] - t.sole[size_t(f - 1) * t.legs + leg]));
    }
    s.slip = sites && from != StancesFrom::soles ? touched : sole_way;
  }
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

// Circular mean of the leg's touch-downs within the reference's strides.
double measure_phase(const LegGait& leg, const LegGait& reference) {
  const std::vector<int> starts = stride_starts(reference);
  double s = 0, c = 0;
  int count = 0;
  for (size_t i = 0; i + 1 < starts.size(); ++i) {
    const double from = reference.stances[starts[i]].down, to = reference.stances[starts[i] + 1].down;
    for (const Stance& stance : leg.stances) {
      if (!stance.starts || stance.down < from - 1e-9 || stance.down >= to - 1e-9) continue;
      const double angle = 2 * pi * (stance.down - from) / (to - from);
      s += std::sin(angle);
      c += std::cos(angle);
      ++count;
    }
  }
  if (count == 0) return unknown;
  const double phase = std::atan2(s, c) / (2 * pi);
  return phase < -1e-12 ? phase + 1 : std::max(phase, 0.0);
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

// Mean heading over a window as an angle, unwrapped from a start value.
double mean_heading(const Track& t, std::pair<int, int> window) {
  Vec3d sum;
  for (int f = window.first; f <= window.second; ++f) sum += t.heading[f];
  return std::atan2(sum.y, sum.x);
}

void measure_progress(const Motion& motion, const Track& t, Gait& g) {
  const LegGait& reference = g.legs[g.reference];
  const auto [first, last] = stride_window(motion, reference);
  const double span = motion.time[last] - motion.time[first];
  double forward = 0;
  for (int f = first + 1; f <= last; ++f)
    forward += dot(t.com[f] - t.com[f - 1], normalized(t.heading[f] + t.heading[f - 1]));
  if (span > 0) g.speed = forward / span;
  for (int f = 1; f < t.frames; ++f) g.distance += norm(level(t.com[f] - t.com[f - 1]));
  g.froude = g.speed * g.speed / (motion.gravity * g.hip_height);

  const int strides = int(stride_starts(reference).size()) - 1;
  g.strides = std::max(strides, 0);
  if (strides >= 1) {
    // turning is followed frame by frame, so that a full circle counts as one
    double turned = 0;
    const auto start = stride_window(motion, reference, 0),
               end = stride_window(motion, reference, strides - 1);
    for (int f = start.first + 1; f <= end.second; ++f) {
      const Vec3d &a = t.heading[f - 1], &b = t.heading[f];
      turned += std::atan2(a.x * b.y - a.y * b.x, dot(a, b));
    }
    const double drift = mean_heading(t, end) - mean_heading(t, start);
    g.heading_drift = drift + 2 * pi * std::round((turned - drift) / (2 * pi));
  }

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
    const double way = std::abs(forward);
    if (way > 1e-3 * g.hip_height && work > 0)
      g.cost_of_transport = work / (motion.creature.mass() * motion.gravity * way);
  }
}

void measure_support(const Motion& motion, const Track& t, const std::vector<double>& load, Gait& g) {
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
  Vec3d at, heading;
};

// Footprints of a girdle's two feet in the order of time: step length, width, and pace angulation.
void measure_trackway(const Motion& motion, const Track& t, Gait& g) {
  std::vector<double> steps, widths, angles;
  for (size_t a = 0; a < g.legs.size(); ++a)
    for (size_t b = a + 1; b < g.legs.size(); ++b) {
      const LegGait &left = g.legs[a], &right = g.legs[b];
      if (left.girdle != right.girdle || left.side == right.side || left.side == Side::none) continue;
      std::vector<std::pair<Print, bool>> prints;
      for (const LegGait* leg : {&left, &right})
        for (const int i : stride_starts(*leg)) {
          const Stance& s = leg->stances[i];
          const int f =
              int(std::lower_bound(motion.time.begin(), motion.time.end(), s.down) - motion.time.begin());
          prints.push_back({{s.down, level(s.at), t.heading[std::min(f, t.frames - 1)]}, leg == &left});
        }
      std::stable_sort(prints.begin(), prints.end(),
                       [](const auto& x, const auto& y) { return x.first.time < y.first.time; });
      for (size_t i = 0; i + 1 < prints.size(); ++i) {
        const auto& [from, from_left] = prints[i];
        const auto& [to, to_left] = prints[i + 1];
        // feet that come down together make no step
        if (from_left == to_left || to.time - from.time < GaitOptions().shortest) continue;
        const Vec3d way = to.at - from.at;
        steps.push_back(std::abs(dot(way, from.heading)));
        widths.push_back(std::abs(way.x * -from.heading.y + way.y * from.heading.x));
        if (i + 2 >= prints.size() || prints[i + 2].second == to_left) continue;
        const Vec3d back = from.at - to.at, on = prints[i + 2].first.at - to.at;
        if (norm(back) > 0 && norm(on) > 0)
          angles.push_back(std::acos(std::clamp(dot(back, on) / (norm(back) * norm(on)), -1.0, 1.0)));
      }
    }
  g.step_length = steps.empty() ? g.stride_length / 2 : mean(steps);
  g.step_width = mean(widths);
  g.pace_angulation = mean(angles);
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
  if (c.legs.empty())
    throw Error({}, "creature '" + c.name + "'", "has no legs, so no gait",
                "add a [[leg]] with name, hip and foot for each");

  Gait g;
  g.hip_height = hip_height(c);
  g.stances_from = !motion.contact_force.empty() ? StancesFrom::forces
                   : stance_channel(motion)      ? StancesFrom::plan
                                                 : StancesFrom::soles;
  const Track t = follow(motion);
  const std::vector<double> load = foot_loads(motion, t, options, g.hip_height);
  for (int k = 0; k < t.legs; ++k) {
    LegGait leg;
    leg.leg = c.legs[k].name;
    leg.side = c.legs[k].side;
    leg.girdle = c.legs[k].girdle;
    leg.stances = find_stances(motion, t, load, k, options.shortest, options.height_threshold * g.hip_height);
    describe_stances(motion, t, g.stances_from, k, leg.stances);
    measure_leg(leg);
    g.slip = std::max(g.slip, leg.slip);
    g.legs.push_back(leg);
  }
  for (const double depth : t.depth) g.penetration = std::max(g.penetration, depth);

  g.reference = reference_leg(c);
  std::vector<double> duty, times, lengths;
  for (LegGait& leg : g.legs) {
    leg.phase = measure_phase(leg, g.legs[g.reference]);
    if (std::isfinite(leg.duty_factor)) duty.push_back(leg.duty_factor);
    if (std::isfinite(leg.stride_time)) times.push_back(leg.stride_time);
    if (std::isfinite(leg.stride_length)) lengths.push_back(leg.stride_length);
  }
  g.duty_factor = mean(duty);
  g.stride_time = mean(times);
  g.stride_length = mean(lengths);
  measure_progress(motion, t, g);
  measure_support(motion, t, load, g);
  measure_trackway(motion, t, g);

  const std::vector<LinkFrame> standing = place(c, c.pose("stand"));
  std::vector<LegTiming> timing;
  for (int k = 0; k < t.legs; ++k)
    timing.push_back(
        {g.legs[k].leg, g.legs[k].side, standing[c.legs[k].hip].p.x, g.legs[k].phase, g.legs[k].duty_factor});
  g.name = gait_name(timing);
  return g;
}

bool has_fallen(const Motion& motion) {
  if (motion.status == Status::fell) return true;
  const Creature& c = motion.creature;
  if (motion.frames() == 0 || c.links.empty()) return false;
  const Model<double> model = make_model(c);
  Workspace<double> w(model);
  const int root = c.legs.empty() ? 0 : root_of(c, c.legs[0].hip);
  update_positions(model, c.pose("stand").data(), w);
  double lowest = w.p[root].z;
  for (const ContactPoint& point : c.contacts)
    lowest = std::min(lowest, point_position(w, point.link, point.pos).z - point.radius);
  const Mat3d standing = w.R[root];
  const double height = w.p[root].z - lowest;
  update_positions(model, &motion.q[size_t(motion.frames() - 1) * model.nq], w);
  // the vertical of the standing root, where it points now
  const Vec3d up = w.R[root] * transpose_times(standing, Vec3d{0, 0, 1}), p = w.p[root];
  return up.z < 0.5 || p.z - sample(motion.terrain, p.x, p.y).height < 0.4 * height;
}

void describe(Options& v, GaitOptions& o) {
  v.number("force_threshold", o.force_threshold,
           {0, 1, "1", "a foot is down when it carries more than this share of the weight"});
  v.number("height_threshold", o.height_threshold,
           {0, 1, "1", "without forces and plan: sole lower than this share of the hip height ..."});
  v.number("speed_threshold", o.speed_threshold,
           {0, 100, "1", "... and slower over ground than this share of the body's speed"});
  v.number("shortest", o.shortest, {0, 10, "s", "stances and swings shorter than this are chatter"});
}

}  // namespace legwork
