#include "reach/sit.h"

#include <algorithm>

#include "reach/moving_body.h"

namespace legwork::reaching {

namespace {

constexpr double most_off = 2e-4, most_turned = 1e-3;  // m, rad of a foot that stays
constexpr double firm_place = 100, firm_turn = 10;     // times the girdles' usual wishes

// Every foot where it is planted, all the time.
Plan standing_plan(const Problem& p, int frames) {
  Plan plan;
  plan.timing = {1, 0, 0, 0, frames};
  for (size_t g = 0; g < p.girdles.size(); ++g)
    for (const bool left : {false, true}) plan.feet.push_back(footfall(p, g, left, 0));
  return plan;
}

}  // namespace

Sitting sit_and_stand(const Creature& c, const Problem& p, double depth, int frames) {
  const MovingBody body(c, p);
  const Plan plan = standing_plan(p, frames);
  Sitting out;
  std::vector<double> q = c.pose("stand");
  const int down = frames / 2;
  for (int f = 0; f <= down; ++f) {
    const double s = double(f) / down, sunk = depth * s * s * (3 - 2 * s);
    std::vector<Goal> goals = goals_at(body, p, plan, 0);
    for (size_t k = plan.feet.size(); k < goals.size(); ++k) {
      goals[k].p.z *= 1 - sunk;
      goals[k].place *= firm_place, goals[k].turn *= firm_turn;
    }
    const std::vector<double> reference = q;
    for (int k = 0; k < 12; ++k) newton_step(body, goals, reference, 0.01, 0, q);
    double off = 0, turned = 0;
    measure_feet(body, goals, q, off, turned);
    if (f > 0 && (off > most_off || turned > most_turned)) break;  // as deep as the ranges let the feet stay
    out.motion.planted_error = std::max(out.motion.planted_error, off);
    out.motion.planted_angle = std::max(out.motion.planted_angle, turned);
    out.motion.q.push_back(q);
    const RootPose pose = girdle_pose(p.girdles[0].girdle, place(c, q), 0);
    out.depth = std::max(out.depth, -pose.at.z / p.girdles[0].girdle.limb.root_stand.z);
  }
  for (int f = int(out.motion.q.size()) - 2; f >= 0; --f) out.motion.q.push_back(out.motion.q[size_t(f)]);
  return out;
}

}  // namespace legwork::reaching
