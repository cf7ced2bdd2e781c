#include "walk/gait_controller.h"

#include <cmath>

#include "creature/place.h"
#include "math/curves.h"

namespace legwork {

namespace {

constexpr double firing = 0.25;  // cycles: the peak of a sine

// From -1/2 to 1/2.
double difference(double a, double b) {
  const double d = fraction(a - b);
  return d > 0.5 ? d - 1 : d;
}

// Whether a phase that went forward from one value to another passed the firing point.
bool fires(double before, double after) {
  const double a = fraction(before - firing), b = fraction(after - firing);
  return b < a && a > 0.5;
}

}  // namespace

std::vector<GaitLeg> gait_legs(const Creature& creature) {
  const std::vector<LinkFrame> frames = place(creature, creature.pose("stand"));
  std::vector<GaitLeg> legs;
  int left = 0, right = 0;
  for (const Leg& leg : creature.legs) {
    GaitLeg g;
    g.along = frames[size_t(leg.hip)].p.x;
    g.right = leg.side == Side::right;
    left += leg.side == Side::left;
    right += leg.side == Side::right;
    legs.push_back(g);
  }
  for (size_t i = 0; i < legs.size(); ++i)
    if (creature.legs[i].side == Side::none) {
      legs[i].right = right < left;
      ++(legs[i].right ? right : left);
    }
  rank_legs(legs);
  return legs;
}

void rank_legs(std::vector<GaitLeg>& legs) {
  const int n = int(legs.size());
  for (int i = 0; i < n; ++i) {
    GaitLeg& leg = legs[size_t(i)];
    leg.rank = 0;
    leg.ahead = leg.behind = leg.across = -1;
    const auto along = [&](int k) { return legs[size_t(k)].along; };
    for (int k = 0; k < n; ++k) {
      const GaitLeg& other = legs[size_t(k)];
      if (k == i || !other.there) continue;
      if (other.right != leg.right) {
        if (leg.across < 0 || std::fabs(other.along - leg.along) < std::fabs(along(leg.across) - leg.along))
          leg.across = k;
        continue;
      }
      // where two are at one place, the first in the file is ahead
      const bool is_ahead = other.along > leg.along || (other.along == leg.along && k < i);
      leg.rank += is_ahead;
      if (is_ahead && (leg.ahead < 0 || other.along < along(leg.ahead))) leg.ahead = k;
      if (!is_ahead && (leg.behind < 0 || other.along > along(leg.behind))) leg.behind = k;
    }
  }
}

double wilson_phase(const GaitLeg& leg, const Pace& pace, double master) noexcept {
  return fraction(master + leg.rank * pace.delay / pace.cycle() + (leg.right ? 0.5 : 0));
}

GaitState start_gait(const std::vector<GaitLeg>& legs, const Pace& pace, bool first_right) {
  GaitState s;
  s.master = first_right ? 0.5 : 0;
  for (const GaitLeg& leg : legs) s.phase.push_back(wilson_phase(leg, pace, s.master));
  s.mode.assign(legs.size(), LegMode::stance);
  s.in_mode.assign(legs.size(), 0);
  s.waited.assign(legs.size(), 0);
  s.length.assign(legs.size(), pace.stance());
  return s;
}

void step_gait(const std::vector<GaitLeg>& legs, const Pace& pace, const GaitRules& rules,
               const std::vector<LegFeeling>& feelings, double dt, GaitState& s,
               std::vector<LegEvent>& events) noexcept {
  const double advance = dt / pace.cycle();
  s.master = fraction(s.master + advance);
  const auto stepping = [&](int k) {
    return k >= 0 && legs[size_t(k)].there && s.mode[size_t(k)] == LegMode::step;
  };
  // steps end before others begin: neighbours may follow each other at once
  for (size_t i = 0; i < legs.size(); ++i) {
    events[i] = LegEvent::none;
    s.in_mode[i] += dt;
    if (!legs[i].there || s.mode[i] != LegMode::step || s.in_mode[i] < pace.step - 0.5 * dt) continue;
    s.mode[i] = LegMode::stance;
    s.in_mode[i] = 0;
    s.length[i] = pace.stance();
    events[i] = LegEvent::stance;
  }
  for (size_t i = 0; i < legs.size(); ++i) {
    if (!legs[i].there) continue;
    const double goal = wilson_phase(legs[i], pace, s.master);
    const double before = s.phase[i];
    double after = goal;
    if (rules.coupling > 0) {
      const double free = before + advance;
      after = fraction(free + std::fmin(rules.coupling * dt, 1.0) * difference(goal, free));
    }
    const bool fired = fires(before, after);
    s.phase[i] = after;
    if (s.mode[i] == LegMode::stance && (fired || feelings[i].bent_back))
      s.mode[i] = LegMode::ready, s.waited[i] = 0;
    if (s.mode[i] != LegMode::ready) continue;
    s.waited[i] += dt;
    const bool crowded = rules.inhibit_neighbours &&
                         (stepping(legs[i].ahead) || stepping(legs[i].behind) || stepping(legs[i].across));
    const bool patient = rules.patience <= 0 || s.waited[i] <= rules.patience;
    if (patient && (feelings[i].loaded || crowded)) continue;
    s.mode[i] = LegMode::step;
    s.in_mode[i] = 0;
    s.length[i] = pace.step;
    if (rules.coupling > 0) s.phase[i] = firing;  // early or late, it has fired now
    events[i] = LegEvent::step;
  }
}

}  // namespace legwork
