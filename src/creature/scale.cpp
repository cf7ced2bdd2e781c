#include "creature/scale.h"

#include "math/vec.h"

#include <cmath>

namespace legwork {

namespace {

void scale_shape(Shape& shape, double s) {
  shape.pos = shape.pos * s;
  shape.size = shape.size * s;
  for (Vec3d& v : shape.mesh.vertices) v = v * s;
  for (Plane& plane : shape.mesh.hull) plane.offset *= s;
}

void scale_keyframe(std::array<double, 6>& k, double s) {
  for (int i = 3; i < 6; ++i) k[i] *= s;
}

// Mass by volume; a mass still to come from the shapes follows them.
void scale_body(Link& link, double s) {
  if (link.mass > 0) link.mass *= s * s * s;
  link.com = link.com * s;
  link.inertia = link.inertia * (s * s * s * s * s);
  for (Shape& shape : link.shapes) scale_shape(shape, s);
  for (Joint& joint : link.joints) joint.anchor = joint.anchor * s;
}

// Whether coordinate k (of v) of a joint is a length.
bool is_length(const Joint& joint, int k) {
  return joint.type == JointType::slide || (joint.type == JointType::planar && k < 2) ||
         (joint.type == JointType::free && k < 3);
}

// The powers of s of what acts along a degree of freedom.
struct Powers {
  double coordinate, force, stiffness, damping, inertia;
};
Powers powers(bool length, double s) {
  const double s2 = s * s, root = std::sqrt(s);
  return length ? Powers{s, s2 * s, s2, s2 * root, s2 * s}
                : Powers{1, s2 * s2, s2 * s2, s2 * s2 * root, s2 * s2 * s};
}

void scale_dof(Dof& d, const Powers& p) {
  d.lower *= p.coordinate;
  d.upper *= p.coordinate;
  d.limit_stiffness *= p.stiffness;
  d.limit_damping *= p.damping;
  d.spring.rest *= p.coordinate;
  d.spring.stiffness *= d.spring.type == SpringType::exponential ? p.force : p.stiffness;
  d.spring.sharpness /= p.coordinate;
  d.damper *= p.damping;
  d.armature *= p.inertia;
  d.friction *= p.force;
}

void scale_actuator(Actuator& a, const Powers& p) {
  if (a.type == ActuatorType::motor) {
    a.gear *= p.force;  // the command stays what it was
    return;
  }
  a.ks *= p.stiffness;
  a.kd *= p.damping;
  a.lower *= p.coordinate;
  a.upper *= p.coordinate;
  a.strength *= p.force;
}

void scale_pose(const Creature& c, std::vector<double>& q, double s) {
  if (int(q.size()) != c.nq()) return;  // left for check()
  size_t at = 0;
  for (const Link& link : c.links)
    for (const Joint& joint : link.joints) {
      for (int k = 0; k < nv(joint); ++k)
        if (is_length(joint, k)) q[at + k] *= s;
      at += nq(joint);
    }
}

// Calls visit(link, pos) for every point that sits on a link, but for links themselves.
template <class Visit>
void for_each_point(Creature& c, Visit visit) {
  for (Leg& leg : c.legs) visit(leg.foot, leg.sole);
  for (ContactPoint& p : c.contacts) visit(p.link, p.pos);
  for (Label& l : c.labels) visit(l.link, l.pos);
  for (Sensor& s : c.sensors) visit(s.link, s.pos), visit(s.other, s.other_pos);
  for (Actuator& a : c.actuators) visit(a.link, a.pos), visit(a.other, a.other_pos);
  for (Loop& l : c.loops) visit(l.link, l.pos), visit(l.other, l.other_pos);
  for (Attachment& a : c.attachments) visit(a.link, a.pos), visit(a.other, a.other_pos);
  for (Tendon& t : c.tendons)
    for (TendonPoint& p : t.points) visit(p.link, p.pos);
}

}  // namespace

void scale(Creature& c, double s) {
  std::vector<bool> length;  // whether each degree of freedom is a length
  for (Pose& pose : c.poses) scale_pose(c, pose.q, s);
  for (Link& link : c.links) {
    scale_body(link, s);
    link.pos = link.pos * s;
    for (Joint& joint : link.joints) {
      if (joint.type == JointType::slide) joint.q_zero *= s;
      scale_keyframe(joint.neutral, s);
      for (Keyframes& k : joint.paths) scale_keyframe(k.min, s), scale_keyframe(k.max, s);
      for (int k = 0; k < nv(joint); ++k) {
        length.push_back(is_length(joint, k));
        if (k < int(joint.dofs.size())) scale_dof(joint.dofs[k], powers(length.back(), s));
      }
    }
  }
  for_each_point(c, [&](int, Vec3d& pos) { pos = pos * s; });
  for (ContactPoint& p : c.contacts) p.radius *= s;
  const auto is_dof_length = [&](int dof) { return dof >= 0 && dof < int(length.size()) && length[dof]; };
  for (Sensor& sensor : c.sensors)
    if (sensor.type == SensorType::length || sensor.type == SensorType::terrain ||
        (sensor.type == SensorType::angle && is_dof_length(sensor.dof)))
      sensor.lower *= s, sensor.upper *= s, sensor.ahead *= s;
  // the length of a tendon is a length where it runs through points or over slides
  const auto is_tendon_length = [&](int tendon) {
    const Tendon& t = c.tendons[size_t(tendon)];
    return t.terms.empty() || is_dof_length(t.terms[0].dof);
  };
  for (Actuator& a : c.actuators) {
    const bool along = a.tendon >= 0 && a.tendon < int(c.tendons.size());
    scale_actuator(a, powers(a.type == ActuatorType::linear ||
                                 (along ? is_tendon_length(a.tendon) : is_dof_length(a.dof)),
                             s));
    a.lag *= std::sqrt(s);
  }
  for (size_t i = 0; i < c.tendons.size(); ++i) {
    Tendon& t = c.tendons[i];
    const Powers p = powers(is_tendon_length(int(i)), s);
    t.lower *= p.coordinate, t.upper *= p.coordinate;
    t.rest_lower *= p.coordinate, t.rest_upper *= p.coordinate;
    t.stiffness *= p.stiffness, t.limit_stiffness *= p.stiffness;
    t.damper *= p.damping, t.limit_damping *= p.damping;
  }
  for (Coupling& coupling : c.couplings) {
    const auto unit = [&](const std::vector<DofTerm>& terms) {
      return !terms.empty() && is_dof_length(terms[0].dof) ? s : 1;
    };
    const double out = unit(coupling.terms), in = unit(coupling.drivers);
    coupling.zero *= out, coupling.driver_zero *= in;
    double factor = out;
    for (double& p : coupling.polynomial) p *= factor, factor /= in;
  }
  for (Attachment& a : c.attachments) {
    const Powers p = powers(true, s);
    a.stiffness *= a.sharpness > 0 ? p.force : p.stiffness;
    a.damping *= p.damping;
    a.rest *= s;
    a.sharpness /= s;
    a.break_length *= s;
  }
  for (Leg& leg : c.legs)
    for (std::vector<Move>* program : {&leg.step, &leg.stance})
      for (Move& move : *program)
        if (move.dof >= 0 && move.dof < int(length.size()) && length[size_t(move.dof)]) move.to *= s;
  c.dt *= std::sqrt(s);
  c.step_time *= std::sqrt(s);
  c.discovery.cycle *= std::sqrt(s);
}

void scale_link(Creature& c, int link, double s) {
  scale_body(c.links[link], s);
  for (Link& child : c.links)
    if (child.parent == link) {
      child.pos = child.pos * s;
      // what a keyframed joint adds to the place of attachment grows with it
      for (Joint& joint : child.joints) {
        scale_keyframe(joint.neutral, s);
        for (Keyframes& k : joint.paths) scale_keyframe(k.min, s), scale_keyframe(k.max, s);
      }
    }
  for_each_point(c, [&](int on, Vec3d& pos) {
    if (on == link) pos = pos * s;
  });
  for (ContactPoint& p : c.contacts)
    if (p.link == link) p.radius *= s;
}

void scale_mass(Link& link, double factor) {
  link.mass *= factor;
  link.inertia = link.inertia * factor;
}

}  // namespace legwork
