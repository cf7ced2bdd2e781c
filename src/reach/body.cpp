// The body as the options want it: elements scaled, soles on the ground.

#include <algorithm>
#include <cmath>

#include <legwork/gait.h>
#include "base/text.h"
#include "creature/scale.h"
#include "creature/side.h"
#include "reach/reach.h"

namespace legwork::reaching {

namespace {

void scale_twins(Creature& c, int link, double s) {
  const std::string name = c.links[size_t(link)].name, other = mirrored_name(name);
  scale_link(c, link, s);
  const int twin = c.link(other);
  if (twin >= 0 && other != name) scale_link(c, twin, s);
}

// Links of a leg between its knee's and its foot's, the foot's included.
std::vector<int> beyond_knee(const Creature& c, const Leg& leg) {
  std::vector<int> links;
  for (int link = leg.foot; link >= 0 && link != leg.knee; link = c.links[size_t(link)].parent)
    links.push_back(link);
  return links;
}

double leg_height(const Creature& c, const Leg& leg) {
  const std::vector<LinkFrame> frames = place(c, c.pose("stand"));
  const LinkFrame& foot = frames[size_t(leg.foot)];
  return frames[size_t(leg.hip)].p.z - (foot * leg.sole).z;
}

// Everything beyond the ankle by s; the segment from knee to ankle then keeps the hip where it was.
void raise_ankle(Creature& c, double s) {
  for (size_t k = 0; k < c.legs.size(); ++k) {
    const Leg leg = c.legs[k];
    if (leg.side != Side::right) continue;
    if (leg.knee < 0)
      throw Error(leg.where.file.empty() ? c.where : leg.where, "leg '" + leg.name + "'",
                  "--ankle needs to know its knee", "add knee = \"" + leg.name + "_shank\" to the [[leg]]");
    if (leg.girdle != "hind" && !leg.girdle.empty()) continue;
    const double wanted = leg_height(c, leg);
    for (const int link : beyond_knee(c, leg)) scale_twins(c, link, s);
    // the height is linear in the segment's length
    const double at_one = leg_height(c, c.legs[k]);
    Creature longer = c;
    scale_link(longer, leg.knee, 2);
    const double gain = leg_height(longer, longer.legs[k]) - at_one, factor = 1 + (wanted - at_one) / gain;
    if (!(factor > 0.02))
      throw Error({}, "reach: ankle",
                  to_text(s) + " leaves nothing of '" + c.links[size_t(leg.knee)].name + "'",
                  "try a smaller factor");
    scale_twins(c, leg.knee, factor);
  }
}

double sole_height(const Creature& c, const Leg& leg, const std::vector<double>& q) {
  const std::vector<LinkFrame> frames = place(c, q);
  const LinkFrame& foot = frames[size_t(leg.foot)];
  return (foot * leg.sole).z;
}

// Coordinates of a leg's joints with ranges, and those ranges.
struct Ranged {
  size_t q;
  double lower, upper;
};
std::vector<Ranged> ranged_joints(const Creature& c, const Leg& leg) {
  std::vector<char> mine(c.links.size(), 0);
  for (int link = leg.foot; link >= 0 && link != c.links[size_t(leg.hip)].parent;
       link = c.links[size_t(link)].parent)
    mine[size_t(link)] = 1;
  std::vector<Ranged> out;
  size_t at = 0;
  for (size_t i = 0; i < c.links.size(); ++i)
    for (const Joint& joint : c.links[i].joints) {
      if (mine[i] && joint.type != JointType::ball && joint.type != JointType::free)
        for (size_t k = 0; k < joint.dofs.size(); ++k)
          if (std::isfinite(joint.dofs[k].upper - joint.dofs[k].lower))
            out.push_back({at + k, joint.dofs[k].lower, joint.dofs[k].upper});
      at += size_t(nq(joint));
    }
  return out;
}

// A pose stand may be a moment of a walk, with feet in the air: legs whose soles are off the common height
// are bent until they are on it, each joint as its share in the height is (Newton's steps of least squares).
void level_soles(const Creature& c, std::vector<double>& q) {
  double common = 0;
  for (const Leg& leg : c.legs) common += sole_height(c, leg, q) / double(c.legs.size());
  const double allowed = 0.02 * hip_height(c);
  for (const Leg& leg : c.legs) {
    if (std::fabs(sole_height(c, leg, q) - common) < allowed) continue;
    const std::vector<Ranged> joints = ranged_joints(c, leg);
    for (int round = 0; round < 30; ++round) {
      const double now = sole_height(c, leg, q);
      std::vector<double> slope;
      double sum = 1e-12;
      for (const Ranged& j : joints) {
        const double small = 1e-4 * (j.upper - j.lower), old = q[j.q];
        q[j.q] += small;
        slope.push_back((sole_height(c, leg, q) - now) / std::max(small, 1e-12));
        q[j.q] = old;
        sum += slope.back() * slope.back();
      }
      for (size_t k = 0; k < joints.size(); ++k)
        q[joints[k].q] =
            std::clamp(q[joints[k].q] + slope[k] * (common - now) / sum, joints[k].lower, joints[k].upper);
    }
  }
}

void put_on_ground(Creature& c) {
  std::vector<double> q = c.pose("stand");
  level_soles(c, q);
  const std::vector<LinkFrame> frames = place(c, q);
  double lowest = 1e300;
  for (const Leg& leg : c.legs) {
    const LinkFrame& foot = frames[size_t(leg.foot)];
    lowest = std::min(lowest, (foot * leg.sole).z);
  }
  q[2] -= lowest;
  for (Pose& pose : c.poses)
    if (pose.name == "stand") {
      pose.q = q;
      return;
    }
  c.poses.push_back({"stand", q});
}

}  // namespace

Creature prepare_body(const Creature& creature, const ReachOptions& o) {
  Creature c = creature;
  if (c.links.empty() || c.links[0].joints.size() != 1 || c.links[0].joints[0].type != JointType::free)
    throw Error(c.where, "'" + c.name + "'", "does not move freely, and reach carries it along",
                "take the joint off its first link");
  std::vector<std::string> names;
  for (const Link& link : c.links) names.push_back(link.name);
  for (const std::string& text : o.scale) {
    const size_t at = text.find('=');
    const std::string name = text.substr(0, at);
    double factor = 0;
    try {
      factor = at == std::string::npos ? 0 : std::stod(text.substr(at + 1));
    } catch (const std::exception&) {
    }
    if (!(factor > 0.01 && factor < 100))
      throw Error({}, "reach: scale", "'" + text + "' is no element and factor", "try rh_crus=1.2");
    const int link = c.link(name);
    if (link < 0) throw Error({}, "reach: scale", "no link '" + name + "'", did_you_mean(name, names));
    scale_twins(c, link, factor);
  }
  if (c.legs.empty()) return c;  // reported by girdles_of
  if (o.ankle != 1) raise_ankle(c, o.ankle);
  put_on_ground(c);
  return c;
}

}  // namespace legwork::reaching
