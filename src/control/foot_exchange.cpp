// When feet lift and land.

#include "control/legged_controller.h"

#include <algorithm>
#include <cmath>

#include "control/controller_parts.h"
#include "ground/terrain.h"

namespace legwork {

using namespace controller;

namespace {

constexpr double settle = 0.5;       // 1/w that it stands before it shifts its weight
constexpr double shift_time = 2.5;   // 1/w in which it shifts its weight before the first leg lifts
constexpr double touch = 0.04;       // weights shared by all legs: a load that counts as a touch
constexpr double lost_touch = 0.05;  // 1/w without load after which a standing foot feels for the ground

}  // namespace

double LeggedController::until_landing(size_t i) const {
  const LegState& leg = state.legs[i];
  return std::max(leg.since + leg.length - state.time, 0.0);
}

double LeggedController::until_lifting(size_t i) const {
  if (footfalls) return lifts_in_motion(i);
  if (!state.walks) return 1e300;
  const double waits = std::max(state.begin - state.time, 0.0);
  const double phase = schedule.phase(i, state.clock);
  const double window = 1 - schedule.duty;
  if (waits > 0 && phase < window && !state.legs[i].waits) return waits;
  if (waits > 0) return waits + (1 - phase) * schedule.cycle();
  // in its window of swing and still down: it came down early, or is about to go
  if (phase < window) {
    const double soon = bounce_.flies() ? 0.5 * schedule.stance() : 0.6 * schedule.cycle();
    const bool early = state.time - state.legs[i].since < soon || state.legs[i].waits;
    return early ? (1 - phase) * schedule.cycle() : 0;
  }
  return (1 - phase) * schedule.cycle();
}

// Whether the leg stands some time ahead; step: how many steps from now, 0 = where it is.
bool LeggedController::stands_at(size_t i, double ahead, int& step) const {
  step = 0;
  if (!state.there[i]) return false;
  if (footfalls) return stands_in_motion(i, ahead, step);
  const double C = schedule.cycle(), T = schedule.swing;
  double t = ahead;
  if (state.legs[i].stands) {
    const double lifts = until_lifting(i);
    if (t < lifts) return true;
    t -= lifts;
  } else {
    const double lands = std::max(until_landing(i), 1e-3 / body_->rate);
    if (t < lands) return false;
    t -= lands;
    step = 1;
    // lands, stands, lifts at the schedule's time
    const double phase = schedule.phase(i, state.clock + lands / C);
    const double stays = (1 - phase) * C;
    if (t < stays || !state.walks) return true;
    t -= stays;
  }
  // t since a lift-off
  const double turns = std::floor(t / C);
  step += int(turns);
  t -= turns * C;
  if (t < T) return false;
  ++step;
  return true;
}

// The clock's time at which a gait begins best: just before a leg lifts whose lifting moves the pressure
// least.
double LeggedController::first_lift() const {
  const LeggedBody& b = *body_;
  double best = 0, least = 1e300;
  for (size_t i = 0; i < b.legs.size(); ++i) {
    if (!state.there[i]) continue;
    const double clock = 1 - schedule.offset[i] + 1e-9;
    Polygon feet;
    for (size_t j = 0; j < b.legs.size(); ++j)
      if (state.there[j] && schedule.phase(j, clock + 0.02) >= 1 - schedule.duty)
        feet.add(level(b.legs[j].home + state.shift));
    feet.close(0);
    const double far = feet.empty() ? 1e100 : norm(feet.nearest({0, 0}));
    if (far < least - 1e-9 * b.height) least = far, best = clock;
  }
  return best;
}

// Whether it can stand: nothing keeps still on one point.
bool LeggedController::can_rest() const {
  Polygon feet;
  for (size_t i = 0; i < body_->legs.size(); ++i)
    if (state.there[i]) add_sole(feet, i, body_->legs[i].home, {0, 0, body_->height});
  feet.close(0);
  return feet.hull().size() > 1;
}

// Whether the body would tip without the leg.
bool LeggedController::leans_on(size_t leg) const {
  const LeggedBody& b = *body_;
  Polygon feet;
  for (size_t j = 0; j < b.legs.size(); ++j)
    if (j != leg && state.there[j] && state.legs[j].stands && state.legs[j].holds)
      add_sole(feet, j, state.legs[j].place, com_);
  feet.close(0);
  return feet.empty() || feet.margin(level(com_)) < -0.02 * b.height;
}

void LeggedController::exchange_feet(const std::vector<double>& load, double dt, const Terrain& terrain,
                                     bool idle) {
  const LeggedBody& b = *body_;
  bool late = false;
  int standing = 0, there = 0;
  for (size_t i = 0; i < b.legs.size(); ++i) {
    LegState& leg = state.legs[i];
    if (!state.there[i]) continue;
    ++there;
    if (!leg.stands) {
      const double since = state.time - leg.since;
      const bool touches = load[i] > touch * b.weight / double(b.legs.size());
      // something in the way: over it
      if (load[i] > 3 * touch * b.weight / double(b.legs.size()) && since > 0.15 * leg.length &&
          since < 0.55 * leg.length && leg.raise == 0) {
        leg.raise = 0.12 * b.height;
        leg.raised = 0.2 * leg.length;
        leg.length += leg.raised;
      }
      leg.late = since > leg.length;
      if (touches && since > 0.6 * leg.length) {
        leg.stands = true, leg.since = state.time, leg.late = false;
        leg.place = point_position(w_, b.legs[i].foot, b.legs[i].sole) - Vec3d(0, 0, b.legs[i].ankle);
      }
    }
    if (leg.stands) {
      const Vec3d at = point_position(w_, b.legs[i].foot, b.legs[i].sole);
      const double gap = at.z - b.legs[i].ankle - sample(terrain, at.x, at.y).height;
      double planned = 0;
      for (const int site : b.legs[i].sites) planned += norm(whole_.force[size_t(site)]);
      if (load[i] > 1e-4 * b.weight + 0.05 * planned || (planned < 0.01 * b.weight && gap < 0.005 * b.height))
        leg.felt = state.time;
      leg.holds = state.time - std::max(leg.felt, leg.since) < lost_touch / b.rate;
    }
    standing += leg.stands && leg.holds;
    late = late || leg.late;
  }
  idle = idle && can_rest();
  if (!state.walks) {
    state.still += dt;
    if (state.still < settle / b.rate || idle || !(schedule.swing > 0)) return;
    state.walks = true;
    state.begin = state.time + shift_time / b.rate;
    // just before the first leg lifts; a run begins crouched for its first leap, and its legs go at once
    state.clock = bounce_.flies() ? bounce_.lowest() : first_lift() - 0.01;
    // legs that would be in the middle of their step stay down until their next
    for (size_t i = 0; i < b.legs.size() && !bounce_.flies(); ++i)
      if (schedule.phase(i, state.clock) < 1 - schedule.duty) state.legs[i].waits = true;
  }
  if (state.time < state.begin) return;
  // nothing to do, and quiet on all feet: it stands
  if (idle && !footfalls && standing == there && state.speed < 0.02 * std::sqrt(b.gravity * b.height) &&
      norm(state.xi - state.xi_ref) < 0.05 * b.height) {
    state.walks = false, state.still = 0;
    return;
  }
  // legs that are due
  bool held = false;
  for (size_t i = 0; i < b.legs.size(); ++i)
    if (!footfalls && schedule.phase(i, state.clock) >= 1 - schedule.duty) state.legs[i].waits = false;
  for (size_t i = 0; i < b.legs.size(); ++i) {
    LegState& leg = state.legs[i];
    // who is to leap lets go of ground that has gone
    const bool gone = bounces() && !leg.holds && until_lifting(i) < 0.5 * schedule.stance();
    if (!state.there[i] || !leg.stands || (until_lifting(i) > 0 && !gone)) continue;
    if (leg.holds && !bounces() && (standing <= 1 || (late && leans_on(i)))) {
      held = true;
      continue;
    }
    lift(i);
    standing -= leg.holds;
  }
  if (!held) state.clock += dt / pace();
}

void LeggedController::lift(size_t i) {
  const LimbOfBody& limb = body_->legs[i];
  LegState& leg = state.legs[i];
  leg.stands = false, leg.late = false;
  leg.since = state.time;
  if (footfalls) {
    leg.length = swing_in_motion(i);
  } else {
    const double phase = schedule.phase(i, state.clock);
    const double shortest = (bounces() ? 0.35 : 0.7) * schedule.swing;
    const double lands = 1 - schedule.duty + (phase > 1 - schedule.duty ? 1 : 0);
    leg.length = std::max((lands - phase) * schedule.cycle(), shortest);
  }
  leg.left = point_position(w_, limb.foot, limb.sole);
  leg.aim = leg.left;
  leg.velocity = leg.acceleration = {};
  leg.raise = leg.raised = 0;
}

}  // namespace legwork
