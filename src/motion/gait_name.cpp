#include "motion/gait_name.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "creature/place.h"
#include "math/curves.h"

namespace legwork {

namespace {

constexpr double together = 0.1;  // share of a cycle

// Distance of two phases around the circle, 0 to 0.5.
double apart(double a, double b) {
  const double d = fraction(a - b);
  return std::min(d, 1 - d);
}
bool same(double a, double b) { return apart(a, b) <= together; }
bool opposite(double a, double b) { return apart(a, b) >= 0.5 - together; }

double mean_duty(const std::vector<LegTiming>& legs) {
  double sum = 0;
  for (const LegTiming& leg : legs) sum += leg.duty_factor;
  return sum / double(legs.size());
}

// Legs of one side from back to front.
std::vector<LegTiming> side_of(const std::vector<LegTiming>& legs, Side side) {
  std::vector<LegTiming> found;
  for (const LegTiming& leg : legs)
    if (leg.side == side) found.push_back(leg);
  std::stable_sort(found.begin(), found.end(),
                   [](const LegTiming& a, const LegTiming& b) { return a.along < b.along; });
  return found;
}

// Left and right legs back to front; empty unless they come in pairs.
struct Pairs {
  std::vector<LegTiming> left, right;
};
Pairs pairs_of(const std::vector<LegTiming>& legs) {
  Pairs p{side_of(legs, Side::left), side_of(legs, Side::right)};
  if (p.left.size() != p.right.size() || p.left.size() * 2 != legs.size()) return {};
  return p;
}

bool one_swing_at_a_time(const std::vector<LegTiming>& legs) {
  constexpr double slack = 0.02;  // share of a cycle by which two swings may overlap
  for (size_t i = 0; i < legs.size(); ++i)
    for (size_t k = 0; k < legs.size(); ++k) {
      if (i == k) continue;
      // leg k lifts off while i is in swing, which ends at i's touch-down
      const double swing = 1 - legs[i].duty_factor;
      const double before = fraction(legs[i].phase - (legs[k].phase + legs[k].duty_factor));
      if (before > slack && before < swing + 1e-9) return false;
    }
  return true;
}

bool is_wave(const std::vector<LegTiming>& legs) {
  if (legs.size() < 4 || !one_swing_at_a_time(legs)) return false;
  for (const Side side : {Side::left, Side::right}) {
    const std::vector<LegTiming> row = side_of(legs, side);
    // from the hindmost leg's touch-down on, the others of its side follow from back to front
    for (size_t i = 1; i < row.size(); ++i)
      if (fraction(row[i].phase - row[0].phase) <= (i > 1 ? fraction(row[i - 1].phase - row[0].phase) : 0))
        return false;
  }
  return true;
}

std::string biped_name(const std::vector<LegTiming>& legs) {
  const double duty = mean_duty(legs);
  if (opposite(legs[0].phase, legs[1].phase)) return duty > 0.5 ? "walk" : "run";
  if (same(legs[0].phase, legs[1].phase) && duty <= 0.5) return "hop";
  return "unnamed";
}

std::string quadruped_name(const Pairs& p, double duty) {
  const double lh = p.left[0].phase, lf = p.left[1].phase, rh = p.right[0].phase, rf = p.right[1].phase;
  if (opposite(lh, rh) && opposite(lf, rf)) {
    const double lag = fraction((fraction(lf - lh) + fraction(rf - rh)) / 2 +
                                (std::abs(fraction(lf - lh) - fraction(rf - rh)) > 0.5 ? 0.5 : 0));
    if (apart(lag, 0) <= 0.0625) return "pace";
    if (apart(lag, 0.5) <= 0.0625) return "trot";
    return duty > 0.5 ? "walk" : "amble";
  }
  const bool hinds = same(lh, rh), fores = same(lf, rf);
  if (hinds && fores) return same(lh, lf) && same(rh, rf) ? "hop" : "bound";
  // canter: one diagonal lands together, between the other hind foot and the other fore foot
  for (const auto& [hind, fore, other_hind, other_fore] :
       {std::array{lh, rf, rh, lf}, std::array{rh, lf, lh, rf}}) {
    const double pair = fraction(hind - other_hind), last = fraction(other_fore - other_hind);
    if (apart(hind, fore) <= 0.06 && pair > 0.15 && pair < 0.5 && last > pair + 0.15 && last < 0.85)
      return "canter";
  }
  auto in_turn = [](double a, double b) { return apart(a, b) >= 0.05 && apart(a, b) <= 0.4; };
  if (in_turn(lh, rh) && in_turn(lf, rf) && duty <= 0.5) return "gallop";
  return "unnamed";
}

// Phases of the legs of both sides, back to front.
struct Phases {
  std::vector<double> left, right;
};

// Whether every leg is within `together` of an ideal timing, wherever in the cycle that begins: what the
// phases differ by lies on an arc of twice that.
bool keeps(const Pairs& p, const Phases& ideal) {
  std::vector<double> off;
  for (size_t i = 0; i < p.left.size(); ++i) {
    off.push_back(fraction(p.left[i].phase - ideal.left[i]));
    off.push_back(fraction(p.right[i].phase - ideal.right[i]));
  }
  std::sort(off.begin(), off.end());
  double gap = 1 - off.back() + off.front();
  for (size_t i = 1; i < off.size(); ++i) gap = std::max(gap, off[i] - off[i - 1]);
  return 1 - gap <= 2 * together;
}

// Neighbours along and across the body belong to different halves, which alternate.
bool alternating(const Pairs& p) {
  Phases ideal;
  for (size_t i = 0; i < p.left.size(); ++i) {
    ideal.left.push_back(i % 2 == 0 ? 0 : 0.5);
    ideal.right.push_back(i % 2 == 0 ? 0.5 : 0);
  }
  return keeps(p, ideal);
}

// Pairs a third of a cycle apart, left leg i with right leg i + shift, one after the other forward or back.
bool three_pairs(const Pairs& p) {
  for (const size_t shift : {1, 2})
    for (const double third : {1.0 / 3, -1.0 / 3}) {
      Phases ideal{std::vector<double>(3), std::vector<double>(3)};
      for (size_t i = 0; i < 3; ++i) ideal.left[i] = ideal.right[(i + shift) % 3] = double(i) * third;
      if (keeps(p, ideal)) return true;
    }
  return false;
}

}  // namespace

std::string gait_name(std::vector<LegTiming> legs) {
  for (const LegTiming& leg : legs)
    if (!std::isfinite(leg.phase) || !std::isfinite(leg.duty_factor)) return "unnamed";
  if (legs.size() == 2) return biped_name(legs);
  const Pairs pairs = pairs_of(legs);
  const size_t per_side = pairs.left.size();
  if (per_side == 3 && alternating(pairs)) return "tripod";
  if (per_side == 4 && alternating(pairs)) return "tetrapod";
  if (per_side != 2 && is_wave(legs)) return "wave";
  if (per_side == 3 && three_pairs(pairs)) return "tetrapod";
  if (per_side == 2) {
    const std::string name = quadruped_name(pairs, mean_duty(legs));
    return name == "walk" && mean_duty(legs) >= 0.75 && is_wave(legs) ? "wave" : name;
  }
  return "unnamed";
}

const std::vector<std::string>& gait_names() {
  static const std::vector<std::string> names = {"wave", "tetrapod", "tripod", "walk",   "run",   "trot",
                                                 "pace", "amble",    "canter", "gallop", "bound", "hop"};
  return names;
}

namespace {

// Phases back to front of the left and the right side, and the duty factor.
struct Ideal {
  std::vector<double> left, right;
  double duty = 0.5;
};

// A wave runs along each side from back to front, the two sides half a cycle apart.
Ideal wave(size_t per_side) {
  Ideal ideal;
  const double legs = 2.0 * double(per_side);
  ideal.duty = 1 - 1 / legs;
  for (size_t i = 0; i < per_side; ++i) {
    ideal.left.push_back(double(i) / legs);
    ideal.right.push_back(0.5 + double(i) / legs);
  }
  return ideal;
}

Ideal ideal_timing(const std::string& name, size_t legs) {
  if (legs == 2) {
    if (name == "walk") return {{0}, {0.5}, 0.6};
    if (name == "run") return {{0}, {0.5}, 0.35};
    if (name == "hop") return {{0}, {0}, 0.4};
  }
  if (legs == 4) {
    if (name == "walk") return {{0, 0.25}, {0.5, 0.75}, 0.65};
    if (name == "amble") return {{0, 0.25}, {0.5, 0.75}, 0.45};
    if (name == "trot") return {{0, 0.5}, {0.5, 0}, 0.5};
    if (name == "pace") return {{0, 0}, {0.5, 0.5}, 0.5};
    if (name == "canter") return {{0, 0.3}, {0.3, 0.6}, 0.4};
    if (name == "gallop") return {{0, 0.5}, {0.12, 0.62}, 0.3};
    if (name == "bound") return {{0, 0.5}, {0, 0.5}, 0.35};
    if (name == "hop") return {{0, 0}, {0, 0}, 0.4};
  }
  if (legs == 6 && name == "tripod") return {{0, 0.5, 0}, {0.5, 0, 0.5}, 0.55};
  if (legs == 6 && name == "tetrapod") return {{0, 1.0 / 3, 2.0 / 3}, {1.0 / 3, 2.0 / 3, 0}, 2.0 / 3};
  if (legs == 8 && name == "tetrapod") return {{0, 0.5, 0, 0.5}, {0.5, 0, 0.5, 0}, 0.55};
  if (name == "wave" && legs >= 4 && legs % 2 == 0) return wave(legs / 2);
  return {};
}

}  // namespace

GaitPlan plan_gait(const std::string& name, const Creature& creature, double stride_time) {
  const std::vector<LinkFrame> standing = place(creature, creature.pose("stand"));
  std::vector<LegTiming> legs;
  for (const Leg& leg : creature.legs) legs.push_back({leg.name, leg.side, standing[leg.hip].p.x, 0, 0});

  const Ideal ideal = ideal_timing(name, legs.size());
  if (ideal.left.empty()) {
    std::vector<std::string> fitting;
    for (const std::string& candidate : gait_names())
      if (!ideal_timing(candidate, legs.size()).left.empty()) fitting.push_back(candidate);
    throw Error({}, "gait '" + name + "'", "not a gait of " + std::to_string(legs.size()) + " legs",
                (fitting.empty() ? "write one leg by leg in a gait file" : "try " + join(fitting, ", ")));
  }
  const Pairs pairs = pairs_of(legs);
  if (pairs.left.size() != ideal.left.size())
    throw Error({}, "gait '" + name + "'",
                "the legs of '" + creature.name + "' are not in left and right pairs",
                "give each [[leg]] its side");
  auto set = [&](const std::vector<LegTiming>& row, const std::vector<double>& phases) {
    for (size_t i = 0; i < row.size(); ++i)
      for (LegTiming& leg : legs)
        if (leg.leg == row[i].leg) leg.phase = phases[i], leg.duty_factor = ideal.duty;
  };
  set(pairs.left, ideal.left);
  set(pairs.right, ideal.right);
  return {name, stride_time, legs};
}

}  // namespace legwork
