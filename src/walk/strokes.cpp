#include "walk/strokes.h"

#include <algorithm>
#include <cmath>

#include "dynamics/dynamics.h"

namespace legwork {

namespace {

// Points of a foot's way in a step: share of the time, of the stride (from -1/2, behind), of the lift.
struct Via {
  double time, along, up;
};
constexpr Via step_vias[] = {{0.2, -0.42, 0.75}, {0.5, 0, 1}, {0.8, 0.42, 0.6}, {1, 0.5, 0}};
constexpr Via stance_vias[] = {{0.25, 0.25, 0}, {0.5, 0, 0}, {0.75, -0.25, 0}, {1, -0.5, 0}};

constexpr double most_stride = 0.74;  // hip heights: longest stride where the programs are the body's own
constexpr double own_lift = 0.25;     // hip heights: lift of a foot where the springs are the body's own

// Postures along a foot's path; along: the stroke, level, as long as the stride.
template <size_t count>
std::vector<std::vector<double>> postures(LegKinematics& kinematics, const Leg& leg, size_t i,
                                          const StanceGeometry& stand, const Vec3d& along,
                                          const Via (&vias)[count], double lift) {
  std::vector<std::vector<double>> out;
  for (const Via& via : vias) {
    const Vec3d goal = stand.home[i] + along * via.along + Vec3d(0, 0, via.up * lift);
    std::vector<double> q = kinematics.stand;
    kinematics.follow(leg, stand.dofs[i], goal, stand.hip_height, q);
    out.push_back(kinematics.x(q));
  }
  return out;
}

// Moves through the points of a path; bend: how far the springs are bent, for each of the dofs.
template <size_t count>
std::vector<Stroke> strokes_through(const std::vector<int>& dofs,
                                    const std::vector<std::vector<double>>* rests,
                                    const std::vector<double>& bend, const Via (&vias)[count]) {
  std::vector<Stroke> program;
  for (size_t v = 0; v < count; ++v)
    for (size_t k = 0; k < dofs.size(); ++k) {
      const size_t d = size_t(dofs[k]);
      program.push_back({dofs[k], v == 0 ? 0 : vias[v - 1].time, vias[v].time, rests[0][v][d] + bend[k],
                         rests[1][v][d] - rests[0][v][d], rests[2][v][d] - rests[0][v][d]});
    }
  return program;
}

}  // namespace

HomeCircle home_circle(const std::vector<Vec3d>& homes) {
  const double n = double(homes.size());
  HomeCircle circle;
  for (const Vec3d& home : homes) circle.middle = circle.middle + home * (1.0 / n);
  for (const Vec3d& home : homes) circle.radius += norm(home - circle.middle) / n;
  return circle;
}

FootWays foot_ways(LegKinematics& kinematics, const Leg& leg, size_t i, const StanceGeometry& stand,
                   double stride, double lift, const Vec3d& arm, double radius) {
  // turning left the foot goes right around the middle, seen from the body
  const Vec3d along[] = {Vec3d(), Vec3d(stride, 0, 0),
                         Vec3d(-arm.y, arm.x, 0) * (stride / std::max(radius, 1e-12))};
  FootWays ways;
  for (int k = 0; k < 3; ++k) {
    ways.stance[k] = postures(kinematics, leg, i, stand, along[k], stance_vias, 0);
    ways.step[k] = postures(kinematics, leg, i, stand, along[k], step_vias, lift);
  }
  return ways;
}

void set_strokes(const FootWays& ways, const std::vector<double>& bend, WalkLeg& leg) {
  leg.stance = strokes_through(leg.dofs, ways.stance, bend, stance_vias);
  leg.step = strokes_through(leg.dofs, ways.step, std::vector<double>(bend.size(), 0), step_vias);
  leg.down.clear(), leg.up.clear();
  for (size_t k = 0; k < leg.dofs.size(); ++k) {
    const size_t d = size_t(leg.dofs[k]);
    leg.down.push_back(ways.step[1].back()[d] + bend[k]);
    leg.up.push_back(ways.stance[1].back()[d] + bend[k]);
  }
}

namespace {

// Homes for a body that stands on springs of its own: as low as lets legs that stand almost straight reach
// their strokes where lifting any one leg is safest. Returns the stroke that all can follow.
double crouch(const Creature& c, LegKinematics& kinematics, double wanted, StanceGeometry& stand) {
  const std::vector<Vec3d> standing = stand.home;
  const double lift = own_lift * stand.hip_height;
  double best = -unlimited, way = wanted;
  std::vector<Vec3d> homes;
  for (const double low : {0.0, 0.1, 0.2, 0.3}) {
    stand.home = standing;
    for (Vec3d& home : stand.home) home.z += low * stand.hip_height;
    shift_homes(c, kinematics, stand);
    stand.moved = stand.home;
    double reached = wanted;
    int leg = 0;
    for (int round = 0; round < 16; ++round, reached *= 0.85)
      if (worst_miss(c, kinematics, stand, reached, lift, leg) < 0.15 * std::fabs(reached)) break;
    const double margin = lifted_margin(stand.moved, stand.com, leg);
    double aside = 0;
    for (size_t i = 0; i < stand.home.size(); ++i)
      aside += norm(stand.moved[i] - stand.home[i]) / double(stand.home.size());
    const double score = margin + std::fabs(reached) - aside - 0.1 * low * stand.hip_height;
    if (score > best) best = score, way = reached, homes = stand.moved;
  }
  stand.home = homes;
  return way;
}

// Where the sole is when the joints are moved by v from where they stand.
Vec3d sole_moved(const Leg& leg, const std::vector<double>& v, LegKinematics& kinematics) {
  std::vector<double> q = kinematics.stand;
  integrate_positions(kinematics.model, q.data(), v.data(), 1.0, q.data());
  kinematics.set(q);
  return kinematics.sole(leg);
}

// The longest of the ways that the feet go back by the body's own programs, m.
double longest_way(const Creature& c, const WalkBody& body, LegKinematics& kinematics) {
  double way = 0;
  for (size_t i = 0; i < body.legs.size(); ++i) {
    const WalkLeg& leg = body.legs[i];
    const auto sole_at = [&](const std::vector<double>& rest) {
      std::vector<double> v(size_t(kinematics.model.nv), 0);
      for (size_t k = 0; k < leg.dofs.size(); ++k)
        v[size_t(leg.dofs[k])] = rest[k] - 0.5 * (leg.down[k] + leg.up[k]);
      return sole_moved(c.legs[i], v, kinematics);
    };
    way = std::max(way, sole_at(leg.down).x - sole_at(leg.up).x);
  }
  return way;
}

// How far a leg without load stretches below its home to where its springs rest, toes and all, m.
double droop_of(const Creature& c, const Leg& leg, const WalkLeg& programs, const Vec3d& home,
                LegKinematics& kinematics) {
  const std::vector<double> x0 = kinematics.x(kinematics.stand);
  const std::vector<const Dof*> dofs = c.dofs();
  std::vector<double> v(x0.size(), 0);
  for (const int d : leg_dofs(c, leg))
    if (dofs[size_t(d)]->spring.type != SpringType::none)
      v[size_t(d)] = dofs[size_t(d)]->spring.rest - x0[size_t(d)];
  for (size_t k = 0; k < programs.dofs.size(); ++k) {
    const size_t d = size_t(programs.dofs[k]);
    v[d] = 0.5 * (programs.down[k] + programs.up[k]) - x0[d];
  }
  return std::max(home.z - sole_moved(leg, v, kinematics).z, 0.0);
}

}  // namespace

void align_strokes(const Creature& c, const std::vector<double>& standing, WalkBody& body) {
  LegKinematics kinematics(c);
  kinematics.stand = standing;
  kinematics.set(standing);
  StanceGeometry stand;
  const size_t n = body.legs.size();
  for (size_t i = 0; i < n; ++i) {
    stand.dofs.push_back(body.legs[i].dofs);
    stand.home.push_back(kinematics.sole(c.legs[i]));
    stand.hip_height += (kinematics.w.p[size_t(c.legs[i].hip)].z - stand.home[i].z) / double(n);
  }
  stand.com = center_of_mass(kinematics.model, kinematics.w);
  const double longest = longest_way(c, body, kinematics);
  for (size_t i = 0; i < n; ++i)
    stand.droop.push_back(droop_of(c, c.legs[i], body.legs[i], stand.home[i], kinematics));
  const double way = crouch(c, kinematics, std::min(longest, most_stride * stand.hip_height), stand);
  body.stride = std::fabs(way);
  const HomeCircle circle = home_circle(stand.home);
  for (size_t i = 0; i < n; ++i) {
    WalkLeg& leg = body.legs[i];
    const FootWays ways =
        foot_ways(kinematics, c.legs[i], i, stand, way, own_lift * stand.hip_height + stand.droop[i],
                  stand.home[i] - circle.middle, circle.radius);
    set_strokes(ways, std::vector<double>(leg.dofs.size(), 0), leg);
  }
  find_homes(c, standing, body);
  const Vec3d trunk = kinematics.stand_origin(body.trunk);
  for (size_t i = 0; i < n; ++i) body.legs[i].home = stand.home[i] - trunk;
}

}  // namespace legwork
