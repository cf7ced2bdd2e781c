#include "walk/stance_geometry.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "dynamics/dynamics.h"
#include "math/scalar.h"
#include "motion/support.h"

namespace legwork {

namespace {

constexpr double reach_tolerance = 0.06;  // hip heights: how far a foot may miss its path
constexpr double least_side = 0.39;       // hip heights: how far a foot stands to the side, at least
constexpr double least_stride = 0.06;     // hip heights: a shorter stride is no walk
constexpr double most_outside = 0.3;      // hip heights: how far the com may lie outside the standing feet

std::string length_text(double m) {
  char text[32];
  if (std::fabs(m) >= 1)
    std::snprintf(text, sizeof text, "%.3g m", m);
  else
    std::snprintf(text, sizeof text, "%.3g mm", 1000 * m);
  return text;
}

[[noreturn]] void fail(const Creature& c, const std::string& who, const std::string& problem,
                       const std::string& advice = {}) {
  throw Error(c.where, who.empty() ? "'" + c.name + "'" : who, problem, advice);
}

void check_legs(const Creature& c) {
  if (c.legs.empty())
    fail(c, "", "has no legs, so it cannot walk",
         "add [[leg]] entries: name = \"lf\", hip = \"a link\", foot = \"a link\"");
  if (c.legs.size() < 3)
    fail(c, "",
         "has " + std::to_string(c.legs.size()) + " leg" + (c.legs.size() > 1 ? "s" : "") +
             ", and walking by oscillators needs three or more to stand on",
         "give it more, or try legwork direct");
}

}  // namespace

double lifted_margin(const std::vector<Vec3d>& feet, const Vec3d& com, int& worst) {
  double least = unlimited;
  for (size_t lifted = 0; lifted < feet.size(); ++lifted) {
    std::vector<Vec3d> rest;
    for (size_t i = 0; i < feet.size(); ++i)
      if (i != lifted) rest.push_back(feet[i]);
    const double margin = support_margin(convex_hull_2d(rest), com);
    if (margin < least) least = margin, worst = int(lifted);
  }
  return least;
}

StanceGeometry measure(const Creature& c, const LegKinematics& kinematics) {
  check_legs(c);
  StanceGeometry stand;
  double hips = 0;
  stand.ground = 0;
  std::vector<Vec3d> soles;
  for (const Leg& leg : c.legs) {
    const Vec3d sole = kinematics.sole(leg);
    soles.push_back(sole);
    hips += kinematics.w.p[size_t(leg.hip)].z / double(c.legs.size());
    stand.ground += sole.z / double(c.legs.size());
    stand.dofs.push_back(leg_dofs(c, leg));
    if (stand.dofs.back().size() < 2)
      fail(c, "leg '" + leg.name + "'",
           "has " + std::to_string(stand.dofs.back().size()) +
               " degrees of freedom from hip to foot, and lifting and swinging a foot needs two",
           "name a hip further up, or add a joint");
  }
  stand.hip_height = hips - stand.ground;
  double size = 0;
  for (const Vec3d& s : soles)
    for (const Vec3d& t : soles) size = std::max(size, norm(s - t));
  if (!(stand.hip_height > 0.02 * size))
    fail(c, "",
         "stands with its hips " + length_text(stand.hip_height) + " above its soles, feet " +
             length_text(size) + " apart: legs that flat cannot lift it",
         "give it a [[pose]] named \"stand\" with the feet lower");
  stand.com = center_of_mass(kinematics.model, kinematics.w);
  stand.mass = total_mass(kinematics.model);
  for (Vec3d& s : soles) s.z = stand.ground;
  stand.home = stand.moved = soles;
  stand.droop.assign(c.legs.size(), 0);  // the springs made here rest on the posture when in the air
  return stand;
}

namespace {

// Moves every home by its shift, by as much of it as every leg can reach.
void move_homes(const Creature& c, LegKinematics& kinematics, const std::vector<Vec3d>& shifts,
                StanceGeometry& stand) {
  const double h = stand.hip_height;
  for (double part = 1; part > 0.05; part *= 0.7) {
    bool all = true;
    for (size_t i = 0; i < c.legs.size() && all; ++i) {
      std::vector<double> q = kinematics.stand;
      all = kinematics.reach(c.legs[i], stand.dofs[i], stand.home[i] + shifts[i] * part, h, q) <
            reach_tolerance * h;
    }
    if (!all) continue;
    for (size_t i = 0; i < c.legs.size(); ++i) stand.home[i] = stand.home[i] + shifts[i] * part;
    break;
  }
}

// Feet of narrow bodies stand wider, so that tall ones do not tip over the diagonal.
void widen_homes(const Creature& c, LegKinematics& kinematics, StanceGeometry& stand) {
  std::vector<Vec3d> shifts;
  for (const Vec3d& home : stand.home) {
    const double y = home.y - stand.com.y, short_of = least_side * stand.hip_height - std::fabs(y);
    const bool narrow =
        short_of > 0 && std::fabs(y) > 0.02 * stand.hip_height;  // legs in the middle stay there
    shifts.push_back({0, narrow ? std::copysign(short_of, y) : 0, 0});
  }
  move_homes(c, kinematics, shifts, stand);
}

}  // namespace

void shift_homes(const Creature& c, LegKinematics& kinematics, StanceGeometry& stand) {
  const double h = stand.hip_height;
  int worst = 0;
  double best = lifted_margin(stand.home, stand.com, worst);
  Vec3d shift;
  for (int round = 0; round < 3; ++round) {
    const double grid = (round == 0 ? 0.1 : round == 1 ? 0.03 : 0.01) * h;
    const Vec3d middle = shift;
    for (int i = -4; i <= 4; ++i)
      for (int k = -4; k <= 4; ++k) {
        const Vec3d s = middle + Vec3d(i * grid, k * grid, 0);
        std::vector<Vec3d> feet = stand.home;
        for (Vec3d& f : feet) f = f + s;
        int leg = 0;
        const double margin = lifted_margin(feet, stand.com, leg) - 0.02 * norm(s);
        if (margin > best + 1e-9 * h) best = margin, shift = s;
      }
  }
  move_homes(c, kinematics, std::vector<Vec3d>(c.legs.size(), shift), stand);
}

void place_homes(const Creature& c, LegKinematics& kinematics, StanceGeometry& stand) {
  const double h = stand.hip_height;
  widen_homes(c, kinematics, stand);
  shift_homes(c, kinematics, stand);
  // a foot that cannot come down to the others' ground stays where it gets
  for (size_t i = 0; i < c.legs.size(); ++i) {
    std::vector<double> q = kinematics.stand;
    const double miss = kinematics.reach(c.legs[i], stand.dofs[i], stand.home[i], h, q);
    if (miss > 0.3 * h)
      fail(c, "leg '" + c.legs[i].name + "'",
           "ends " + length_text(miss) + " from the ground that the other feet stand on (hips " +
               length_text(h) + " high)",
           "give it a [[pose]] named \"stand\" in which all feet are level, or make it longer");
    stand.home[i] = kinematics.sole(c.legs[i]);
  }
}

namespace {

// How far a leg misses a path of this stride and lift around a home.
double miss_of(const Creature& c, LegKinematics& kinematics, const StanceGeometry& stand, size_t i,
               const Vec3d& home, double stride, double lift) {
  double worst = 0;
  std::vector<double> q = kinematics.stand;
  kinematics.reach(c.legs[i], stand.dofs[i], home, stand.hip_height, q);
  for (const Vec3d& to : {Vec3d(0.5 * stride, 0, 0), Vec3d(0, 0, lift), Vec3d(-0.5 * stride, 0, 0)}) {
    const Vec3d goal = home + to;
    worst = std::max(worst, kinematics.reach(c.legs[i], stand.dofs[i], goal, stand.hip_height, q));
  }
  return worst;
}

}  // namespace

double worst_miss(const Creature& c, LegKinematics& kinematics, StanceGeometry& stand, double stride,
                  double lift, int& leg) {
  double worst = 0;
  std::vector<Vec3d> hips;
  kinematics.set(kinematics.stand);
  for (const Leg& l : c.legs) hips.push_back(kinematics.w.p[size_t(l.hip)]);
  for (size_t i = 0; i < c.legs.size(); ++i) {
    Vec3d best_home = stand.home[i];
    double best = unlimited;
    for (const double shift : {0.0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75})
      for (const double inward : {0.0, 0.2, 0.4}) {
        const Vec3d way_in = hips[i] - stand.home[i];
        const double far = std::max(hypot(way_in.x, way_in.y), 1e-9);
        const Vec3d home = stand.home[i] + Vec3d(shift * stride, 0, 0) +
                           Vec3d(way_in.x, way_in.y, 0) * std::min(inward * stand.hip_height / far, 0.5);
        const double miss = best < 0.05 * stride
                                ? unlimited
                                : miss_of(c, kinematics, stand, i, home, stride, lift + stand.droop[i]);
        if (miss < 0.8 * best) best = miss, best_home = home;
      }
    if (best > worst) worst = best, leg = int(i);
    stand.moved[i] = best_home;
  }
  return worst;
}

namespace {

// The stride in hip heights for a body with this number of legs.
double usual_stride(size_t legs) { return legs >= 6 ? 0.5 : legs > 3 ? 0.4 : 0.2; }

// Throws Error for a body that would fall over the feet that stand before the next one catches it.
void check_margin(const Creature& c, const StanceGeometry& stand) {
  const Geometry& g = stand.geometry;
  if (g.margin < -most_outside * stand.hip_height)
    fail(c, "leg '" + g.weakest + "'",
         "leaves the centre of mass " + length_text(-g.margin) +
             " outside of the feet that stand when it steps, too far to be caught by the next (hips " +
             length_text(stand.hip_height) + " high)",
         "add a pose that stands around it: [[pose]] name = \"stand\", joints = { " +
             c.links[size_t(c.legs[0].hip)].joints[0].name + " = 20 }");
}

}  // namespace

void choose_stride(const Creature& c, LegKinematics& kinematics, const ProgramOptions& options,
                   StanceGeometry& stand) {
  const double h = stand.hip_height;
  double stride = options.stride > 0 ? options.stride : usual_stride(c.legs.size()) * h;
  double lift = options.lift > 0 ? options.lift : (c.legs.size() >= 6 ? 0.15 : 0.1) * h;
  int leg = 0;
  for (int round = 0; round < 24; ++round) {
    const double miss = worst_miss(c, kinematics, stand, stride, lift, leg);
    if (miss < 0.15 * stride + 0.02 * h) break;
    if (options.stride > 0)
      fail(c, "leg '" + c.legs[size_t(leg)].name + "'",
           "misses a stride of " + length_text(stride) + " with a lift of " + length_text(lift) + " by " +
               length_text(miss),
           "try a shorter --stride");
    stride *= 0.85;
    if (options.lift <= 0) lift *= 0.93;
    if (stride < least_stride * h)
      fail(c, "leg '" + c.legs[size_t(leg)].name + "'",
           "can carry its foot less than " + length_text(stride) + " along the body and " +
               length_text(lift) + " up (hips stand " + length_text(h) + " high)",
           "it needs wider joint ranges, another pose \"stand\", or a joint that swings it forward");
  }
  stand.home = stand.moved;
  int worst = 0;
  stand.geometry.margin = lifted_margin(stand.home, stand.com, worst);
  stand.geometry.weakest = c.legs[size_t(worst)].name;
  stand.geometry.hip_height = h;
  stand.geometry.stride = stride;
  stand.geometry.lift = lift;
  check_margin(c, stand);
}

}  // namespace legwork
