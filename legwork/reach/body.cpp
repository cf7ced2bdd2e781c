// The body as the options want it: elements scaled, soles on the ground.

#include <algorithm>
#include <cmath>

#include "legwork/base/text.h"
#include "legwork/creature/scale.h"
#include "legwork/creature/side.h"
#include "legwork/motion/gait.h"
#include "legwork/reach/reach.h"

namespace legwork::reach {

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
  return frames[size_t(leg.hip)].p.z - (foot.p + foot.R * leg.sole).z;
}

// Everything beyond the ankle by s; the segment from knee to ankle then keeps the hip where it was.
void raise_ankle(Creature& c, double s) {
  for (size_t k = 0; k < c.legs.size(); ++k) {
    const Leg leg = c.legs[k];
    if (leg.side != Side::right) continue;
    if (leg.knee < 0)
      throw Error(leg.where.file.empty() ? c.where : leg.where, "leg '" + leg.name + "'",
                  "--ankle needs to know its knee; add knee = \"" + leg.name + "_shank\" to the [[leg]]");
    if (leg.girdle != "hind" && !leg.girdle.empty()) continue;
    const double wanted = leg_height(c, leg);
    for (const int link : beyond_knee(c, leg)) scale_twins(c, link, s);
    // the height is linear in the segment's length
    const double at_one = leg_height(c, c.legs[k]);
    Creature longer = c;
    scale_link(longer, leg.knee, 2);
    const double gain = leg_height(longer, longer.legs[k]) - at_one, factor = 1 + (wanted - at_one) / gain;
    if (!(factor > 0.02))
      throw Error("--ankle: " + to_text(s) + " leaves nothing of '" + c.links[size_t(leg.knee)].name +
                  "'; try a smaller factor");
    scale_twins(c, leg.knee, factor);
  }
}

void put_on_ground(Creature& c) {
  std::vector<double> q = c.pose("stand");
  const std::vector<LinkFrame> frames = place(c, q);
  double lowest = 1e300;
  for (const Leg& leg : c.legs) {
    const LinkFrame& foot = frames[size_t(leg.foot)];
    lowest = std::min(lowest, (foot.p + foot.R * leg.sole).z);
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
    throw Error(c.where, "reach",
                "'" + c.name +
                    "' does not move freely, and reach carries it along; take the joint off its first link");
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
      throw Error("--scale: '" + text + "' is no element and factor; try rh_crus=1.2");
    const int link = c.link(name);
    if (link < 0) throw Error("--scale: no link '" + name + "'" + did_you_mean(name, names));
    scale_twins(c, link, factor);
  }
  if (c.legs.empty()) return c;  // told by girdles_of
  if (o.ankle != 1) raise_ankle(c, o.ankle);
  put_on_ground(c);
  return c;
}

}  // namespace legwork::reach
