#include "modes/limbs.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>

#include "creature/likely_legs.h"
#include "creature/place.h"
#include "creature/side.h"
#include "creature/tree.h"
#include "math/real.h"
#include "modes/coordinates.h"
#include "modes/stiffness.h"

namespace legwork {

namespace {

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

// The degree of freedom of the joint at `lower` that turns most nearly across the limb, and the direction in
// which it folds: the one with the wider range or, where both are wide, the one that brings the end nearer.
struct Fold {
  int dof = -1;
  double sign = 1;
};
Fold find_fold(const Creature& c, const std::vector<double>& q, int upper, int lower, int end,
               const Vec3d& end_pos) {
  const std::vector<int> begin = dof_begins(c);
  const std::vector<const Dof*> dofs = c.dofs();
  const std::vector<Twist<double>> S = dof_directions(c, q);
  const std::vector<LinkFrame> frames = place(c, q);
  const Vec3d top = frames[size_t(upper)].p, joint = frames[size_t(lower)].p,
              tip = frames[size_t(end)] * end_pos;
  Fold best;
  double most = 0;
  for (int j = begin[size_t(lower)]; j < begin[size_t(lower) + 1]; ++j) {
    const Vec3d axis = S[size_t(j)].ang;
    // how much of a turn moves the tip sideways of the limb, preferring axes across the body
    const double moved = norm(cross(axis, tip - joint)) * (0.2 + std::fabs(axis.y));
    if (moved > most * 1.001) most = moved, best.dof = j;
  }
  if (best.dof < 0) return best;
  const Vec3d axis = S[size_t(best.dof)].ang;
  const auto nearer = [&](double angle) {
    const Vec3d r = tip - joint;
    const double cosine = cos(angle), sine = sin(angle);
    const Vec3d turned = r * cosine + cross(axis, r) * sine + axis * (dot(axis, r) * (1 - cosine));
    return -norm(joint + turned - top);
  };
  const Model<double> model = make_model(c);
  std::vector<double> x(size_t(model.nv));
  joint_positions(make_joint_forces(c, model), q.data(), x.data());
  const double at = x[size_t(best.dof)];
  const double up = std::min(dofs[size_t(best.dof)]->upper - at, 3.0),
               down = std::min(at - dofs[size_t(best.dof)]->lower, 3.0);
  if (std::max(up, down) > 3 * std::min(up, down) + 0.1)
    best.sign = up > down ? 1 : -1;
  else
    best.sign = nearer(0.5) >= nearer(-0.5) ? 1 : -1;
  return best;
}

// The middle of the contact points on which the foot stands, and its height over the lowest of them.
void find_point(const Creature& c, const std::vector<LinkFrame>& frames, double size, LimbLeg& leg) {
  double lowest = unlimited;
  const auto bottom = [&](const ContactPoint& p) { return (frames[size_t(p.link)] * p.pos).z - p.radius; };
  for (const ContactPoint& p : c.contacts)
    if (is_below(c, p.link, leg.foot)) lowest = std::min(lowest, bottom(p));
  const LinkFrame& foot = frames[size_t(leg.foot)];
  const Vec3d sole = c.legs[size_t(leg.leg)].sole;
  if (lowest == unlimited) {
    leg.point = sole;
    return;
  }
  Vec3d sum;
  int count = 0;
  for (const ContactPoint& p : c.contacts) {
    if (!is_below(c, p.link, leg.foot) || bottom(p) > lowest + 0.01 * size) continue;
    sum += frames[size_t(p.link)] * p.pos;
    ++count;
  }
  const Vec3d middle = sum * (1.0 / count);
  leg.point = transpose_times(foot.R, middle - foot.p);
  leg.height = middle.z - lowest;
}

std::string knee_advice(const Creature& c, const Leg& leg) {
  std::vector<std::string> between;
  for (int link = leg.foot; link >= 0 && link != leg.hip; link = c.links[size_t(link)].parent)
    between.push_back(c.links[size_t(link)].name);
  if (between.empty())
    return "its hip and foot are one link, so it cannot bend; name the links of a longer leg";
  return "write knee = " + quoted(between[between.size() > 1 ? between.size() - 1 : 0]) +
         " (the link below the knee) in its [[leg]]";
}

// The girdles from the hindmost on.
std::vector<std::string> girdle_order(const Creature& c, const std::vector<LinkFrame>& frames) {
  std::map<std::string, std::pair<double, int>> places;
  for (const Leg& leg : c.legs) {
    auto& [sum, count] = places[leg.girdle];
    sum += frames[size_t(leg.hip)].p.x, ++count;
  }
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [name, place] : places) order.push_back({place.first / place.second, name});
  std::sort(order.begin(), order.end());
  std::vector<std::string> names;
  for (const auto& [x, name] : order) names.push_back(name);
  return names;
}

// Its links from the hip to the foot, their degrees of freedom, and those of what hangs on the foot.
void follow_leg(const Creature& c, const Leg& leg, const std::vector<int>& begin, LimbLeg& limb) {
  for (int link = leg.foot; link >= 0; link = c.links[size_t(link)].parent) {
    limb.links.insert(limb.links.begin(), link);
    if (link == leg.hip) break;
  }
  for (const int link : limb.links)
    for (int j = begin[size_t(link)]; j < begin[size_t(link) + 1]; ++j) limb.dofs.push_back(j);
  for (size_t b = 0; b < c.links.size(); ++b)
    if (int(b) != leg.foot && is_below(c, int(b), leg.foot))
      for (int j = begin[b]; j < begin[b + 1]; ++j) limb.beyond.push_back(j);
}

// size: length of the whole body, m.
LimbLeg make_leg(const Creature& c, const std::vector<double>& q, const std::vector<LinkFrame>& frames,
                 const std::vector<int>& begin, double size, int number) {
  const Leg& leg = c.legs[size_t(number)];
  LimbLeg limb;
  limb.leg = number;
  limb.side = leg.side;
  limb.hip = leg.hip, limb.foot = leg.foot;
  if (leg.side == Side::none)
    throw Error(leg.where, "leg '" + leg.name + "'", "left or right is not known",
                "write side = \"left\" or \"right\" in its [[leg]]");
  if (leg.knee < 0) throw Error(leg.where, "leg '" + leg.name + "'", "has no knee", knee_advice(c, leg));
  follow_leg(c, leg, begin, limb);
  find_point(c, frames, size, limb);
  const Fold fold = find_fold(c, q, leg.hip, leg.knee, leg.foot, limb.point);
  limb.knee_dof = fold.dof, limb.knee_sign = fold.sign;
  if (limb.knee_dof < 0)
    throw Error(leg.where, "leg '" + leg.name + "'",
                "nothing bends between '" + c.links[size_t(leg.hip)].name + "' and '" +
                    c.links[size_t(leg.knee)].name + "'",
                "actions need legs that bend at a hinge; walk and reach take others");
  return limb;
}

// Hind girdle first, left before right; then each knows its partner of the other side.
void sort_legs(std::vector<LimbLeg>& legs) {
  std::stable_sort(legs.begin(), legs.end(), [](const LimbLeg& a, const LimbLeg& b) {
    return a.girdle != b.girdle ? a.girdle < b.girdle : a.side == Side::left && b.side != Side::left;
  });
  for (LimbLeg& leg : legs)
    for (size_t k = 0; k < legs.size(); ++k)
      if (leg.girdle == legs[k].girdle && leg.side != legs[k].side) leg.partner = int(k);
}

}  // namespace

Limbs find_limbs(const Creature& c, const std::vector<double>& q) {
  Limbs limbs;
  const std::vector<LinkFrame> frames = place(c, q);
  const std::vector<int> begin = dof_begins(c);
  const size_t nv = size_t(begin.back());
  limbs.in_leg.assign(nv, 0), limbs.in_arm.assign(nv, 0), limbs.in_spine.assign(nv, 0);
  const std::vector<char> spine = spine_links(c), root = root_dofs(c);
  for (size_t b = 0; b < c.links.size(); ++b)
    for (int j = begin[b]; j < begin[b + 1]; ++j) limbs.in_spine[size_t(j)] = spine[b] && !root[size_t(j)];

  const Box box = bounding_box(c, q);
  const std::vector<std::string> girdles = girdle_order(c, frames);
  limbs.girdles = int(girdles.size());
  for (size_t k = 0; k < c.legs.size(); ++k) {
    LimbLeg limb = make_leg(c, q, frames, begin, norm(box.upper - box.lower), int(k));
    limb.girdle = int(std::find(girdles.begin(), girdles.end(), c.legs[k].girdle) - girdles.begin());
    for (const int j : limb.dofs) limbs.in_leg[size_t(j)] = 1;
    for (const int j : limb.beyond) limbs.in_leg[size_t(j)] = 1;
    const LinkFrame &hip = frames[size_t(limb.hip)], &foot = frames[size_t(limb.foot)];
    limbs.hip_height += (hip.p.z - (foot * limb.point).z + limb.height) / double(c.legs.size());
    limbs.legs.push_back(limb);
  }
  sort_legs(limbs.legs);
  if (!c.legs.empty()) limbs.root = root_of(c, c.legs[0].hip);

  for (const Label& label : c.labels) {
    if (label.name == "head") limbs.head = label.link;
    const Side side = side_of(label.name);
    const std::string bare = side == Side::none ? label.name : label.name.substr(label.name.find('_') + 1);
    if (bare != "hand" || side == Side::none) continue;
    limbs.arms.push_back({side, label.link, label.pos});
    for (int link = label.link; link >= 0 && !spine[size_t(link)]; link = c.links[size_t(link)].parent)
      for (int j = begin[size_t(link)]; j < begin[size_t(link) + 1]; ++j)
        if (!root[size_t(j)]) limbs.in_arm[size_t(j)] = 1;
  }
  std::stable_sort(limbs.arms.begin(), limbs.arms.end(), [](const LimbArm& a, const LimbArm& b) {
    return a.side == Side::left && b.side != Side::left;
  });
  return limbs;
}

void check_labels(const Creature& c, const Limbs& limbs, const std::string& action) {
  if (limbs.legs.empty()) {
    const std::string lines = likely_legs(c);
    if (lines.empty())
      throw Error(
          c.where, c.name,
          "has nothing that looks like a leg, two links or more that bend on the way down to the ground, "
          "and --action " +
              action + " needs legs",
          "without --action it still has modes, --mode moves them");
    throw Error(c.where, c.name, "has no legs, and --action " + action + " needs their feet and knees",
                "label what looks like them (with mirror = true the right ones do):" + lines +
                    "\nof an MJCF or URDF body: in a .toml beside it that begins with base = \"FILE\"");
  }
  for (const LimbLeg& leg : limbs.legs)
    if (leg.partner < 0)
      throw Error(c.legs[size_t(leg.leg)].where, "leg '" + c.legs[size_t(leg.leg)].name + "'",
                  "has no partner on the other side", "give both one girdle, or name them as rf and lf");
  if ((action == "push-cart" || action == "jumping-jack") && limbs.arms.size() < 2)
    throw Error(c.where, c.name, "has no hands, and --action " + action + " needs them",
                "label them:\n  [[label]]\n  name = \"r_hand\"\n  link = \"...\"");
  if ((action == "trot" || action == "amble" || action == "gallop") && limbs.girdles < 2)
    throw Error(c.where, c.name, "has one pair of legs, and --action " + action + " needs two",
                "try walk or run");
  const auto is = [&](std::initializer_list<const char*> names) {
    return std::find(names.begin(), names.end(), action) != names.end();
  };
  if (is({"pace", "canter", "bound", "pronk"}) && limbs.girdles != 2)
    throw Error(c.where, c.name,
                "has " + std::to_string(limbs.legs.size()) + " legs, and --action " + action + " needs four",
                limbs.girdles < 2 ? "try walk, run, hop or skip" : "try walk");
  if (is({"hop", "skip"}) && limbs.girdles != 1)
    throw Error(c.where, c.name,
                "has " + std::to_string(limbs.legs.size()) + " legs, and --action " + action + " needs two",
                limbs.girdles == 2 ? "try pronk or bound" : "try walk");
}

}  // namespace legwork
