#include "control/style.h"

#include <algorithm>

#include "control/controller_parts.h"
#include "control/inverse_kinematics.h"
#include "control/legged_controller.h"
#include "math/curves.h"

namespace legwork {

namespace {

constexpr double least_lift = 0.05;  // h: no style drags its feet

// The axes a share of the way from one to the other.
Mat3d turned(const Mat3d& from, const Mat3d& to, double share) {
  return matrix(rotation_quaternion(turn_between(from, to) * share)) * from;
}

}  // namespace

// A body takes its style on over a cycle of walking, and puts it off when it stands.
void LeggedController::take_on_style(double dt) {
  if (style) dress(dt);
  if (!bounce_.flies()) return;
  const Bounce::Instant now = bounce_.at(state.clock);
  look_.rise = now.rise, look_.climb = now.climb, look_.up = now.up;
  if (bounces()) return;
  // down for the first leap
  look_.rise *= state.walks ? smooth_step(1.5 - (state.begin - state.time) * body_->rate) : 0;
  look_.climb = look_.up = 0;
}

void LeggedController::dress(double dt) {
  const LeggedBody& b = *body_;
  const bool going = state.walks && state.time >= state.begin;
  const double part = footfalls ? 1 : dt / schedule.cycle();
  state.styled = std::clamp(state.styled + (going ? part : -part), 0.0, 1.0);
  style->body(state.clock, look_);
  const double share = state.styled;
  for (size_t d = 0; d < x_.size(); ++d) {
    look_.x[d] = b.x[d] + share * (look_.x[d] - b.x[d]);
    look_.rate[d] *= share;
  }
  look_.trunk = turned(b.upright, look_.trunk, share);
  look_.spin = look_.spin * share;
  look_.rise *= share, look_.climb *= share, look_.up *= share;
}

SwingLook LeggedController::swing_look(size_t i, const LegCommand& command) const {
  const LeggedBody& b = *body_;
  SwingLook look;
  look.axes = b.legs[i].flat;
  if (style) {
    const LegState& leg = state.legs[i];
    style->swing(i, state.clock, std::clamp((state.time - leg.since) / leg.length, 0.0, 1.0), look);
    look.high = std::max(look.high, least_lift * b.height);
  } else {
    look.high = usual_lift(b);
  }
  if (command.lift > 0) look.high = command.lift;
  return look;
}

Mat3d LeggedController::axes_in_swing(size_t i) const {
  return style ? turned(body_->legs[i].flat, swing_look(i, {}).axes, state.styled) : body_->legs[i].flat;
}

}  // namespace legwork
