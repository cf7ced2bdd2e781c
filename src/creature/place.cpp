#include "creature/place.h"

#include <algorithm>
#include <cmath>

#include "creature/tree.h"
#include "math/real.h"

namespace legwork {

namespace {

Mat3d rotation(const Vec3d& axis, double angle) {
  const double s = sin(angle / 2);
  return matrix(Quatd(cos(angle / 2), axis.x * s, axis.y * s, axis.z * s));
}

Quatd quaternion_at(const double* q) { return normalized(Quatd(q[0], q[1], q[2], q[3])); }

// A frame on its way from the parent to the link, and the directions of the joints passed: world axes, about
// the world's origin.
struct Walker {
  LinkFrame f;
  std::vector<Twist<double>> directions;

  void add_turn(const Vec3d& axis, const Vec3d& through) {
    directions.push_back({axis, cross(through, axis)});
  }

  void hinge(const Vec3d& axis, const Vec3d& anchor, double angle) {
    const Vec3d at = f.p + f.R * anchor;
    add_turn(f.R * axis, at);
    f.R = f.R * rotation(axis, angle);
    f.p = at - f.R * anchor;
  }

  void slide(const Vec3d& axis, double way) {
    directions.push_back({{}, f.R * axis});
    f.p += f.R * axis * way;
  }

  void ball(const Vec3d& anchor, const double* q) {
    const Vec3d at = f.p + f.R * anchor;
    f.R = f.R * matrix(quaternion_at(q));
    f.p = at - f.R * anchor;
    for (int i = 0; i < 3; ++i) add_turn(f.R.column(i), at);
  }

  void free(const double* q) {
    f.p = {q[0], q[1], q[2]};
    f.R = matrix(quaternion_at(q + 3));
    for (int i = 0; i < 3; ++i) directions.push_back({{}, Mat3d::identity().column(i)});
    for (int i = 0; i < 3; ++i) add_turn(f.R.column(i), f.p);
  }

  // Wills's paths: natural cubic splines through keyframes at q = -1, 0, 1, linear beyond; translation along
  // the axes before the joint, then rotation about fixed x, y, z.
  void paths(const Joint& joint, const double* q) {
    std::array<double, 6> x = joint.neutral;
    std::vector<std::array<double, 6>> rates(joint.paths.size());
    for (size_t j = 0; j < joint.paths.size(); ++j)
      for (int i = 0; i < 6; ++i) {
        const double slope = (joint.paths[j].max[i] - joint.paths[j].min[i]) / 2;
        const double bend = 1.5 * (joint.paths[j].max[i] + joint.paths[j].min[i]);
        const double in = min(max(q[j], -1.0), 1.0), a = abs(in);
        rates[j][i] = slope + bend * (in - 0.5 * in * a);
        x[i] += slope * in + bend * in * in * (0.5 - a / 6) + rates[j][i] * (q[j] - in);
      }
    const Mat3d before = f.R;
    f.p += before * Vec3d(x[3], x[4], x[5]);
    Vec3d axis[3];
    for (const int i : {2, 1, 0}) {
      axis[i] = f.R.column(i);
      f.R = f.R * rotation(Mat3d::identity().column(i), x[i]);
    }
    for (const auto& rate : rates) {
      add_turn(axis[0] * rate[0] + axis[1] * rate[1] + axis[2] * rate[2], f.p);
      directions.back().lin += before * Vec3d(rate[3], rate[4], rate[5]);
    }
  }

  void pass(const Joint& joint, const double* q) {
    switch (joint.type) {
      case JointType::fixed:
        return;
      case JointType::hinge:
        return hinge(joint.axes[0], joint.anchor, q[0] - joint.q_zero);
      case JointType::slide:
        return slide(joint.axes[0], q[0] - joint.q_zero);
      case JointType::ball:
        return ball(joint.anchor, q);
      case JointType::universal:
        hinge(joint.axes[0], joint.anchor, q[0]);
        return hinge(joint.axes[1], joint.anchor, q[1]);
      case JointType::planar:
        slide(joint.axes[0], q[0]);
        slide(joint.axes[1], q[1]);
        return hinge(normalized(cross(joint.axes[0], joint.axes[1])), joint.anchor, q[2]);
      case JointType::free:
        return free(q);
      case JointType::keyframed:
        return paths(joint, q);
    }
  }
};

// Calls visit(link, walker) with every link's walker at the link.
template <class Visit>
void walk_links(const Creature& creature, const std::vector<double>& q, Visit visit) {
  std::vector<LinkFrame> frames(creature.links.size());
  const double* at = q.data();
  for (size_t i = 0; i < creature.links.size(); ++i) {
    const Link& link = creature.links[i];
    const LinkFrame parent = link.parent < 0 ? LinkFrame() : frames[link.parent];
    Walker walker{{parent.R * matrix(link.rot), parent.p + parent.R * link.pos}, {}};
    for (const Joint& joint : link.joints) {
      walker.pass(joint, at);
      at += nq(joint);
    }
    frames[i] = walker.f;
    visit(int(i), walker);
  }
}

}  // namespace

std::vector<LinkFrame> place(const Creature& creature, const std::vector<double>& q) {
  std::vector<LinkFrame> frames;
  walk_links(creature, q, [&](int, const Walker& w) { frames.push_back(w.f); });
  return frames;
}

std::vector<Twist<double>> dof_directions(const Creature& creature, const std::vector<double>& q) {
  std::vector<Twist<double>> all;
  walk_links(creature, q, [&](int, const Walker& w) {
    for (const Twist<double>& d : w.directions) all.push_back(shift(d, w.f.p));
  });
  return all;
}

std::vector<double> rising_velocity(const Creature& creature, const std::vector<double>& q, int root) {
  const std::vector<char> carries = root_dofs(creature);
  const std::vector<int> first = dof_begins(creature);
  const std::vector<Twist<double>> directions = dof_directions(creature, q);
  std::vector<double> v(carries.size(), 0);
  double share = 0;
  Vec3d rise;
  for (size_t link = 0; link < creature.links.size(); ++link) {
    if (root_of(creature, int(link)) != root) continue;
    for (size_t j = size_t(first[link]); j < size_t(first[link + 1]); ++j) {
      if (!carries[j] || norm(directions[j].ang) > 0) continue;
      v[j] = directions[j].lin.z;
      share += v[j] * v[j], rise += directions[j].lin * v[j];
    }
  }
  if (!(share > 0) || norm(rise - Vec3d(0, 0, share)) > 1e-6 * share) return {};
  for (double& x : v) x /= share;
  return v;
}

Roaming roaming(const Creature& c, int root) {
  const Link& link = c.links[size_t(root)];
  if (!link.joints.empty() && link.joints[0].type == JointType::free) return Roaming::freely;
  int slides = 0, turns = 0, dof = 0;
  for (int b = 0; b < root; ++b)
    for (const Joint& joint : c.links[size_t(b)].joints) dof += nv(joint);
  int own = 0;
  for (const Joint& joint : link.joints) own += nv(joint);
  const std::vector<Twist<double>> directions = dof_directions(c, c.pose("stand"));
  constexpr double little = 1e-6;
  for (int d = dof; d < dof + own; ++d) {
    const Twist<double>& S = directions[size_t(d)];
    slides += norm(S.ang) < little && std::fabs(S.lin.y) < little;
    turns += norm(S.lin) < little && std::fabs(std::fabs(S.ang.y) - 1) < little;
  }
  return own == 3 && slides == 2 && turns == 1 ? Roaming::in_its_plane : Roaming::otherwise;
}

Box bounding_box(const Creature& creature, const std::vector<double>& q) {
  Box box, origins;
  walk_links(creature, q, [&](int i, const Walker& w) {
    extend(origins, w.f.p);
    for (const Shape& s : creature.links[i].shapes) extend(box, bounding_box(s, w.f.R, w.f.p));
  });
  return box.lower.x <= box.upper.x ? box : origins;
}

// The pivots of the articulated-body algorithm (Featherstone, RBDA ch. 7).
std::vector<double> dof_resistance(const Creature& c) {
  const std::vector<double> q = c.pose("stand");
  const std::vector<LinkFrame> frames = place(c, q);
  const std::vector<Twist<double>> S = dof_directions(c, q);
  std::vector<Inertia<double>> IA;
  double reach = 0;  // the body's size
  for (size_t i = 0; i < c.links.size(); ++i) {
    const Link& link = c.links[i];
    const Mat3d& R = frames[i].R;
    IA.push_back(rigid_inertia(link.mass, R * link.com, rotate(R, link.inertia)));
    const Vec3d root = link.parent < 0 ? frames[i].p : frames[link.parent].p;
    reach = std::max(reach, norm(frames[i].p + R * link.com - root));
  }
  std::vector<double> share(S.size());
  int j = int(S.size());
  const std::vector<const Dof*> dofs = c.dofs();
  for (int i = int(c.links.size()) - 1; i >= 0; --i) {
    const Inertia<double> whole = IA[i];
    int count = 0;
    for (const Joint& joint : c.links[i].joints) count += nv(joint);
    for (const int first = j - count; j > first; --j) {
      const Twist<double>& s = S[j - 1];
      const Wrench<double> U = IA[i] * s;
      const double D = dot(s, U) + dofs[j - 1]->armature;
      const double rounding = 1e-18 * whole.M.xx * reach * reach * dot(s.ang, s.ang);
      const double composite = dot(s, whole * s) + dofs[j - 1]->armature;
      share[j - 1] = composite > rounding ? D / composite : 0;
      if (share[j - 1] > no_resistance) subtract_outer(IA[i], U, 1 / D);
    }
    if (c.links[i].parent >= 0)
      add_shifted(IA[c.links[i].parent], IA[i], frames[i].p - frames[c.links[i].parent].p);
  }
  return share;
}

}  // namespace legwork
