#include "discover/equip.h"

#include <algorithm>
#include <cmath>

#include "creature/place.h"
#include "creature/tree.h"
#include "math/real.h"

namespace legwork {

namespace {

constexpr double gravity = 9.81;        // m/s^2: muscles are built for the earth
constexpr double free_turn = pi / 4;    // rad to either side of the pose stand, for a joint without range
constexpr double free_slide = 0.15;     // such a range of a slide, as a share of the body's length
constexpr double give_angle = pi / 18;  // rad by which an actuator gives under its load
constexpr double give_slide = 0.05;     // such a give of a slide, as a share of the body's length
constexpr double damping_time = 0.1;    // s, kd / ks
// rad: largest turn that a ball joint's commands make together; at half a turn its rotation vector would jump
// to the other side
constexpr double most_of_ball = 0.75 * pi;
constexpr double sensed_share = 1.0 / 3;  // share of a joint's range, at each end, that is sensed

// A degree of freedom that is not the root's.
struct Drivable {
  int dof, link;
  bool slide;
  double share;  // share of its range that may be commanded
};

struct Survey {
  const Creature& c;
  std::vector<double> q;
  std::vector<LinkFrame> frames;
  std::vector<Twist<double>> directions;
  std::vector<int> children;
  double length;

  explicit Survey(const Creature& creature)
      : c(creature),
        q(creature.pose("stand")),
        frames(place(creature, q)),
        directions(dof_directions(creature, q)),
        children(creature.links.size(), 0),
        length(body_length(creature)) {
    for (const Link& link : c.links)
      if (link.parent >= 0) ++children[link.parent];
  }

  std::vector<Drivable> drivable() const {
    std::vector<Drivable> all;
    int dof = 0;
    for (int b = 0; b < int(c.links.size()); ++b)
      for (const Joint& joint : c.links[b].joints)
        for (int k = 0; k < nv(joint); ++k, ++dof) {
          const bool slide = joint.type == JointType::slide || (joint.type == JointType::planar && k < 2) ||
                             (joint.type == JointType::free && k < 3);
          if (c.links[b].parent >= 0) all.push_back({dof, b, slide, share_of(joint)});
        }
    return all;
  }

  static double share_of(const Joint& joint) {
    if (joint.type != JointType::ball) return 1;
    double farthest = 0;
    for (const Dof& dof : joint.dofs) {
      const double end = std::max(std::fabs(dof.lower), std::fabs(dof.upper));
      farthest += end < unlimited ? end * end : free_turn * free_turn;
    }
    return std::min(1.0, most_of_ball / std::sqrt(farthest));
  }

  // Whether the tree of a root can be carried along the ground.
  bool travels(int root) const {
    int dof = 0;
    for (int b = 0; b < int(c.links.size()); ++b)
      for (const Joint& joint : c.links[b].joints)
        for (int k = 0; k < nv(joint); ++k, ++dof) {
          const Vec3d& d = directions[dof].lin;
          if (b == root && d.x * d.x + d.y * d.y > 1e-6) return true;
        }
    return false;
  }

  // Torque (force of a slide) that the joint is to bear.
  double load(const Drivable& d) const {
    double mass = 0, whole = 0, reach = 0;
    Vec3d com;
    const Vec3d at = frames[d.link].p;
    for (int b = 0; b < int(c.links.size()); ++b) {
      if (root_of(c, b) != root_of(c, d.link)) continue;
      whole += c.links[b].mass;
      if (!is_below(c, b, d.link)) continue;
      mass += c.links[b].mass;
      com += (frames[b] * c.links[b].com - at) * c.links[b].mass;
    }
    for (const ContactPoint& p : c.contacts)
      if (is_below(c, p.link, d.link)) reach = std::max(reach, norm(frames[p.link] * p.pos - at));
    const double own = 2 * mass * gravity, half = reach > 0 ? 0.5 * whole * gravity : 0;
    if (d.slide) return std::max(own, half);
    return std::max(own * norm(com) / std::max(mass, 1e-300), half * 0.5 * reach);
  }
};

// [lower, upper] of what is commanded where nothing is said.
std::pair<double, double> default_range(const Survey& s, const Drivable& d, double at) {
  const Dof& dof = *s.c.dofs()[d.dof];
  if (dof.lower > -unlimited && dof.upper < unlimited && dof.upper > dof.lower)
    return {d.share * dof.lower, d.share * dof.upper};
  const double span = d.slide ? free_slide * s.length : free_turn;
  return {std::max(at - span, dof.lower), std::min(at + span, dof.upper)};
}

Actuator default_actuator(const Survey& s, const Drivable& d, const std::vector<double>& x) {
  Actuator a;
  a.name = s.c.dofs()[d.dof]->name;
  a.dof = d.dof;
  std::tie(a.lower, a.upper) = default_range(s, d, x[d.dof]);
  a.ks = s.load(d) / (d.slide ? give_slide * s.length : give_angle);
  a.kd = damping_time * a.ks;
  return a;
}

bool has_range(const Actuator& a) { return a.lower < a.upper && a.lower > -unlimited && a.upper < unlimited; }

// Share of its length in the pose stand by which a linear actuator without range may shorten and lengthen.
constexpr double free_stretch = 0.3;

double stand_length(const Survey& s, const Actuator& a) {
  const auto point = [&](int link, const Vec3d& pos) { return link < 0 ? pos : s.frames[link] * pos; };
  return norm(point(a.link, a.pos) - point(a.other, a.other_pos));
}

// Actuators of files made for other programs: a motor without range, a servo without one or without
// stiffness. True when something was chosen.
bool mend(const Survey& s, const std::vector<Drivable>& drivable, const std::vector<double>& x, Actuator& a) {
  if (a.type == ActuatorType::linear) {
    if (has_range(a)) return false;
    const double length = stand_length(s, a);
    a.lower = (1 - free_stretch) * length, a.upper = (1 + free_stretch) * length;
    return true;
  }
  const auto d =
      std::find_if(drivable.begin(), drivable.end(), [&](const Drivable& d) { return d.dof == a.dof; });
  if (d == drivable.end()) return false;
  const bool servo = a.type == ActuatorType::angular, weak = servo && a.ks == 0;
  if (weak) {
    a.ks = default_actuator(s, *d, x).ks / (a.gear * a.gear);
    a.kd = std::max(a.kd, damping_time * a.ks);
  }
  if (has_range(a)) return weak;
  if (!servo) {
    a.upper = a.strength < unlimited ? a.strength : 2 * s.load(*d) / std::fabs(a.gear);
    a.lower = -a.upper;
  } else {
    std::tie(a.lower, a.upper) = default_range(s, *d, x[a.dof]);
    a.lower *= a.gear, a.upper *= a.gear;
    if (a.lower > a.upper) std::swap(a.lower, a.upper);
  }
  return true;
}

Sensor touch_at(const std::string& name, int link, const Vec3d* pos) {
  Sensor s;
  s.name = name + "_touch";
  s.link = link;
  if (pos) s.pos = *pos, s.whole = false;
  return s;
}

void add_touch(const Survey& s, Creature& body) {
  std::vector<int> feet;
  for (const Leg& leg : s.c.legs)
    if (std::find(feet.begin(), feet.end(), leg.foot) == feet.end()) feet.push_back(leg.foot);
  for (const int link : feet) body.sensors.push_back(touch_at(s.c.links[link].name, link, nullptr));
  if (!feet.empty()) return;
  for (int b = 0; b < int(s.c.links.size()); ++b) {
    const bool root = s.c.links[b].parent < 0;
    if (s.children[b] > (root ? 1 : 0)) continue;
    const ContactPoint* tip = nullptr;  // the contact point farthest from the rest of the body
    const Vec3d joint = root && b + 1 < int(s.c.links.size()) ? s.c.links[b + 1].pos : Vec3d();
    for (const ContactPoint& p : s.c.contacts)
      if (p.link == b && (!tip || norm(p.pos - joint) > norm(tip->pos - joint) + 1e-9)) tip = &p;
    if (tip) body.sensors.push_back(touch_at(s.c.links[b].name, b, &tip->pos));
  }
}

void add_angles(Creature& body) {
  for (const Actuator& a : body.actuators) {
    if (a.type == ActuatorType::linear || !(a.lower < a.upper)) continue;
    const Dof& dof = *body.dofs()[a.dof];
    double lower = dof.lower, upper = dof.upper;
    if (!(lower > -unlimited && upper < unlimited)) lower = a.lower / a.gear, upper = a.upper / a.gear;
    if (a.type == ActuatorType::motor && !(dof.lower > -unlimited && dof.upper < unlimited))
      lower = -free_turn, upper = free_turn;
    if (lower > upper) std::swap(lower, upper);
    const double third = sensed_share * (upper - lower);
    Sensor s;
    s.type = SensorType::angle;
    s.dof = a.dof;
    s.name = dof.name + "_low", s.lower = lower, s.upper = lower + third;
    body.sensors.push_back(s);
    s.name = dof.name + "_high", s.lower = upper - third, s.upper = upper;
    body.sensors.push_back(s);
  }
}

}  // namespace

double body_length(const Creature& creature) {
  const Box box = bounding_box(creature, creature.pose("stand"));
  const Vec3d size = box.upper - box.lower;
  return std::max({size.x, size.y, size.z});
}

std::vector<double> stand_positions(const Creature& creature) {
  const std::vector<double> stand = creature.pose("stand");
  std::vector<double> x;
  int q = 0;
  for (const Link& link : creature.links)
    for (const Joint& joint : link.joints) {
      const bool plain = nq(joint) == nv(joint);
      for (int k = 0; k < nv(joint); ++k) x.push_back(plain ? stand[size_t(q + k)] : 0);
      q += nq(joint);
    }
  return x;
}

Equipped equip(const Creature& creature) {
  Equipped result{creature, {}};
  Creature& body = result.body;
  const Survey survey(creature);
  const std::vector<Drivable> drivable = survey.drivable();
  const std::string who = "creature '" + creature.name + "'";
  if (drivable.empty())
    throw Error(creature.where, who, "has no joint that an actuator could move",
                "give a link a joint to its parent, such as\n"
                "  joint = { hinge = \"y\", range = [-1, 1] }");
  const std::vector<double> x = stand_positions(creature);
  if (body.actuators.empty()) {
    for (const Drivable& d : drivable) body.actuators.push_back(default_actuator(survey, d, x));
    result.told.push_back("no actuators in the file: " + std::to_string(body.actuators.size()) +
                          " added, one for each joint, each strong enough to carry half the weight");
  } else {
    int mended = 0;
    for (Actuator& a : body.actuators) mended += mend(survey, drivable, x, a);
    if (mended > 0)
      result.told.push_back(std::to_string(mended) + (mended == 1 ? " actuator" : " actuators") +
                            " without range or stiffness: chosen from the joints and the weight");
  }
  const Actuator& first = body.actuators.front();
  int driven = first.link;
  for (const Drivable& d : drivable)
    if (first.type != ActuatorType::linear && d.dof == first.dof) driven = d.link;
  const int root = driven < 0 ? 0 : root_of(creature, driven);
  if (!survey.travels(root))
    throw Error(creature.where, who,
                "cannot travel: its root '" + creature.links[root].name + "' is held by the world",
                "free it with\n  joint = { free = true }, or in the vertical plane "
                "with\n  joint = { planar = \"xz\" }");
  if (body.sensors.empty()) {
    add_touch(survey, body);
    const size_t touch = body.sensors.size();
    add_angles(body);
    result.told.push_back("no sensors in the file: " + std::to_string(touch) + " touch and " +
                          std::to_string(body.sensors.size() - touch) + " angle sensors added");
  }
  return result;
}

}  // namespace legwork
