// Going on with the legs that are left.

#include "control/legged_controller.h"

#include <algorithm>
#include <cmath>

#include "control/controller_parts.h"

namespace legwork {

using namespace controller;

namespace {

constexpr double shares[] = {0, 0.25, 0.5, 0.75, 1};  // of the way to the middle of the feet that are left
constexpr int clocks = 60;  // times in the cycle at which the new schedule may begin

}  // namespace

// The body shifts its weight ahead or back over the feet that are left, as far as the schedule for them gains
// by it.
void LeggedController::lose(int leg) {
  state.there[size_t(leg)] = 0;
  state.legs[size_t(leg)].stands = false;
  const size_t left = size_t(std::count(state.there.begin(), state.there.end(), char(1)));
  if (left == 0) return;
  Vec3d middle;
  for (size_t i = 0; i < state.there.size(); ++i)
    if (state.there[i]) middle += body_->legs[i].home * (1.0 / double(left));
  const double speed = schedule.speed;
  double least = unlimited;
  for (const double share : shares) {
    const Vec3d shift(-share * middle.x, 0, 0);
    LeggedBody shifted = *body_;
    for (LimbOfBody& limb : shifted.legs) limb.home = limb.home + shift;
    const Schedule tried = choose_schedule(shifted, 0, 0, state.there);
    if (tried.cost < least) least = tried.cost, schedule = tried, state.shift = shift;
  }
  schedule.speed = std::min(schedule.speed, speed);
  if (state.walks && !footfalls) find_clock();
}

// The clock's time from which the new schedule asks least of the feet that stand: how far the pressure that
// it takes lies outside them.
void LeggedController::find_clock() {
  Polygon feet;
  for (size_t i = 0; i < state.legs.size(); ++i)
    if (state.there[i] && state.legs[i].stands) add_sole(feet, i, state.legs[i].place, com_);
  feet.close(inset * body_->height);
  if (feet.empty()) return;
  double least = unlimited, best = state.clock;
  for (int k = 0; k < clocks; ++k) {
    state.clock = (k + 0.5) / clocks;
    preview();
    const Vec2 asked = nodes_[0].p + (state.xi - nodes_[0].xi) * (1 + kappa);
    const double missed = norm(asked - feet.nearest(asked));
    if (missed < least) least = missed, best = state.clock;
  }
  state.clock = best;
}

}  // namespace legwork
