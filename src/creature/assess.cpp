#include "creature/assess.h"

#include "base/text.h"
#include "creature/place.h"

namespace legwork {

namespace {

void note_joints(const Creature& c, const std::vector<double>& stand, std::vector<std::string>& notes) {
  const std::vector<double> share = dof_resistance(c);
  int at_q = 0, at_v = 0;
  for (const Link& link : c.links)
    for (const Joint& joint : link.joints) {
      for (int k = 0; k < nv(joint); ++k) {
        const Dof& d = joint.dofs[k];
        if (share[at_v + k] <= no_resistance)
          notes.push_back("joint '" + d.name +
                          "' moves no mass of its own in the pose stand: fit for reaching, not for physics");
        if (nq(joint) != nv(joint)) continue;  // coordinates of rotations in space are no angles
        const double q = stand[at_q + k];
        if (q < d.lower || q > d.upper)
          notes.push_back("joint '" + d.name + "' stands at " + to_text(q) + ", outside its range [" +
                          to_text(d.lower) + ", " + to_text(d.upper) + "]");
      }
      at_q += nq(joint);
      at_v += nv(joint);
    }
}

}  // namespace

Soundness assess(const Creature& c) {
  Soundness s;
  const std::vector<double> stand = c.pose("stand");
  const Box box = bounding_box(c, stand);
  const std::vector<LinkFrame> frames = place(c, stand);
  s.mass = c.mass();
  s.size = box.upper - box.lower;
  for (size_t i = 0; i < c.links.size(); ++i) {
    const Link& link = c.links[i];
    if (s.mass > 0) s.com += (frames[i] * link.com) * (link.mass / s.mass);
    for (const Joint& joint : link.joints) s.joints += nv(joint) > 0;
  }
  s.links = int(c.links.size());
  s.nq = c.nq();
  s.nv = c.nv();
  s.legs = int(c.legs.size());
  s.contacts = int(c.contacts.size());
  s.sensors = int(c.sensors.size());
  s.actuators = int(c.actuators.size());
  s.loops = int(c.loops.size());

  if (s.nv == 0) s.notes.push_back("no joint moves");
  if (c.legs.empty()) s.notes.push_back("no legs declared: gaits cannot be made or measured");
  if (c.contacts.empty() && s.nv > 0) s.notes.push_back("no contact points: it falls through the ground");
  for (const Leg& leg : c.legs)
    if (leg.side == Side::none)
      s.notes.push_back("leg '" + leg.name + "' has no side: left and right cannot be told apart");
  for (const Link& link : c.links)
    if (link.odd_inertia)
      s.notes.push_back(
          "link '" + link.name +
          "' has an inertia that no solid has: the largest principal moment exceeds the sum of the "
          "others; taken as given");
  note_joints(c, stand, s.notes);
  return s;
}

}  // namespace legwork
