#include "creature/check.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "base/text.h"
#include "creature/place.h"
#include "creature/shape.h"
#include "math/dense.h"

namespace legwork {

namespace {

std::string quoted(const std::string& kind, const std::string& name) { return kind + " '" + name + "'"; }

std::string text(const Vec3d& v) {
  return "[" + to_text(v.x) + ", " + to_text(v.y) + ", " + to_text(v.z) + "]";
}

bool finite(const Vec3d& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }
bool finite(const Quatd& q) {
  return std::isfinite(q.w) && std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z);
}
double length(const Quatd& q) { return std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z); }

// Complaints about one thing: its place and its name.
struct Subject {
  Where where;
  std::string who;

  // Words are made for what fails alone: to write a number takes longer than to check it.
  [[noreturn]] void fail(const std::string& problem, const std::string& advice = {}) const {
    throw Error(where, who, problem, advice);
  }
  void must(bool holds, const std::string& problem, const std::string& advice = {}) const {
    if (!holds) fail(problem, advice);
  }
  void number(double x, const std::string& what) const {
    if (!std::isfinite(x)) fail(what + " is " + to_text(x), "give a finite number");
  }
  void vector(const Vec3d& v, std::string_view name) const {
    if (!finite(v)) fail(std::string(name) + " " + text(v) + " is not finite", "give finite numbers");
  }
  void not_negative(double x, const std::string& what) const {
    number(x, what);
    if (!(x >= 0)) fail(what + " " + to_text(x) + " is negative", "give 0 or more");
  }
  // In order; ends may be infinite.
  void range(double lower, double upper) const {
    must(!std::isnan(lower) && !std::isnan(upper), "range is not a number", "give two numbers");
    if (!(lower <= upper))
      fail("range [" + to_text(lower) + ", " + to_text(upper) + "] is upside down",
           "did you mean [" + to_text(upper) + ", " + to_text(lower) + "]?");
  }
  void turn(const Quatd& q, const std::string& what) const {
    must(finite(q), what + " is not finite", "give finite numbers");
    if (!(std::fabs(length(q) - 1) <= 1e-6))
      fail(what + " has a quaternion of length " + to_text(length(q)) + ", which is no rotation",
           "normalise it");
  }
};

// The place of a thing, or that of the whole creature where it has none.
Subject subject(const Creature& c, const Where& where, const std::string& kind, const std::string& name) {
  return {where.file.empty() && where.line == 0 ? c.where : where, quoted(kind, name)};
}

// Every name of one kind once.
class Names {
 public:
  explicit Names(const std::string& kind) : kind_(kind) {}
  void add(const Subject& who, const std::string& name) {
    who.must(!name.empty(), "has no name", "give it one");
    who.must(std::none_of(name.begin(), name.end(), [](unsigned char c) { return c < 32 || c == 127; }),
             "its name holds a control character", "use letters, digits and _");
    const auto [first, is_new] = seen_.try_emplace(name, who.where);
    if (is_new) return;
    const std::string place =
        first->second.line > 0 ? " (line " + std::to_string(first->second.line) + ")" : "";
    who.fail("another " + kind_ + place + " has the same name", "rename one of them");
  }

 private:
  std::string kind_;
  std::map<std::string, Where> seen_;
};

void check_tree(const Creature& c) {
  Subject{c.where, quoted("creature", c.name)}.must(!c.links.empty(), "has no links", "give it at least one");
  const int n = int(c.links.size());
  Names names("link");
  for (const Link& link : c.links) names.add(subject(c, link.where, "link", link.name), link.name);
  for (int i = 0; i < n; ++i) {
    const Subject who = subject(c, c.links[i].where, "link", c.links[i].name);
    const int parent = c.links[i].parent;
    who.must(parent >= -1 && parent < n,
             "its parent is link number " + std::to_string(parent) + " of " + std::to_string(n),
             "name a link");
    std::string chain = c.links[i].name;
    int up = parent;
    for (int steps = 0; up >= 0 && up < n && up != i && steps < n; ++steps) {
      if (steps < 8) chain += " -> " + c.links[up].name;
      up = c.links[up].parent;
    }
    who.must(up != i, "is its own ancestor (" + chain + " -> " + c.links[i].name + ")",
             "attach one of them elsewhere");
  }
  for (int i = 0; i < n; ++i)
    if (c.links[i].parent >= i)
      subject(c, c.links[i].where, "link", c.links[i].name)
          .fail("comes before its parent '" + c.links[c.links[i].parent].name + "'", "put the parent first");
}

void check_shape(const Subject& who, const Shape& s) {
  who.vector(s.pos, "its shape's position");
  who.turn(s.rot, "its shape's rotation");
  who.vector(s.size, "its shape's size");
  who.number(s.density, "its density");
  who.must(s.density >= 0, "its density " + to_text(s.density) + " is negative",
           "give kg/m^3, such as 1000 for water");
  const auto positive = [&](double x, const std::string& what) {
    who.must(x > 0, what + " " + to_text(x) + " is not positive", "give a length in m");
  };
  switch (s.type) {
    case ShapeType::box:
      for (int i = 0; i < 3; ++i) positive(s.size[i], "its box's edge");
      break;
    case ShapeType::sphere:
      positive(s.size.x, "its sphere's radius");
      break;
    case ShapeType::capsule:
    case ShapeType::cylinder: {
      const std::string kind = s.type == ShapeType::capsule ? "capsule" : "cylinder";
      positive(s.size.x, "its " + kind + "'s radius");
      positive(s.size.y, "its " + kind + "'s length");
      break;
    }
    case ShapeType::ellipsoid:
      for (int i = 0; i < 3; ++i) positive(s.size[i], "its ellipsoid's half axis");
      break;
    case ShapeType::mesh: {
      who.must(!s.mesh.vertices.empty() && !s.mesh.triangles.empty(), "its mesh is empty",
               "give it triangles");
      for (const Vec3d& v : s.mesh.vertices) who.vector(v, "its mesh's vertex");
      for (const auto& t : s.mesh.triangles)
        for (const int i : t)
          if (i < 0 || i >= int(s.mesh.vertices.size()))
            who.fail("its mesh has a triangle with vertex " + std::to_string(i) + " of " +
                         std::to_string(s.mesh.vertices.size()),
                     "export it again");
      who.must(!s.touches || !s.mesh.hull.empty(),
               "its mesh is flat, so its convex hull is no solid to touch",
               "give it thickness, or contact = false");
      break;
    }
  }
}

void check_mass(const Creature& c, const Link& link) {
  const Subject who = subject(c, link.where, "link", link.name);
  who.number(link.mass, "its mass");
  who.must(link.mass >= 0, "mass " + to_text(link.mass) + " is negative", "give kg");
  who.vector(link.com, "its centre of mass");
  const Sym3d& I = link.inertia;
  for (const double x : {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz}) who.number(x, "its inertia");
  const Vec3d e = principal(I).moments;  // descending
  const std::string moments = text(Vec3d(e[2], e[1], e[0]));
  const double slack = inertia_rounding(link.mass, e);
  who.must(e[2] >= -slack, "inertia is not positive: its principal moments are " + moments + " kg m^2",
           "check the signs");
  who.must(e[0] <= e[1] + e[2] + slack || link.odd_inertia,
           "inertia violates the triangle inequality, as no real body can: its principal moments are " +
               moments + " kg m^2 and the largest exceeds the sum of the others",
           "check the units and the order");
  who.must(link.mass > 0 || e[0] <= 0, "has inertia but no mass", "give its mass in kg");
}

const char* type_name(JointType type) {
  constexpr const char* names[] = {"fixed",     "hinge",  "slide", "ball",
                                   "universal", "planar", "free",  "keyframed"};
  return names[int(type)];
}

void check_axes(const Subject& who, const Joint& joint) {
  size_t needed = 0;
  if (joint.type == JointType::hinge || joint.type == JointType::slide) needed = 1;
  if (joint.type == JointType::universal || joint.type == JointType::planar) needed = 2;
  who.must(joint.axes.size() == needed,
           "a " + std::string(type_name(joint.type)) + " joint has " + std::to_string(needed) +
               (needed == 1 ? " axis" : " axes") + ", not " + std::to_string(joint.axes.size()),
           "add or remove");
  for (const Vec3d& a : joint.axes) {
    who.vector(a, "axis");
    who.must(norm(a) > 0, "axis " + text(a) + " has no direction", "did you mean [0, 1, 0]?");
    who.must(std::fabs(norm(a) - 1) <= 1e-9, "axis " + text(a) + " is not of unit length",
             "did you mean " + text(normalized(a)) + "?");
  }
  if (needed == 2)
    who.must(norm(cross(joint.axes[0], joint.axes[1])) > 1e-6,
             "its two axes " + text(joint.axes[0]) + " and " + text(joint.axes[1]) + " are the same line",
             "turn one of them");
}

void check_dof(const Subject& who, const Dof& d) {
  who.must(!std::isnan(d.lower) && !std::isnan(d.upper), "range is not a number", "give two numbers");
  who.must(d.lower < unlimited && d.upper > -unlimited,
           "range [" + to_text(d.lower) + ", " + to_text(d.upper) + "] leaves it nowhere",
           "give finite numbers");
  who.must(d.lower <= d.upper, "range [" + to_text(d.lower) + ", " + to_text(d.upper) + "] is upside down",
           "did you mean [" + to_text(d.upper) + ", " + to_text(d.lower) + "]?");
  who.must(d.lower < d.upper,
           "range [" + to_text(d.lower) + ", " + to_text(d.upper) + "] leaves no room to move",
           "widen it, or make the joint fixed");
  who.not_negative(d.limit_stiffness, "limit stiffness");
  who.not_negative(d.limit_damping, "limit damping");
  who.not_negative(d.damper, "damper");
  who.not_negative(d.armature, "armature");
  who.not_negative(d.friction, "friction");
  who.not_negative(d.spring.stiffness, "spring stiffness");
  who.not_negative(d.spring.sharpness, "spring sharpness");
  who.number(d.spring.rest, "spring rest");
  who.must(d.spring.type != SpringType::exponential || d.spring.sharpness > 0,
           "its exponential spring has sharpness 0 and never pulls", "give a sharpness, such as 5");
}

void check_joint(const Subject& who, const Joint& joint) {
  check_axes(who, joint);
  who.vector(joint.anchor, "anchor");
  who.number(joint.q_zero, "the coordinate of its reference pose");
  for (const double x : joint.neutral) who.number(x, "its neutral pose");
  who.must(joint.type != JointType::keyframed || !joint.paths.empty(), "a keyframed joint without paths",
           "give each degree of freedom its min and max keyframes");
  for (const Keyframes& k : joint.paths) {
    bool moves = false;
    for (int i = 0; i < 6; ++i) {
      who.number(k.min[i], "keyframe");
      who.number(k.max[i], "keyframe");
      moves = moves || k.min[i] != 0 || k.max[i] != 0;
    }
    who.must(moves, "a path whose min and max keyframes are all zero does not move",
             "give offsets from neutral");
  }
  who.must(int(joint.dofs.size()) == nv(joint),
           "a " + std::string(type_name(joint.type)) + " joint has " + std::to_string(nv(joint)) +
               " degrees of freedom, not " + std::to_string(joint.dofs.size()),
           "add or remove");
}

void check_links(const Creature& c) {
  Names joint_names("joint"), dof_names("degree of freedom");
  for (const Link& link : c.links) {
    const Subject who = subject(c, link.where, "link", link.name);
    who.vector(link.pos, "its position");
    who.turn(link.rot, "its rotation");
    for (const Shape& shape : link.shapes) check_shape(who, shape);
    check_mass(c, link);
    for (size_t j = 0; j < link.joints.size(); ++j) {
      const Joint& joint = link.joints[j];
      const Subject at = subject(c, link.where, "joint", joint.name);
      if (nv(joint) > 0) joint_names.add(at, joint.name);
      check_joint(at, joint);
      at.must(joint.type != JointType::free || (link.parent < 0 && j == 0 && link.joints.size() == 1),
              "a free joint must be the only joint of a link without a parent",
              "use ball or slide joints here");
      for (const Dof& dof : joint.dofs) {
        const Subject owner = subject(c, link.where, "joint", dof.name);
        dof_names.add(subject(c, link.where, "degree of freedom", dof.name), dof.name);
        check_dof(owner, dof);
      }
    }
  }
}

void check_moved_mass(const Creature& c) {
  const int n = int(c.links.size());
  std::vector<double> beyond(n);  // mass of the link and all it carries
  for (int i = n - 1; i >= 0; --i) {
    beyond[i] += c.links[i].mass;
    if (c.links[i].parent >= 0) beyond[c.links[i].parent] += beyond[i];
  }
  const auto carried_by_armature = [](const Link& link) {
    for (const Joint& joint : link.joints)
      for (const Dof& dof : joint.dofs)
        if (dof.armature == 0) return false;
    return true;
  };
  for (int i = 0; i < n; ++i) {
    int moves = 0;
    for (const Joint& joint : c.links[i].joints) moves += nv(joint);
    if (moves > 0 && beyond[i] <= 0 && !carried_by_armature(c.links[i]))
      subject(c, c.links[i].where, "link", c.links[i].name)
          .fail("moves, but neither it nor any link beyond it has mass",
                "give it a shape with a density, or a mass");
  }
  const std::vector<double> share = dof_resistance(c);
  int j = 0;
  for (const Link& link : c.links)
    for (const Joint& joint : link.joints)
      for (int k = 0; k < nv(joint); ++k, ++j)
        // keyframed paths may repeat each other: fine for reaching, assess() reports it
        if (share[j] <= no_resistance && joint.type != JointType::keyframed)
          subject(c, link.where, "joint", joint.dofs[k].name)
              .fail(
                  "its motion moves no mass (all of it lies on the axis, or another joint makes the same "
                  "motion)",
                  "give the link an inertia, or the joint an armature");
}

void check_poses(const Creature& c) {
  Names names("pose");
  const int n = c.nq();
  for (const Pose& pose : c.poses) {
    const Subject who = subject(c, pose.where, "pose", pose.name);
    names.add(who, pose.name);
    who.must(int(pose.q.size()) == n,
             "has " + std::to_string(pose.q.size()) + " coordinates, the creature " + std::to_string(n),
             "give one for each");
    for (const double x : pose.q) who.number(x, "a coordinate");
    int at = 0;
    for (const Link& link : c.links)
      for (const Joint& joint : link.joints) {
        if (joint.type == JointType::ball || joint.type == JointType::free) {
          const double* q = &pose.q[at + (joint.type == JointType::free ? 3 : 0)];
          who.turn({q[0], q[1], q[2], q[3]}, "the rotation of joint '" + joint.name + "'");
        }
        at += nq(joint);
      }
  }
}

// Everything that names links and degrees of freedom.
struct References {
  const Creature& c;
  const int links = int(c.links.size()), dofs = c.nv();

  void link(const Subject& who, int i, const std::string& what, bool world_allowed = false) const {
    who.must(i < links && (i >= 0 || (world_allowed && i == -1)),
             what + " is missing or no link of the creature", "name one of its links");
  }
  void dof(const Subject& who, int i) const {
    who.must(i >= 0 && i < dofs, "its joint is missing or no degree of freedom of the creature", "name one");
  }
};

void check_legs(const References& r) {
  Names names("leg");
  const Creature& c = r.c;
  for (const Leg& leg : c.legs) {
    const Subject who = subject(c, leg.where, "leg", leg.name);
    names.add(who, leg.name);
    r.link(who, leg.hip, "its hip");
    r.link(who, leg.foot, "its foot");
    who.vector(leg.sole, "its sole");
    int up = leg.foot;
    bool passed_knee = leg.knee < 0;
    while (up >= 0 && up != leg.hip) {
      passed_knee = passed_knee || up == leg.knee;
      up = c.links[up].parent;
    }
    passed_knee = passed_knee || leg.knee == leg.hip;
    who.must(
        up == leg.hip,
        "its foot '" + c.links[leg.foot].name + "' does not hang on its hip '" + c.links[leg.hip].name + "'",
        "name links of one chain");
    for (const std::vector<Move>* program : {&leg.step, &leg.stance})
      for (const Move& move : *program) {
        r.dof(who, move.dof);
        who.number(move.to, "a move's 'to'");
        who.must(move.start >= 0 && move.start < move.end && move.end <= 1,
                 "a move must start before it ends, both within 0 .. 1 (shares of the step or stance)");
        const Dof& dof = *c.dofs()[size_t(move.dof)];
        who.must(dof.spring.type != SpringType::none,
                 "moves the spring of '" + dof.name + "', which has none",
                 "add spring = { exponential = [a, b] } or { stiffness = k }");
      }
    if (leg.knee != -1) r.link(who, leg.knee, "its knee");
    who.must(passed_knee,
             "its knee '" + (leg.knee >= 0 ? c.links[leg.knee].name : "") + "' is not between hip and foot",
             "name a link of the chain");
  }
}

void check_discovery(const Creature& c) {
  const Subject who{c.where, "discover"};
  who.must(c.discovery.hidden >= 0 && c.discovery.hidden <= 1000,
           "hidden must be from 0 to 1000 nodes, not " + std::to_string(c.discovery.hidden));
  who.not_negative(c.discovery.cycle, "cycle");
  who.not_negative(c.discovery.seconds, "seconds");
}

void check_sensors(const References& r) {
  Names names("sensor");
  for (const Sensor& s : r.c.sensors) {
    const Subject who = subject(r.c, s.where, "sensor", s.name);
    names.add(who, s.name);
    who.vector(s.pos, "its position");
    who.vector(s.other_pos, "its other position");
    who.range(s.lower, s.upper);
    who.number(s.ahead, "its distance ahead");
    if (s.type == SensorType::angle)
      r.dof(who, s.dof);
    else
      r.link(who, s.link, "its link");
    if (s.type == SensorType::length) r.link(who, s.other, "its other link", true);
  }
}

void check_actuators(const References& r) {
  Names names("actuator");
  for (const Actuator& a : r.c.actuators) {
    const Subject who = subject(r.c, a.where, "actuator", a.name);
    names.add(who, a.name);
    who.vector(a.pos, "its position");
    who.vector(a.other_pos, "its other position");
    if (a.type == ActuatorType::linear) {
      r.link(who, a.link, "its link");
      r.link(who, a.other, "its other link", true);
    } else {
      r.dof(who, a.dof);
    }
    who.not_negative(a.ks, "gain ks");
    who.not_negative(a.kd, "gain kd");
    who.range(a.lower, a.upper);
    who.must(a.strength >= 0, "strength " + to_text(a.strength) + " is not a positive number",
             "give the largest force");
    who.number(a.gear, "gear");
    who.must(a.gear != 0, "gear 0 transmits nothing", "give a ratio, such as 1");
  }
}

// The two ends of a loop or an attachment.
template <class Hold>
void check_ends(const References& r, const Subject& who, const Hold& h) {
  r.link(who, h.link, "its link");
  r.link(who, h.other, "its other link", true);
  who.must(h.link != h.other, "holds a link to itself", "name two different links");
  who.vector(h.pos, "its position");
  who.vector(h.other_pos, "its other position");
}

void check_holds(const References& r) {
  for (const Loop& l : r.c.loops) {
    const Subject who = subject(r.c, l.where, "loop", l.name);
    check_ends(r, who, l);
    who.turn(l.rot, "its rotation");
    who.turn(l.other_rot, "its other rotation");
  }
  for (const Attachment& a : r.c.attachments) {
    const Subject who = subject(r.c, a.where, "attachment", a.name);
    check_ends(r, who, a);
    who.not_negative(a.stiffness, "stiffness");
    who.not_negative(a.damping, "damping");
    who.not_negative(a.rest, "rest length");
    who.not_negative(a.sharpness, "sharpness");
    who.must(a.restitution >= 0 && a.restitution <= 1, "its restitution is " + to_text(a.restitution),
             "write 0 to 1");
    who.must(a.break_length > a.rest,
             "break length " + to_text(a.break_length) + " is not above the rest length " + to_text(a.rest),
             "it would break at once");
  }
}

// A hinge or slide, whose position is a number.
void check_term(const References& r, const Subject& who, const DofTerm& term) {
  r.dof(who, term.dof);
  int first = 0;
  for (const Link& link : r.c.links)
    for (const Joint& joint : link.joints) {
      const int n = int(joint.dofs.size());
      if (term.dof >= first && term.dof < first + n)
        who.must(nq(joint) == nv(joint), "'" + joint.name + "' turns in space and has no angle of its own",
                 "name hinges and slides");
      first += n;
    }
  who.number(term.factor, "factor");
  who.must(term.factor != 0, "a factor of 0 couples nothing", "leave the joint out");
}

void check_couplings(const References& r) {
  Names names("coupling");
  for (const Coupling& c : r.c.couplings) {
    const Subject who = subject(r.c, c.where, "coupling", c.name);
    names.add(who, c.name);
    who.must(!c.terms.empty(), "couples no joint", "name one");
    for (const DofTerm& t : c.terms) check_term(r, who, t);
    for (const DofTerm& t : c.drivers) check_term(r, who, t);
    for (const double p : c.polynomial) who.number(p, "polynomial");
    who.number(c.zero, "zero"), who.number(c.driver_zero, "zero of what drives it");
    for (const DofTerm& t : c.drivers) {
      for (const DofTerm& own : c.terms)
        who.must(own.dof != t.dof, "joint '" + r.c.dofs()[size_t(t.dof)]->name + "' drives itself",
                 "name another joint");
    }
  }
  // what drives a joint must not follow it
  const auto follows = [&](int dof) -> const Coupling* {
    for (const Coupling& c : r.c.couplings)
      if (c.terms.size() == 1 && c.terms[0].dof == dof && c.drivers.size() == 1) return &c;
    return nullptr;
  };
  for (const Coupling& c : r.c.couplings) {
    if (c.terms.size() != 1 || c.drivers.size() != 1) continue;
    const Coupling* at = follows(c.drivers[0].dof);
    for (size_t steps = 0; at && at != &c && steps < r.c.couplings.size(); ++steps)
      at = follows(at->drivers[0].dof);
    subject(r.c, c.where, "coupling", c.name)
        .must(at != &c, "joint '" + r.c.dofs()[size_t(c.terms[0].dof)]->name + "' drives itself in a circle",
              "take one of the couplings out");
  }
}

// The link whose joints move a link: itself, or the one that it is fixed to at some distance; -1 = the world.
int mover(const Creature& c, int link) {
  while (link >= 0 && c.links[size_t(link)].joints.empty()) link = c.links[size_t(link)].parent;
  return link;
}

// Points of which some move against others, and none of which is followed by itself.
void check_path(const Creature& c, const Subject& who, const std::vector<TendonPoint>& points) {
  if (points.empty()) return;
  bool moves = false;
  for (size_t i = 0; i < points.size(); ++i) {
    const TendonPoint& p = points[i];
    const bool starts = i == 0 || p.starts, ends = i + 1 == points.size() || points[i + 1].starts;
    who.must(!starts || !ends, "has a point without a neighbour", "lead it from one point to another");
    if (starts) continue;
    const TendonPoint& before = points[i - 1];
    who.must(p.link != before.link || !(p.pos == before.pos), "runs from a point to itself",
             "lead it from one point to another");
    moves = moves || mover(c, p.link) != mover(c, before.link);
  }
  who.must(moves, "runs around nothing: no joint moves its points against each other",
           "lead it to a link beyond a joint");
}

void check_tendons(const References& r) {
  Names names("tendon");
  for (const Tendon& t : r.c.tendons) {
    const Subject who = subject(r.c, t.where, "tendon", t.name);
    names.add(who, t.name);
    who.must(t.terms.empty() != t.points.empty(), "runs around nothing",
             "give it joints, or points of links");
    for (const DofTerm& term : t.terms) check_term(r, who, term);
    for (const TendonPoint& p : t.points) {
      r.link(who, p.link, "a link", true);
      who.vector(p.pos, "a position");
      who.must(p.divisor > 0, "a pulley's divisor is not positive", "write 2");
    }
    who.must(t.points.empty() || t.points.size() > 1, "runs around nothing", "give it two points or more");
    check_path(r.c, who, t.points);
    who.range(t.lower, t.upper);
    for (const double x : {t.stiffness, t.damper, t.limit_stiffness, t.limit_damping})
      who.not_negative(x, "a stiffness or damping");
    who.range(t.rest_lower, t.rest_upper);
  }
  for (const Actuator& a : r.c.actuators)
    subject(r.c, a.where, "actuator", a.name)
        .must(a.tendon >= -1 && a.tendon < int(r.c.tendons.size()), "acts along no tendon of the body");
}

void check_points(const References& r) {
  Names contact_names("contact point"), label_names("label");
  for (const ContactPoint& p : r.c.contacts) {
    const Subject who = subject(r.c, p.where, "contact point", p.name);
    contact_names.add(who, p.name);
    r.link(who, p.link, "its link");
    who.vector(p.pos, "its position");
    who.not_negative(p.radius, "radius");
  }
  for (const Label& l : r.c.labels) {
    const Subject who = subject(r.c, l.where, "label", l.name);
    label_names.add(who, l.name);
    r.link(who, l.link, "its link");
    who.vector(l.pos, "its position");
  }
  const Subject who{r.c.where, "trunk"};
  for (const int i : r.c.trunk) r.link(who, i, "a link");
}

}  // namespace

double inertia_rounding(double mass, const Vec3d& moments) {
  constexpr double nanometre = 1e-9;
  return 1e-9 * std::max(std::fabs(moments[0]), std::fabs(moments[2])) + mass * nanometre * nanometre;
}

void check(const Creature& c) {
  check_tree(c);
  check_links(c);
  check_poses(c);
  check_moved_mass(c);
  const References references{c};
  check_legs(references);
  check_points(references);
  check_sensors(references);
  check_discovery(c);
  check_actuators(references);
  check_holds(references);
  check_couplings(references);
  check_tendons(references);
  const Subject who{c.where, quoted("creature", c.name)};
  who.not_negative(c.dt, "time step");
}

void check_pose(const Creature& creature, const std::string& pose) {
  if (creature.has_pose(pose)) return;
  std::vector<std::string> names;
  for (const Pose& known : creature.poses) names.push_back(known.name);
  throw Error({}, "pose", "'" + creature.name + "' has no pose '" + pose + "'", did_you_mean(pose, names));
}

}  // namespace legwork
