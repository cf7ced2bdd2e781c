#include "evolve/parts.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "creature/check.h"
#include "creature/complete.h"
#include "creature/likely_legs.h"
#include "creature/mirror.h"
#include "creature/place.h"
#include "creature/side.h"
#include "creature/tree.h"

namespace legwork::evolution {

namespace {

int depth_of(const Creature& c, int link) {
  int depth = 0;
  for (; link >= 0; link = c.links[size_t(link)].parent) ++depth;
  return depth;
}

// What spans two links sits on the one farther from the root.
template <class T>
void order_ends(const Creature& c, T& item) {
  if (item.other < 0 || item.link < 0 || depth_of(c, item.link) >= depth_of(c, item.other)) return;
  std::swap(item.link, item.other);
  std::swap(item.pos, item.other_pos);
}

int link_of_dof(const std::vector<int>& begins, int dof) {
  return int(std::upper_bound(begins.begin(), begins.end(), dof) - begins.begin()) - 1;
}

// Contact points that complete() made from shapes: it makes them again.
bool made_from_shapes(const Creature& c, const ContactPoint& p) {
  const std::string start = c.links[size_t(p.link)].name + ".";
  return p.name.rfind(start, 0) == 0 &&
         p.name.find_first_not_of("0123456789", start.size()) == std::string::npos;
}

void check_can_change(const Creature& c) {
  const auto refuse = [&](const std::string& what) {
    throw Error(c.where, "evolve: creature '" + c.name + "'", what,
                "start from a body of links and joints alone");
  };
  int roots = 0;
  for (const Link& link : c.links) roots += link.parent < 0;
  if (roots != 1) refuse("has " + std::to_string(roots) + " roots, but a body that changes has one");
  if (!c.loops.empty() || !c.attachments.empty()) refuse("has loops, which no limb could leave");
  if (!c.tendons.empty() || !c.couplings.empty())
    refuse("has tendons or coupled joints, which no limb could leave");
}

// Sides of names where both twins are there, so that mirroring makes no limb that was not there.
void settle_sides(Body& body) {
  std::map<std::string, std::string> renamed;
  for (Part& part : body.parts) {
    const std::string old = part.link.name;
    if (side_of(old) == Side::none || body.find(mirrored_name(old))) continue;
    std::string name = "m_" + old;
    while (body.find(name) || side_of(name) != Side::none) name = "m_" + name + "_x";
    renamed[old] = name;
  }
  const auto rename = [&](std::string& name) {
    if (const auto found = renamed.find(name); found != renamed.end()) name = found->second;
  };
  for (Part& part : body.parts) {
    rename(part.link.name), rename(part.parent);
    for (auto& s : part.sensors) rename(s.other);
    for (auto& a : part.actuators) rename(a.other);
  }
}

// Names of all that sits on a part come from the part's.
void name_fittings(Part& part) {
  const std::string own = part.link.name + ".";
  for (Joint& joint : part.link.joints) {
    joint.name.clear();
    for (Dof& dof : joint.dofs) dof.name.clear();
  }
  int number = 0;
  for (auto& s : part.sensors) s.item.name = own + "sense" + std::to_string(++number);
  number = 0;
  for (auto& a : part.actuators) a.item.name = own + "pull" + std::to_string(++number);
  number = 0;
  for (ContactPoint& p : part.contacts) p.name = own + "touch" + std::to_string(++number);
  number = 0;
  for (Label& l : part.labels)
    if (side_of(part.link.name) != Side::none) l.name = own + "label" + std::to_string(++number);
}

// A right part's fittings may not name what the mirror would not find.
bool reaches(const Body& body, const std::string& other) { return other.empty() || body.find(other); }

void add_part(const Body& body, const Part& part, int index, int first_dof, Creature& c) {
  for (ContactPoint p : part.contacts) p.link = index, c.contacts.push_back(std::move(p));
  for (Label l : part.labels) l.link = index, c.labels.push_back(std::move(l));
  for (const Fitting<Sensor>& s : part.sensors) {
    if (!reaches(body, s.other)) continue;
    Sensor item = s.item;
    if (item.type == SensorType::angle)
      item.dof += first_dof;
    else
      item.link = index, item.other = c.link(s.other);
    c.sensors.push_back(std::move(item));
  }
  for (const Fitting<Actuator>& a : part.actuators) {
    if (!reaches(body, a.other)) continue;
    Actuator item = a.item;
    if (item.type == ActuatorType::linear)
      item.link = index, item.other = c.link(a.other);
    else
      item.dof += first_dof;
    c.actuators.push_back(std::move(item));
  }
}

// The lowest contact point of the pose stand at height 0.
void put_on_ground(Creature& c) {
  Pose* stand = nullptr;
  for (Pose& pose : c.poses)
    if (pose.name == "stand") stand = &pose;
  if (!stand || c.contacts.empty()) return;
  const std::vector<LinkFrame> frames = place(c, stand->q);
  double lowest = unlimited;
  for (const ContactPoint& p : c.contacts)
    lowest = std::min(lowest, (frames[size_t(p.link)] * p.pos).z - p.radius);
  Link& root = c.links.front();
  root.pos.z -= lowest;
  if (!root.joints.empty() && root.joints.front().type == JointType::free) stand->q[2] -= lowest;
}

void see_legs(Creature& c) {
  FoundLegs found = look_for_legs(c);
  c.legs = std::move(found.legs);
  c.trunk = std::move(found.trunk);
}

}  // namespace

Part* Body::find(const std::string& name) {
  for (Part& part : parts)
    if (part.link.name == name) return &part;
  return nullptr;
}
const Part* Body::find(const std::string& name) const { return const_cast<Body*>(this)->find(name); }

std::vector<std::string> Body::subtree(const std::string& name) const {
  std::vector<std::string> all = {name};
  for (const Part& part : parts)
    if (std::find(all.begin(), all.end(), part.parent) != all.end()) all.push_back(part.link.name);
  return all;
}

void Body::remove(const std::string& name) {
  const std::vector<std::string> gone = subtree(name);
  const auto goes = [&](const std::string& part) {
    return std::find(gone.begin(), gone.end(), part) != gone.end();
  };
  std::erase_if(parts, [&](const Part& part) { return goes(part.link.name); });
  for (Part& part : parts) {
    std::erase_if(part.sensors, [&](const auto& s) { return goes(s.other); });
    std::erase_if(part.actuators, [&](const auto& a) { return goes(a.other); });
  }
}

std::vector<std::string> Body::limbs() const {
  std::vector<std::string> all;
  for (const Part& part : parts)
    if (part.parent == parts.front().link.name) all.push_back(part.link.name);
  return all;
}

Body take_apart(const Creature& creature) {
  check_can_change(creature);
  Creature c = creature;
  Body body;
  const std::vector<int> begins = dof_begins(c);
  const std::vector<double> stand = c.pose("stand");
  size_t at = 0;
  for (const Link& link : c.links) {
    Part part;
    part.link = link;
    part.parent = link.parent < 0 ? "" : c.links[size_t(link.parent)].name;
    size_t n = 0;
    for (const Joint& joint : link.joints) n += size_t(nq(joint));
    part.stand.assign(stand.begin() + long(at), stand.begin() + long(at + n));
    at += n;
    body.parts.push_back(std::move(part));
  }
  for (const ContactPoint& p : c.contacts)
    if (!made_from_shapes(c, p)) body.parts[size_t(p.link)].contacts.push_back(p);
  for (const Label& l : c.labels) body.parts[size_t(l.link)].labels.push_back(l);
  for (Sensor s : c.sensors) {
    order_ends(c, s);
    const int link = s.type == SensorType::angle ? link_of_dof(begins, s.dof) : s.link;
    if (s.type == SensorType::angle) s.dof -= begins[size_t(link)];
    body.parts[size_t(link)].sensors.push_back({s, s.other < 0 ? "" : c.links[size_t(s.other)].name});
  }
  for (Actuator a : c.actuators) {
    const bool linear = a.type == ActuatorType::linear;
    order_ends(c, a);
    const int link = linear ? a.link : link_of_dof(begins, a.dof);
    if (!linear) a.dof -= begins[size_t(link)];
    body.parts[size_t(link)].actuators.push_back({a, a.other < 0 ? "" : c.links[size_t(a.other)].name});
  }
  settle_sides(body);
  for (Part& part : body.parts) name_fittings(part);
  body.frame = std::move(c);
  for (auto* list : {&body.frame.poses}) list->clear();
  body.frame.links.clear(), body.frame.legs.clear(), body.frame.labels.clear(), body.frame.trunk.clear();
  body.frame.contacts.clear(), body.frame.sensors.clear(), body.frame.actuators.clear(),
      body.frame.apart.clear();
  body.frame.legs_found = false, body.frame.where = {};
  return body;
}

std::optional<Creature> put_together(const Body& given) {
  Body body = given;
  // right parts make their left twins
  std::set<std::string> left;
  for (const Part& part : body.parts)
    if (side_of(part.link.name) == Side::left && body.find(mirrored_name(part.link.name)))
      left.insert(part.link.name);
  for (const std::string& name : left)
    if (body.find(name)) body.remove(name);
  Creature c = body.frame;
  std::vector<double> stand;
  std::vector<int> first_dof;
  int dofs = 0;
  for (Part& part : body.parts) {
    name_fittings(part);
    Link link = part.link;
    link.parent = part.parent.empty() ? -1 : c.link(part.parent);
    link.where = {};
    first_dof.push_back(dofs);
    for (const Joint& joint : link.joints) dofs += nv(joint);
    stand.insert(stand.end(), part.stand.begin(), part.stand.end());
    c.links.push_back(std::move(link));
  }
  try {
    for (size_t i = 0; i < body.parts.size(); ++i) add_part(body, body.parts[i], int(i), first_dof[i], c);
    c.poses = {{"stand", stand, {}}};
    mirror(c);
    complete(c);
    put_on_ground(c);
    see_legs(c);
    complete(c);
    check(c);
  } catch (const Error&) {
    return {};
  }
  return c;
}

std::string fresh_prefix(const Body& body, bool paired) {
  const auto taken = [&](const std::string& prefix) {
    return std::any_of(body.parts.begin(), body.parts.end(),
                       [&](const Part& part) { return part.link.name.rfind(prefix + "_", 0) == 0; });
  };
  for (int number = 0;; ++number) {
    // one character after the r is what names of a side may have
    const std::string mark(1, number < 10 ? char('0' + number) : char('a' + number - 10));
    const std::string prefix = (paired ? "r" : "m") + mark;
    if (!taken(prefix) || number == 35) return prefix;
  }
}

}  // namespace legwork::evolution
