#include <algorithm>
#include <cmath>

#include "modes/planted_parts.h"

namespace legwork {

namespace {

constexpr double off_ground = 5e-4;   // hip heights: the rear of a foot on its toes is at least so high
constexpr double most_slip = 5e-4;    // m of a planted point in a stance ...
constexpr double most_sink = 6e-4;    // ... and under the ground
constexpr double most_stretch = 1.5;  // times their own swing that modes may swing legs for a lively gait
constexpr int far = 12;               // a cycle that all closed paths begin with

// Rises from 0 and falls back to 0 with its slope zero at both ends; 1 in the middle.
double hop(double s) { return 64 * s * s * s * (1 - s) * (1 - s) * (1 - s); }

}  // namespace

// The modes' angle from within the limits, where they still give way; the knee a little folded, so that it
// folds the right way.
double PlantedGait::Parts::wish(const LimbLeg& leg, int dof) const {
  const SoftLimit& limit = limits[size_t(dof)];
  const double angle = limit(y[size_t(dof)]);
  if (dof != leg.knee_dof) return angle;
  const double room = std::min(0.3, 0.3 * (limit.upper - limit.lower));
  SoftLimit inner{limit.lower, limit.upper, 0.8 * room};
  (leg.knee_sign > 0 ? inner.lower : inner.upper) += leg.knee_sign * room;
  return inner(angle);
}

// Where each foot stands from one time to another: under its modes' place in the middle of the stance, as
// the ground there lies.
void PlantedGait::Parts::put_plants(double from, double to) {
  for (size_t l = 0; l < legs.size(); ++l) {
    plants[l].clear();
    long first, last;
    share(l, from, first), share(l, to, last);
    for (long cycle = first; cycle <= last; ++cycle) {
      const double t = (double(cycle) + phase[l] + 0.5 * options.duty) / options.hz;
      const LinkFrame along = path(t);
      const LimbLeg& leg = limbs.legs[l];
      Vec3d spot;
      if (life) {
        spot = along * life->problem.legs[l].foot;
      } else {
        modal(t);
        spot = point_position(w, leg.foot, leg.point) - along.R.column(1) * sideways(t);
      }
      GroundSample g;
      if (terrain.type != TerrainType::none) g = sample(terrain, spot.x, spot.y);
      Plant plant;
      plant.ground = tilt_to(g.normal, 1) * along.R;
      plant.foot.R = plant.ground * rest_foot[l].R;
      plant.foot.p = Vec3d{spot.x, spot.y, g.height} + g.normal * leg.height;
      // on uneven ground: on what is highest under it
      if (terrain.type == TerrainType::steps || terrain.type == TerrainType::field)
        plant.foot.p.z += std::max(0.0, legs[l].depth(plant.foot, terrain));
      plants[l][cycle] = plant;
    }
  }
}

double PlantedGait::Parts::depth_of(const ContactPoint& point) const {
  const Vec3d p = point_position(w, point.link, point.pos);
  return terrain.type == TerrainType::none ? point.radius - p.z
                                           : ground_depth(terrain, p, point.radius).depth;
}

// What leg l is to do at a time for which modal() has posed the body.
LegDemand PlantedGait::Parts::demand_of(size_t l, double t) const {
  // planted a little longer than it stands, so that its stance is clean from end to end
  long cycle;
  const double period = 1 / options.hz;
  const double u = share(l, t + stance_edge * period, cycle), planted = options.duty + 2 * stance_edge;
  const size_t carrier = size_t(legs[l].body().carrier);
  LegDemand demand;
  demand.carrier = {w.R[carrier], w.p[carrier]};
  demand.planted = u < planted;
  demand.rear_planted = u < options.heel * planted;
  demand.plant = plants[l].at(cycle).foot, demand.ground = plants[l].at(cycle).ground;
  demand.stance = int(cycle);
  demand.clearance = off_ground * length;
  if (!demand.planted) demand.clearance = options.clearance * length * hop((u - planted) / (1 - planted));
  return demand;
}

// Solves all legs; returns their worst slip or sink as a share of what is allowed.
double PlantedGait::Parts::solve_legs() {
  const bool closed = cycles > 0;
  const double period = 1 / options.hz, begin = closed ? far * period : 0,
               end = closed ? (far + cycles) * period : std::max(options.seconds, period) + 0.1 * period;
  const int count =
      closed ? cycles * leg_intervals : int(std::ceil((end - begin) * options.hz * leg_intervals));
  put_plants(begin - period, end + period);
  std::vector<std::vector<LegDemand>> demands(legs.size());
  std::vector<std::vector<double>> wishes(legs.size());
  double worst = 0;
  for (int i = 0; i < count * LegPath::samples; ++i) {
    const double t = begin + period * (i + 0.5) / (leg_intervals * LegPath::samples);
    modal(t);
    for (const ContactPoint* point : trunk_contacts) worst = std::max(worst, depth_of(*point) / most_sink);
    for (size_t l = 0; l < legs.size(); ++l) {
      demands[l].push_back(demand_of(l, t));
      for (const int j : legs[l].body().dofs) wishes[l].push_back(wish(limbs.legs[l], j));
    }
  }
  for (size_t l = 0; l < legs.size(); ++l) {
    const Footing footing = legs[l].solve(demands[l], wishes[l], closed, leg_intervals, terrain);
    worst = std::max({worst, footing.slip / most_slip, footing.sink / most_sink});
  }
  return worst;
}

// Tries a manner; returns by how much it misses.
double PlantedGait::Parts::attempt(const Manner& tried) {
  manner = tried;
  speed = manner.pace * natural_speed;
  uses = asked;
  const double stretched =
      life && life->natural > 0 ? std::min(speed / life->natural, most_stretch) : manner.pace;
  for (ModeUse& use : uses) use.amplitude *= stretched;
  if (life) set_up_life();
  set_up_height();
  manner.miss = solve_legs();
  if (life) manner.miss = refine_life(manner.miss);
  return manner.miss;
}

// Where joints do not let the feet stand: the trunk calmer and lower, then steps shorter, until they do.
void PlantedGait::Parts::fit() {
  std::vector<Manner> found;
  // a lively trunk keeps its own motion for as long as it can
  for (const double drop : {0.0, 0.015, 0.03, 0.045, 0.06}) {
    if (!life) break;
    if (attempt({1, 1, drop, 0}) < 1) return;
    found.push_back(manner);
  }
  for (const double drop : {0.0, 0.04, 0.08})
    for (const double calm : {1.0, 0.3, 0.0}) {
      if (attempt({1, calm, drop, 0}) < 1) return;
      found.push_back(manner);
    }
  const auto better = [](const Manner& a, const Manner& b) { return a.miss < b.miss; };
  std::sort(found.begin(), found.end(), better);
  const Manner first = found[0], second = found[1];
  for (const double pace : {0.85, 0.7, 0.55, 0.4})
    for (const Manner& like : {first, second}) {
      if (natural_speed == 0) break;
      if (attempt({pace, like.calm, like.drop, 0}) < 1) return;
      found.push_back(manner);
    }
  attempt(*std::min_element(found.begin(), found.end(), better));
}

}  // namespace legwork
