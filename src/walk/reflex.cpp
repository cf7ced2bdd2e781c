#include "walk/reflex.h"

#include <algorithm>
#include <cmath>

namespace legwork {

namespace {

constexpr double beyond = 0.25;  // share of the normal range beyond which a reflex acts

}  // namespace

ReflexCalibration::ReflexCalibration(const Creature& creature, const WalkBody& body) : body_(&body) {
  const size_t n = body.legs.size();
  for (size_t i = 0; i < n; ++i) {
    size_t first = i;
    for (size_t k = 0; k < i && first == i; ++k)
      if (!creature.legs[i].girdle.empty() && creature.legs[k].girdle == creature.legs[i].girdle) first = k;
    group_.push_back(int(first));
  }
  least_.assign(n, unlimited), most_.assign(n, -unlimited);
  load_at_step_.assign(n, 0), most_load_.assign(n, 0);
  steps_.assign(n, 0);
  touch_.assign(n, 0);
  weight_ = creature.mass() * norm(creature.gravity);
}

void ReflexCalibration::see(const Walker& walker, const Simulation<double>& sim) {
  for (size_t i = 0; i < steps_.size(); ++i) {
    const WalkLeg& leg = body_->legs[i];
    if (leg.swing_dof < 0 || leg.load_dof < 0) continue;
    const size_t g = size_t(group_[i]);
    const double back = leg.back * sim.x[size_t(leg.swing_dof)];
    const double load = std::fabs(sim.tau[size_t(leg.load_dof)]);
    if (walker.events[i] == LegEvent::step) {
      ++steps_[i];
      load_at_step_[g] = std::max(load_at_step_[g], load);
    }
    if (walker.state.gait.mode[i] == LegMode::step) {
      const double t = walker.state.gait.in_mode[i] / walker.settings.pace.step;
      if (t >= step_free_from && t <= step_free_to) touch_[g] = std::max(touch_[g], walker.state.load[i]);
      continue;
    }
    least_[g] = std::min(least_[g], back), most_[g] = std::max(most_[g], back);
    most_load_[g] = std::max(most_load_[g], load);
  }
}

bool ReflexCalibration::complete() const {
  return std::all_of(steps_.begin(), steps_.end(), [](int n) { return n >= 2; });
}

ReflexLimits ReflexCalibration::limits() const {
  ReflexLimits out;
  for (size_t i = 0; i < steps_.size(); ++i) {
    const size_t g = size_t(group_[i]);
    if (!(most_[g] > least_[g]) || steps_[i] == 0) {  // it never walked: nothing is beyond its norm
      out.back.push_back(unlimited), out.load.push_back(unlimited), out.touch.push_back(unlimited);
      continue;
    }
    out.back.push_back(most_[g] + beyond * std::max(most_[g] - least_[g], 0.0));
    out.load.push_back(load_at_step_[g] + beyond * most_load_[g]);
    out.touch.push_back((1 + beyond) * touch_[g] + 0.05 * weight_);
  }
  return out;
}

}  // namespace legwork
