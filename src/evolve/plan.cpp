#include "evolve/plan.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.h"
#include "creature/place.h"
#include "creature/side.h"
#include "math/scalar.h"

namespace legwork::evolution {

namespace {

constexpr double foot_height = 0.05;   // share of the body's height within which a foot stands
constexpr double middle_width = 0.01;  // share of the length within which a limb lies in the middle

}  // namespace

Plan plan_of(const Creature& c) {
  Plan plan;
  const std::vector<double> stand = c.pose("stand");
  const std::vector<LinkFrame> frames = place(c, stand);
  const Box box = bounding_box(c, stand);
  const Vec3d size = box.upper - box.lower;
  plan.length = std::max({size.x, size.y, size.z});
  plan.size = int(std::lround(2 * log(plan.length) / log(2.0)));
  plan.mass = c.mass();

  std::vector<double> low(c.links.size(), unlimited);
  std::vector<bool> tip(c.links.size(), true);
  double lowest = unlimited;
  for (const ContactPoint& p : c.contacts) {
    low[size_t(p.link)] = std::min(low[size_t(p.link)], (frames[size_t(p.link)] * p.pos).z - p.radius);
    lowest = std::min(lowest, low[size_t(p.link)]);
  }
  for (const Link& link : c.links)
    if (link.parent >= 0) tip[size_t(link.parent)] = false;
  for (size_t b = 0; b < c.links.size(); ++b) {
    if (c.links[b].parent < 0) continue;
    plan.legs += tip[b] && low[b] < lowest + foot_height * size.z;
    const bool in_middle = std::fabs(frames[b].p.y - frames.front().p.y) < middle_width * plan.length;
    if (!in_middle && c.link(mirrored_name(c.links[b].name)) == int(b)) plan.symmetric = false;
  }
  return plan;
}

std::string in_words(const Plan& plan) {
  return std::to_string(plan.legs) + (plan.legs == 1 ? " leg, " : " legs, ") + with_unit(plan.length, "m") +
         (plan.symmetric ? ", symmetric" : ", lopsided");
}

}  // namespace legwork::evolution
