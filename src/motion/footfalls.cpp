#include "motion/footfalls.h"

#include <algorithm>
#include <cmath>

#include "creature/tree.h"
#include "dynamics/dynamics.h"
#include "ground/terrain.h"
#include "motion/stance_channel.h"

namespace legwork {

namespace {

Vec3d level(const Vec3d& v) { return {v.x, v.y, 0}; }

}  // namespace

GaitTrack follow(const Motion& motion) {
  const Creature& c = motion.creature;
  const Model<double> model = make_model(c);
  Workspace<double> w(model);
  const int root = root_of(c, c.legs[0].hip);
  GaitTrack t;
  t.frames = motion.frames();
  t.legs = int(c.legs.size());
  t.sites = int(c.contacts.size());
  for (const ContactPoint& point : c.contacts) {
    int leg = -1;
    for (int k = 0; k < t.legs; ++k)
      if (is_below(c, point.link, c.legs[k].foot)) leg = k;
    t.leg_of_site.push_back(leg);
  }
  std::vector<Vec3d> touched(size_t(t.sites));  // of each contact point, where the ground met it a frame ago
  for (int f = 0; f < t.frames; ++f) {
    const double *q = &motion.q[size_t(f) * model.nq], *v = &motion.v[size_t(f) * model.nv];
    update_positions(model, q, w);
    update_velocities(model, q, v, w);
    t.com.push_back(center_of_mass(model, w));
    const Vec3d forward = level(w.R[root].column(0));
    t.forward.push_back(norm(forward) > 1e-6 ? normalized(forward) : Vec3d{1, 0, 0});
    for (const Leg& leg : c.legs) t.sole.push_back(point_position(w, leg.foot, leg.sole));
    for (int s = 0; s < t.sites; ++s) {
      const ContactPoint& point = c.contacts[size_t(s)];
      const Vec3d center = point_position(w, point.link, point.pos);
      const GroundSample ground = sample(motion.terrain, center.x, center.y);
      const Vec3d n = ground.normal, arm = w.R[point.link] * point.pos - n * point.radius;
      const Vec3d velocity = shift(w.vel[point.link], arm).lin;
      t.site.push_back(center - n * point.radius);
      t.depth.push_back((ground.height - center.z) * n.z + point.radius);
      t.slide.push_back(velocity - n * dot(n, velocity));
      const Vec3d way = f > 0 ? point_position(w, point.link, touched[size_t(s)]) -
                                    t.site[t.site.size() - 1 - size_t(t.sites)]
                              : Vec3d();
      t.moved.push_back(way - n * dot(n, way));
      touched[size_t(s)] = point.pos - transpose_times(w.R[point.link], n * point.radius);
    }
  }
  return t;
}

StancesFrom stances_source(const Motion& motion) {
  return !motion.contact_force.empty() ? StancesFrom::forces
         : stance_channel(motion)      ? StancesFrom::plan
                                       : StancesFrom::soles;
}

std::vector<double> foot_loads(const Motion& motion, const GaitTrack& t, const GaitOptions& o, double hips) {
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

namespace {

// Time at which the load passes zero between frames f - 1 and f.
double crossing(const Motion& motion, double before, double after, int f) {
  const double share = before == after ? 0.5 : before / (before - after);
  return motion.time[f - 1] + std::clamp(share, 0.0, 1.0) * (motion.time[f] - motion.time[f - 1]);
}

// Every touch of a leg, however short.
std::vector<Stance> find_touches(const Motion& motion, const GaitTrack& t, const std::vector<double>& load,
                                 int leg) {
  auto at = [&](int f) { return load[size_t(f) * t.legs + leg]; };
  std::vector<Stance> touches;
  const int frames = motion.frames();
  for (int f = 0; f < frames; ++f) {
    if (at(f) <= 0) continue;
    Stance s;
    s.starts = f > 0;
    s.down = f > 0 ? crossing(motion, at(f - 1), at(f), f) : motion.time[0];
    while (f < frames && at(f) > 0) ++f;
    s.ends = f < frames;
    s.up = f < frames ? crossing(motion, at(f - 1), at(f), f) : motion.time.back();
    touches.push_back(s);
  }
  return touches;
}

// What is too short to be a swing or a stance.
struct Chatter {
  double swing = 0, stance = 0;  // s
  double way = 0;  // m: a foot that neither rises nor goes further takes no step, though it may bear nothing
};

std::vector<Stance> without_chatter(const Motion& motion, const GaitTrack& t, int leg,
                                    const std::vector<Stance>& touches, const Chatter& chatter) {
  const auto stayed = [&](double from, double to) {
    const auto frame = [&](double time) {
      return int(std::lower_bound(motion.time.begin(), motion.time.end(), time) - motion.time.begin());
    };
    const int last = std::min(frame(to), t.frames - 1), first = std::min(frame(from), last);
    for (int f = first; f <= last; ++f)
      if (norm(t.sole[size_t(f) * t.legs + leg] - t.sole[size_t(first) * t.legs + leg]) > chatter.way)
        return false;
    return true;
  };
  std::vector<Stance> stances;
  for (const Stance& s : touches) {
    // a gap too short to be a swing joins two stances
    if (!stances.empty() &&
        (s.down - stances.back().up < chatter.swing || stayed(stances.back().up, s.down))) {
      stances.back().up = s.up;
      stances.back().ends = s.ends;
    } else {
      stances.push_back(s);
    }
  }
  std::erase_if(stances,
                [&](const Stance& s) { return s.starts && s.ends && s.up - s.down < chatter.stance; });
  return stances;
}

// Place, slip and depth of each stance of a leg. Velocities of a simulation tell what a point does between
// frames; those of a drawn motion are differences of frames, and at the ends of a stance they hold some of
// the swing, so there the frames themselves tell how far a point went.
void describe_stances(const Motion& motion, const GaitTrack& t, StancesFrom from, int leg,
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
          way[k] += from == StancesFrom::plan
                        ? t.moved[i]
                        : (t.slide[i] + t.slide[i - t.sites]) * (0.5 * (motion.time[f] - motion.time[f - 1]));
        touched = std::max(touched, norm(way[k]));
      }
      if (f > first)
        sole_way += norm(level(t.sole[size_t(f) * t.legs + leg] - t.sole[size_t(f - 1) * t.legs + leg]));
    }
    s.slip = sites && from != StancesFrom::soles ? touched : sole_way;
  }
}

}  // namespace

double usual_stride(const std::vector<Stance>& stances) {
  std::vector<double> times;
  double last = unknown, sum = 0;
  for (const Stance& s : stances) {
    if (!s.starts) continue;
    if (std::isfinite(last)) times.push_back(s.down - last), sum += times.back();
    last = s.down;
  }
  std::sort(times.begin(), times.end());
  double before = 0;
  for (const double time : times)
    if ((before += time) >= 0.5 * sum) return time;
  return unknown;
}

double usual_stride(const std::vector<std::vector<Stance>>& legs) {
  std::vector<double> times;
  for (const std::vector<Stance>& stances : legs)
    if (const double time = usual_stride(stances); std::isfinite(time)) times.push_back(time);
  std::sort(times.begin(), times.end());
  return times.empty() ? unknown : times[times.size() / 2];
}

// Chatter is distinguished from steps by the stride time, and the stride time by the touches that are no
// chatter. So both are found in turn, from the least that can be a step at all, until nothing more is
// chatter.
std::vector<std::vector<Stance>> find_stances(const Motion& motion, const GaitTrack& t,
                                              const std::vector<double>& load, const GaitOptions& o,
                                              double hips) {
  // legs are pendulums: no foot lifts or lands within a tenth of sqrt(h / g)
  const double pendulum = hips > 0 && motion.gravity > 0 ? std::sqrt(hips / motion.gravity) : 0;
  const double least = std::max(o.shortest, o.chatter > 0 ? 0.1 * pendulum : 0);
  Chatter chatter{least, least, o.height_threshold * hips};
  // a wave has the shortest swings of all gaits, one leg after the other
  const double swing_share = std::min(o.chatter, 0.5 / t.legs), stance_share = 0.5 * o.chatter;
  std::vector<std::vector<Stance>> touches, legs(size_t(t.legs));
  for (int k = 0; k < t.legs; ++k) touches.push_back(find_touches(motion, t, load, k));
  for (;;) {
    for (int k = 0; k < t.legs; ++k)
      legs[size_t(k)] = without_chatter(motion, t, k, touches[size_t(k)], chatter);
    const double stride = usual_stride(legs);
    if (!(stride * swing_share > chatter.swing || stride * stance_share > chatter.stance)) break;
    chatter.swing = std::max(chatter.swing, stride * swing_share);
    chatter.stance = std::max(chatter.stance, stride * stance_share);
  }
  for (int k = 0; k < t.legs; ++k) describe_stances(motion, t, stances_source(motion), k, legs[size_t(k)]);
  return legs;
}

}  // namespace legwork
