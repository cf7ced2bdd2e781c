// The start on ground of any form: the pose bent so that the feet's contact points lie on it.

#include <algorithm>
#include <cmath>

#include "creature/place.h"
#include "creature/tree.h"
#include "direct/director.h"
#include "dynamics/dynamics.h"

namespace legwork {

namespace {

// Contact points of soles at most 0.1 m above the ground: higher ones are not meant to stand.
std::vector<int> soles_near_ground(const System<double>& system, const Workspace<double>& w,
                                   const std::vector<char>& sole) {
  constexpr double near = 0.1;  // m
  std::vector<int> sites;
  for (size_t i = 0; i < sole.size(); ++i) {
    const ContactSite<double>& site = system.contacts.sites[i];
    const Vec3d p = point_position(w, site.link, site.pos);
    if (sole[i] && -ground_depth(system.world.terrain, p, site.radius).depth < near) sites.push_back(int(i));
  }
  return sites;
}

// No move takes a joint at x out of its range.
void keep_ranges(const std::vector<double>& x, const std::vector<double>& lower,
                 const std::vector<double>& upper, QuadraticProblem& problem) {
  for (size_t j = 0; j < x.size(); ++j) {
    if (std::isfinite(lower[j])) problem.add_inequality(lower[j] - x[j], int(j))[j] = 1;
    if (std::isfinite(upper[j])) problem.add_inequality(x[j] - upper[j], int(j))[j] = -1;
  }
}

}  // namespace

// In the pose called stand: contact points of a foot, or of a link beyond it, that are hardly higher than its
// lowest one.
void Director::find_soles() {
  const Creature& body = system_.world.body;
  const std::vector<LinkFrame> at = place(body, body.pose("stand"));
  const auto height = [&](const ContactSite<double>& site) {
    return (at[size_t(site.link)].p + at[size_t(site.link)].R * site.pos).z - site.radius;
  };
  sole_.assign(system_.contacts.sites.size(), 0);
  for (const Leg& leg : body.legs) {
    double lowest = unlimited;
    for (const ContactSite<double>& site : system_.contacts.sites)
      if (beyond(site.link, leg.foot)) lowest = std::min(lowest, height(site));
    const double close = 0.002 * std::abs(at[0].p.z - lowest);
    for (size_t i = 0; i < sole_.size(); ++i)
      if (const ContactSite<double>& site = system_.contacts.sites[i];
          beyond(site.link, leg.foot) && site.moves && height(site) <= lowest + close)
        sole_[i] = 1;
  }
}

// The pose called stand is meant for the ground: every tree with legs is raised or lowered until its lowest
// point is on it, whatever its form. All else starts where the file says.
void Director::put_on_ground() {
  const Creature& body = system_.world.body;
  const Model<double>& m = system_.model;
  if (system_.world.terrain.type == TerrainType::none) return;
  std::vector<int> roots;
  for (const Leg& leg : body.legs)
    if (const int root = root_of(body, leg.foot); std::find(roots.begin(), roots.end(), root) == roots.end())
      roots.push_back(root);
  for (const int root : roots) {
    const std::vector<double> up = rising_velocity(body, q_, root), q(q_);
    if (up.empty()) continue;
    const auto height = [&](double rise) {
      integrate_positions(m, q.data(), up.data(), rise, q_.data());
      update_positions(m, q_.data(), w_);
      return clearance(root);
    };
    double low = -1, high = 1;
    while (height(low) > 0 && low > -1e6) low *= 2;
    while (height(high) < 0 && high < 1e6) high *= 2;
    for (int i = 0; i < 100; ++i) {
      const double middle = 0.5 * (low + high);
      (height(middle) < 0 ? low : high) = middle;
    }
    height(high);
    if (std::abs(high) > std::abs(raised)) raised = high;
  }
}

// Newton steps of a small problem: soles that are near the ground go onto it and none into it, feet keep
// their places seen from above, joints their ranges; the rest stays near the pose.
void Director::stand_on_ground() {
  const Creature& body = system_.world.body;
  const Model<double>& m = system_.model;
  const int nv = m.nv;
  const double per_area = 1 / (units_.length * units_.length);
  constexpr double far_turn = 0.3;  // rad: a round turns no joint further
  update_positions(m, q_.data(), w_);
  const std::vector<int> sites = soles_near_ground(system_, w_, sole_);
  if (sites.empty()) return;
  const std::vector<double> pose = q_;
  std::vector<Vec3d> place(body.links.size());
  for (const Leg& leg : body.legs) place[size_t(leg.foot)] = point_position(w_, leg.foot, leg.sole);
  std::vector<double> row(size_t(nv), 0), back(size_t(nv), 0), move(size_t(nv), 0);
  const auto point_row = [&](int link, const Vec3d& at, const Vec3d& along) {
    std::fill(row.begin(), row.end(), 0);
    wrench_row(link, {cross(w_.R[size_t(link)] * at, along), along}, 1, row.data());
  };
  // the pose counts less from round to round: in the end every foot that can stands
  double keep = 1e-3;
  for (int round = 0; round < 20; ++round, keep *= 0.5) {
    update_state();
    scratch_.clear(nv);
    scratch_.dependent = 1e-9, scratch_.tolerance = 1e-7;
    for (const int i : sites) {
      const ContactSite<double>& site = system_.contacts.sites[size_t(i)];
      const GroundDepth ground =
          ground_depth(system_.world.terrain, point_position(w_, site.link, site.pos), site.radius);
      point_row(site.link, site.pos, ground.normal);
      scratch_.add_cost(row.data(), ground.depth, 100 * per_area);
      std::copy_n(row.data(), nv, scratch_.add_inequality(ground.depth, i));
    }
    for (const Leg& leg : body.legs) {
      const Vec3d off = place[size_t(leg.foot)] - point_position(w_, leg.foot, leg.sole);
      for (int k = 0; k < 2; ++k) {
        point_row(leg.foot, leg.sole, k == 0 ? Vec3d(1, 0, 0) : Vec3d(0, 1, 0));
        scratch_.add_cost(row.data(), off[k], 0.1 * per_area);
      }
    }
    difference_positions(m, q_.data(), pose.data(), back.data());
    for (int j = 0; j < nv; ++j) {
      std::fill(row.begin(), row.end(), 0);
      row[size_t(j)] = 1;
      scratch_.add_cost(row.data(), back[size_t(j)], keep);
    }
    keep_ranges(x_, lower_, upper_, scratch_);
    if (scratch_.solve(move.data()) != QuadraticOutcome::solved) break;
    double most = 0;
    for (const double x : move) most = std::max(most, std::abs(x));
    integrate_positions(m, q_.data(), move.data(), most > far_turn ? far_turn / most : 1, q_.data());
    if (most < 1e-9) break;
  }
  update_state();
}

}  // namespace legwork
