#include "control/footfalls.h"

#include <algorithm>
#include <cmath>

#include "control/controller_parts.h"
#include "control/legged_controller.h"

namespace legwork {

using namespace controller;

namespace {

constexpr double give = 1.5;            // 1/w: how fast the motion's path gives way to where the body is
constexpr double shortest_swing = 0.3;  // 1/w: for a foot that is late to lift
constexpr int most_steps = 64;          // of one leg that are looked ahead

}  // namespace

// In the middle of a motion: what swings there is on its way.
void LeggedController::start_moving() {
  state.walks = true, state.begin = state.time, state.clock = 0;
  state.yaw = footfalls->heading(0);
  state.anchor = level(com_) - footfalls->path(0);
  state.styled = 1;
  for (size_t i = 0; i < state.legs.size(); ++i)
    if (!footfalls->stands(i, 0)) lift(i);
}

void LeggedController::lead_along(double dt) {
  const double part = std::min(dt * body_->rate / give, 1.0);
  state.anchor = state.anchor + (state.xi - state.xi_ref) * part;
  state.yaw = footfalls->heading(state.clock);
}

Vec2 LeggedController::path_ahead(double ahead) const {
  return footfalls->path(state.clock + ahead) + state.anchor;
}

// s until the foot should lift; one that came down early stays for the stance that was to come.
double LeggedController::lifts_in_motion(size_t i) const {
  const double now = state.clock;
  if (footfalls->stands(i, now)) return footfalls->next_change(i, now) - now;
  const bool early = state.time - state.legs[i].since < swing_in_motion(i);
  if (!early) return 0;
  const double lands = footfalls->next_change(i, now);
  return std::isfinite(lands) ? footfalls->next_change(i, lands) - now : lands;
}

// s until the next landing.
double LeggedController::swing_in_motion(size_t i) const {
  double lands = footfalls->next_change(i, state.clock);
  if (footfalls->stands(i, state.clock)) lands = footfalls->next_change(i, lands);
  return std::max(std::isfinite(lands) ? lands - state.clock : 0.0, shortest_swing / body_->rate);
}

bool LeggedController::stands_in_motion(size_t i, double ahead, int& step) const {
  const LegState& leg = state.legs[i];
  const double first = leg.stands ? until_lifting(i) : std::max(until_landing(i), 1e-3 / body_->rate);
  if (ahead < first) return leg.stands;
  // from then on as the motion has it
  bool stands = !leg.stands;
  step = stands;
  double time = state.clock + first + 1e-6;
  for (int k = 0; k < most_steps; ++k) {
    // a foot that is late, or early, joins the motion at the next change of its own kind
    double next = footfalls->next_change(i, time);
    if (footfalls->stands(i, time) != stands && std::isfinite(next)) next = footfalls->next_change(i, next);
    if (state.clock + ahead < next) break;
    time = next + 1e-6, stands = !stands, step += stands;
  }
  return stands;
}

// Where a foot will stand some time ahead, its step-th step from now.
Vec2 LeggedController::later_foothold(size_t i, double ahead, int step) const {
  if (!footfalls) {
    const double first = state.legs[i].stands ? until_lifting(i) + schedule.swing : until_landing(i);
    return nominal(i, first + (step - 1) * schedule.cycle());
  }
  double time = state.clock + ahead;
  if (!footfalls->stands(i, time)) time = footfalls->next_change(i, time) + 1e-6;
  return footfalls->place(i, time) + state.anchor;
}

}  // namespace legwork
