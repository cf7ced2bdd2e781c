#include "creature/complete.h"

#include <algorithm>
#include <cmath>

#include "base/within.h"
#include "creature/hull.h"
#include "creature/place.h"
#include "creature/shape.h"
#include "creature/side.h"

namespace legwork {

namespace {

bool is_zero(const Sym3d& s) {
  return s.xx == 0 && s.yy == 0 && s.zz == 0 && s.xy == 0 && s.xz == 0 && s.yz == 0;
}

void complete_mass(Link& link) {
  const bool mass_missing = link.mass < 0;
  if (!mass_missing && !is_zero(link.inertia)) return;
  MassProperties sum;
  for (const Shape& shape : link.shapes) {
    if (!shape.massive) continue;
    if (shape.type == ShapeType::mesh)
      if (const auto fault = mesh_fault(shape.mesh))
        throw within(link.where, "link '" + link.name + "'", *fault);
    sum = sum + mass_properties(shape);
  }
  if (mass_missing) link.mass = sum.mass;
  if (!(sum.mass > 0) || !(link.mass > 0)) return;
  if (!link.com_given) link.com = sum.com;
  if (is_zero(link.inertia)) link.inertia = sum.inertia * (link.mass / sum.mass);
}

std::vector<std::string> dof_endings(const Joint& joint) {
  switch (joint.type) {
    case JointType::ball:
      return {".x", ".y", ".z"};
    case JointType::free:
      return {".tx", ".ty", ".tz", ".rx", ".ry", ".rz"};
    case JointType::universal:
      return {".1", ".2"};
    case JointType::planar:
      return {".1", ".2", ".3"};
    case JointType::keyframed: {
      std::vector<std::string> endings;
      for (size_t i = 1; i <= joint.paths.size(); ++i)
        endings.push_back(joint.paths.size() == 1 ? ".k" : ".k" + std::to_string(i));
      return endings;
    }
    default:
      return {""};
  }
}

// Only for what touches. A hull of very many faces is slow: then that of its most extreme vertices stands for
// it.
void complete_hull(Shape& shape) {
  if (shape.type != ShapeType::mesh || !shape.touches || !shape.mesh.hull.empty()) return;
  constexpr size_t most_faces = 256;
  Hull hull = convex_hull(shape.mesh.vertices);
  if (hull.planes.size() > most_faces) {
    hull = convex_hull(extreme_points(shape.mesh, most_faces / 2));
  }
  shape.mesh.hull = hull.planes;
}

// Links with a moving joint between them and the world.
std::vector<bool> movable_links(const Creature& c) {
  std::vector<bool> movable(c.links.size());
  for (size_t i = 0; i < c.links.size(); ++i) {
    const Link& link = c.links[i];
    movable[i] = link.parent >= 0 && link.parent < int(i) && movable[link.parent];
    for (const Joint& joint : link.joints) movable[i] = movable[i] || nv(joint) > 0;
  }
  return movable;
}

void complete_contacts(Creature& c) {
  const std::vector<bool> movable = movable_links(c);
  const auto given = std::ptrdiff_t(c.contacts.size());
  for (size_t i = 0; i < c.links.size(); ++i) {
    const auto first = std::ptrdiff_t(c.contacts.size());  // where this link's own points begin
    Box box;
    for (const Shape& s : c.links[i].shapes) extend(box, bounding_box(s));
    const double same = 1e-9 * norm(box.upper - box.lower);
    int number = 0;
    for (const Shape& shape : c.links[i].shapes) {
      if (!shape.touches || !movable[i]) continue;
      for (const Ball& ball : contact_balls(shape)) {
        const std::string name = c.links[i].name + "." + std::to_string(++number);
        const auto covers = [&](const ContactPoint& p) {
          return p.link == int(i) && norm(p.pos - ball.pos) <= same && p.radius >= ball.radius - same;
        };
        const auto begin = c.contacts.begin();
        const bool known =
            std::any_of(begin, begin + given, covers) || std::any_of(begin + first, c.contacts.end(), covers);
        if (!known) c.contacts.push_back({name, int(i), ball.pos, ball.radius});
      }
    }
  }
}

// The middle of the lowest points among the foot's contact balls; without any, of its shapes' lowest points.
Vec3d lowest_point(const Creature& c, int foot, const LinkFrame& frame) {
  const Vec3d down = transpose_times(frame.R, Vec3d(0, 0, -1));
  std::vector<Vec3d> points;
  for (const ContactPoint& p : c.contacts)
    if (p.link == foot) points.push_back(p.pos + down * p.radius);
  if (points.empty())
    for (const Shape& s : c.links[foot].shapes) points.push_back(support(s, down));
  if (points.empty()) return {};
  Box box;
  double lowest = -unlimited;
  for (const Vec3d& p : points) extend(box, p), lowest = std::max(lowest, dot(down, p));
  const double level = lowest - 0.01 * norm(box.upper - box.lower);
  Vec3d sum;
  int count = 0;
  for (const Vec3d& p : points)
    if (dot(down, p) >= level) sum += p, ++count;
  return sum * (1.0 / count);
}

void complete_legs(Creature& c) {
  const std::vector<double> stand = c.pose("stand");
  const bool placeable = int(stand.size()) == c.nq();  // else check() complains
  const std::vector<LinkFrame> frames = placeable ? place(c, stand) : std::vector<LinkFrame>();
  for (Leg& leg : c.legs) {
    if (leg.side == Side::none) leg.side = side_of(leg.name);
    if (leg.foot < 0 || leg.foot >= int(c.links.size())) continue;
    if (!leg.sole_given && placeable) {
      leg.sole = lowest_point(c, leg.foot, frames[leg.foot]);
      leg.sole_given = true;
    }
    bool touches = false;
    for (ContactPoint& p : c.contacts)
      if (p.link == leg.foot) p.foot = touches = true;
    if (!touches) c.contacts.push_back({leg.name + ".sole", leg.foot, leg.sole, 0, true});
  }
}

bool in_order(const Creature& c) {
  for (size_t i = 0; i < c.links.size(); ++i)
    if (c.links[i].parent < -1 || c.links[i].parent >= int(i)) return false;
  return true;
}

bool axes_given(const Joint& joint) {
  const size_t needed = joint.type == JointType::hinge || joint.type == JointType::slide        ? 1
                        : joint.type == JointType::universal || joint.type == JointType::planar ? 2
                                                                                                : 0;
  return joint.axes.size() >= needed;
}

}  // namespace

void name_joints(Link& link) {
  int number = 0;
  const auto moving = std::count_if(link.joints.begin(), link.joints.end(),
                                    [](const Joint& j) { return j.type != JointType::fixed; });
  for (Joint& joint : link.joints) {
    if (joint.type != JointType::fixed) ++number;
    if (joint.name.empty()) joint.name = moving < 2 ? link.name : link.name + "." + std::to_string(number);
    const size_t n = nv(joint);
    if (joint.dofs.size() < n) joint.dofs.resize(n);
    const std::vector<std::string> endings = dof_endings(joint);
    for (size_t i = 0; i < n; ++i) {
      Dof& dof = joint.dofs[i];
      if (dof.name.empty()) dof.name = joint.name + endings[i];
      if (joint.type == JointType::keyframed && dof.lower == -unlimited && dof.upper == unlimited)
        dof.lower = -1, dof.upper = 1;
    }
  }
}

void complete(Creature& c) {
  for (Link& link : c.links) {
    complete_mass(link);
    name_joints(link);
    for (Shape& shape : link.shapes) complete_hull(shape);
  }
  complete_contacts(c);
  // what cannot be placed is left for check() to complain about
  const bool jointed = std::all_of(c.links.begin(), c.links.end(), [](const Link& link) {
    return std::all_of(link.joints.begin(), link.joints.end(), axes_given);
  });
  if (!in_order(c) || !jointed) return;
  complete_legs(c);
  if (!c.has_pose("stand")) c.poses.push_back({"stand", c.pose("stand")});
}

}  // namespace legwork
