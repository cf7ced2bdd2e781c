#include "creature/mirror.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace legwork {

namespace {

Vec3d image(const Vec3d& v) { return {v.x, -v.y, v.z}; }
Vec3d axial_image(const Vec3d& v) { return {-v.x, v.y, -v.z}; }
Quatd image(const Quatd& q) { return {q.w, -q.x, q.y, -q.z}; }
Sym3d image(const Sym3d& s) { return {s.xx, s.yy, s.zz, -s.xy, s.xz, -s.yz}; }
// Angles about x, y, z, then translations.
std::array<double, 6> image(const std::array<double, 6>& k) {
  return {-k[0], k[1], -k[2], k[3], -k[4], k[5]};
}

Shape image(Shape s) {
  s.pos = image(s.pos);
  s.rot = image(s.rot);
  for (Vec3d& v : s.mesh.vertices) v = image(v);
  for (auto& t : s.mesh.triangles) std::swap(t[1], t[2]);
  for (Plane& plane : s.mesh.hull) plane.normal = image(plane.normal);
  return s;
}

// The same degree of freedom, counted the other way.
Dof reversed(Dof d) {
  const double lower = d.lower;
  d.lower = -d.upper;
  d.upper = -lower;
  d.spring.rest = -d.spring.rest;
  return d;
}

// The name of the twin of something that belongs to a right link.
std::string twin_of(const Link& link, const std::string& kind, const std::string& name) {
  if (!name.empty() && side_of(name) != Side::right)
    throw Error(link.where, kind + " '" + name + "'",
                "belongs to the right link '" + link.name +
                    "' but its name has no side, so its mirror image would have the same one",
                "call it 'r_" + name + "', or leave it unnamed");
  return mirrored_name(name);
}

// The left twin of a right link's joint. Rotations in space have fixed axes, so some of their coordinates
// change sign.
Joint image(const Link& link, Joint joint) {
  joint.name = twin_of(link, "joint", joint.name);
  const bool turns = joint.type == JointType::hinge || joint.type == JointType::universal;
  for (Vec3d& a : joint.axes) a = turns ? axial_image(a) : image(a);
  joint.anchor = image(joint.anchor);
  joint.neutral = image(joint.neutral);
  for (Keyframes& k : joint.paths) k = {image(k.min), image(k.max)};
  for (Dof& dof : joint.dofs) dof.name = twin_of(link, "degree of freedom", dof.name);
  std::vector<int> opposite;
  if (joint.type == JointType::ball) opposite = {0, 2};
  if (joint.type == JointType::free) opposite = {1, 3, 5};
  for (const int i : opposite)
    if (i < int(joint.dofs.size())) joint.dofs[i] = reversed(joint.dofs[i]);
  return joint;
}

Link image(Link link, int parent) {
  const Link right = link;
  link.name = mirrored_name(link.name);
  link.parent = parent;
  link.pos = image(link.pos);
  link.rot = image(link.rot);
  link.com = image(link.com);
  link.inertia = image(link.inertia);
  for (Joint& joint : link.joints) joint = image(right, joint);
  for (Shape& shape : link.shapes) shape = image(shape);
  return link;
}

// +1 or -1 when a is b or its opposite, else 0.
template <class A>
int sign_between(const A& a, const A& b, int size) {
  double same = 0, opposite = 0;
  for (int i = 0; i < size; ++i) {
    same = std::max(same, std::fabs(a[i] - b[i]));
    opposite = std::max(opposite, std::fabs(a[i] + b[i]));
  }
  return same <= 1e-9 ? 1 : opposite <= 1e-9 ? -1 : 0;
}

// How the coordinate k of a joint in the middle changes when the creature is mirrored: times 1 or -1; 0 when
// the mirrored motion is not one of that coordinate.
int middle_sign(const Joint& joint, int k) {
  switch (joint.type) {
    case JointType::hinge:
    case JointType::universal:
      return sign_between(axial_image(joint.axes[k]), joint.axes[k], 3);
    case JointType::slide:
      return sign_between(image(joint.axes[k]), joint.axes[k], 3);
    case JointType::planar: {
      if (k < 2) return sign_between(image(joint.axes[k]), joint.axes[k], 3);
      const Vec3d axis = cross(joint.axes[0], joint.axes[1]);
      return sign_between(axial_image(axis), axis, 3);
    }
    case JointType::keyframed: {
      const Keyframes& path = joint.paths[k];
      const auto is = [](const std::array<double, 6>& a, const std::array<double, 6>& b) {
        return sign_between(a, b, 6) == 1;
      };
      if (is(image(path.min), path.min) && is(image(path.max), path.max)) return 1;
      return is(image(path.min), path.max) ? -1 : 0;
    }
    case JointType::ball:
      return k == 1 ? 1 : -1;
    case JointType::free:
      return k == 1 || k == 3 || k == 5 ? -1 : 1;
    case JointType::fixed:
      break;
  }
  return 0;
}

// Which link, degree of freedom and coordinate is the image of which, once all twins exist.
class Pairs {
 public:
  explicit Pairs(const Creature& c) : c_(c) {
    int q = 0, v = 0;
    for (const Link& link : c.links) {
      const int other = side_of(link.name) == Side::none ? -1 : c.link(mirrored_name(link.name));
      twin_.push_back(side_of(link.name) == Side::none ? int(twin_.size()) : other);
      first_q_.push_back(q);
      first_v_.push_back(v);
      for (const Joint& joint : link.joints) {
        q += nq(joint);
        for (int k = 0; k < nv(joint); ++k, ++v) link_of_dof_.push_back(int(twin_.size()) - 1);
      }
    }
  }

  int link(const Where& where, const std::string& who, int i) const {
    if (i < 0 || i >= int(twin_.size())) return i;  // the world, or left for check()
    if (twin_[i] < 0)
      throw Error(where, who,
                  "refers to '" + c_.links[i].name + "', which has no mirror image '" +
                      mirrored_name(c_.links[i].name) + "'",
                  "give it one, or name this without a side");
    return twin_[i];
  }

  // The image of a degree of freedom and the sign with which its coordinate changes.
  std::pair<int, int> dof(const Where& where, const std::string& who, int i) const {
    if (i < 0 || i >= int(link_of_dof_.size())) return {i, 1};
    const int from = link_of_dof_[i], to = link(where, who, from);
    int k = i - first_v_[from];
    const int j = first_v_[to] + k;
    if (j >= int(link_of_dof_.size()) || link_of_dof_[j] != to)
      throw Error(
          where, who,
          "refers to a joint of '" + c_.links[from].name + "' that '" + c_.links[to].name + "' has not",
          "give both the same joints");
    for (const Joint& joint : c_.links[from].joints) {
      if (k >= nv(joint)) {
        k -= nv(joint);
        continue;
      }
      const bool in_space = joint.type == JointType::ball || joint.type == JointType::free;
      const int sign = from == to || in_space ? middle_sign(joint, k) : 1;
      if (sign == 0)
        throw Error(where, who, "moves joint '" + joint.name + "' in the middle, whose axis is not symmetric",
                    "write the left one by hand");
      return {j, sign};
    }
    return {j, 1};
  }

  // Image of a configuration: each link moves as the mirror image of its twin. From `first` on; the
  // coordinates of links before it stay.
  std::vector<double> configuration(const Pose& pose, const std::vector<double>& q, int first) const {
    std::vector<double> out = q;
    const std::string who = "pose '" + pose.name + "'";
    for (int i = first; i < int(c_.links.size()); ++i) {
      const int from = link(pose.where, who, i);
      int at = first_q_[i], source = first_q_[from], dof_at = first_v_[i];
      for (const Joint& joint : c_.links[i].joints) {
        const int n = nq(joint);
        const int rotation = joint.type == JointType::free ? 3 : 0;
        if (source + n > int(q.size())) break;  // twins with other joints: left for check()
        if (joint.type == JointType::ball || joint.type == JointType::free) {
          const Quatd r = image(Quatd(q[source + rotation], q[source + rotation + 1],
                                      q[source + rotation + 2], q[source + rotation + 3]));
          if (rotation) out[at] = q[source], out[at + 1] = -q[source + 1], out[at + 2] = q[source + 2];
          out[at + rotation] = r.w, out[at + rotation + 1] = r.x;
          out[at + rotation + 2] = r.y, out[at + rotation + 3] = r.z;
        } else {
          for (int k = 0; k < n; ++k) {
            const double x = q[source + k];
            out[at + k] = dof(pose.where, who, dof_at + k).second > 0 ? x : 2 * joint.q_zero - x;
          }
        }
        at += n;
        source += n;
        dof_at += nv(joint);
      }
    }
    return out;
  }

 private:
  const Creature& c_;
  std::vector<int> twin_, first_q_, first_v_, link_of_dof_;
};

// Appends the image of every right-named item whose twin is not there yet.
template <class Item, class Reflect>
void mirror_items(std::vector<Item>& items, const std::string& kind, Reflect reflect) {
  const size_t n = items.size();
  for (size_t i = 0; i < n; ++i) {
    if (side_of(items[i].name) != Side::right) continue;
    Item twin = items[i];
    const std::string who = kind + " '" + twin.name + "'";
    twin.name = mirrored_name(twin.name);
    const bool known =
        std::any_of(items.begin(), items.end(), [&](const Item& other) { return other.name == twin.name; });
    if (known) continue;
    reflect(twin, who);
    items.push_back(std::move(twin));
  }
}

void mirror_links(Creature& c) {
  const size_t n = c.links.size();
  std::vector<int> twin(n);
  for (size_t i = 0; i < n; ++i) {
    twin[i] = int(i);
    if (side_of(c.links[i].name) != Side::right) continue;
    const int parent = c.links[i].parent;
    const bool known_parent = parent >= 0 && parent < int(i);
    twin[i] = c.link(mirrored_name(c.links[i].name));
    if (twin[i] >= 0) continue;
    twin[i] = int(c.links.size());
    c.links.push_back(image(c.links[i], known_parent ? twin[parent] : parent));
  }
}

void mirror_legs(Creature& c, const Pairs& pairs) {
  mirror_items(c.legs, "leg", [&](Leg& leg, const std::string& who) {
    leg.side = Side::left;
    leg.sole = image(leg.sole);
    for (int* link : {&leg.hip, &leg.knee, &leg.foot}) *link = pairs.link(leg.where, who, *link);
    for (std::vector<Move>* program : {&leg.step, &leg.stance})
      for (Move& move : *program) {
        const auto [dof, sign] = pairs.dof(leg.where, who, move.dof);
        move.dof = dof;
        move.to *= sign;
      }
  });
  for (Leg& leg : c.legs)
    if (leg.side == Side::none) leg.side = side_of(leg.name);
}

// Poses of before get the coordinates of the new links, then those of one side their images.
void mirror_poses(Creature& c, const Pairs& pairs, int first_new, int nq_before) {
  const int n = c.nq();
  for (Pose& pose : c.poses) {
    if (int(pose.q.size()) != nq_before) continue;  // left for check()
    pose.q.resize(n);
    pose.q = pairs.configuration(pose, pose.q, first_new);
  }
  mirror_items(c.poses, "pose", [&](Pose& pose, const std::string&) {
    if (int(pose.q.size()) == n) pose.q = pairs.configuration(pose, pose.q, 0);
  });
}

}  // namespace

void mirror(Creature& c) {
  const int first_new = int(c.links.size()), nq_before = c.nq();
  mirror_links(c);
  const Pairs pairs(c);
  const auto reflect_link = [&](const Where& where, const std::string& who, int& link, Vec3d& pos) {
    link = pairs.link(where, who, link);
    pos = image(pos);
  };

  mirror_legs(c, pairs);
  mirror_items(c.contacts, "contact point",
               [&](ContactPoint& p, const std::string& who) { reflect_link(p.where, who, p.link, p.pos); });
  mirror_items(c.labels, "label",
               [&](Label& l, const std::string& who) { reflect_link(l.where, who, l.link, l.pos); });
  mirror_items(c.sensors, "sensor", [&](Sensor& s, const std::string& who) {
    reflect_link(s.where, who, s.link, s.pos);
    reflect_link(s.where, who, s.other, s.other_pos);
    const auto [dof, sign] = pairs.dof(s.where, who, s.dof);
    s.dof = dof;
    if (s.type == SensorType::eye || (sign < 0 && s.type == SensorType::angle))
      s.lower = -std::exchange(s.upper, -s.lower);
  });
  mirror_items(c.actuators, "actuator", [&](Actuator& a, const std::string& who) {
    reflect_link(a.where, who, a.link, a.pos);
    reflect_link(a.where, who, a.other, a.other_pos);
    const auto [dof, sign] = pairs.dof(a.where, who, a.dof);
    a.dof = dof;
    a.gear *= sign;  // the same command drives the mirrored motion
  });
  mirror_items(c.loops, "loop", [&](Loop& l, const std::string& who) {
    reflect_link(l.where, who, l.link, l.pos);
    reflect_link(l.where, who, l.other, l.other_pos);
    l.rot = image(l.rot);
    l.other_rot = image(l.other_rot);
  });
  const auto reflect_terms = [&](const Where& where, const std::string& who, std::vector<DofTerm>& terms) {
    for (DofTerm& term : terms) {
      const auto [dof, sign] = pairs.dof(where, who, term.dof);
      term.dof = dof;
      term.factor *= sign;
    }
  };
  mirror_items(c.couplings, "coupling", [&](Coupling& coupling, const std::string& who) {
    reflect_terms(coupling.where, who, coupling.terms);
    reflect_terms(coupling.where, who, coupling.drivers);
  });
  mirror_items(c.tendons, "tendon", [&](Tendon& t, const std::string& who) {
    reflect_terms(t.where, who, t.terms);
    for (TendonPoint& p : t.points) reflect_link(t.where, who, p.link, p.pos);
  });
  mirror_items(c.attachments, "attachment", [&](Attachment& a, const std::string& who) {
    reflect_link(a.where, who, a.link, a.pos);
    reflect_link(a.where, who, a.other, a.other_pos);
  });

  mirror_poses(c, pairs, first_new, nq_before);
}

}  // namespace legwork
