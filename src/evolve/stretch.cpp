#include "evolve/stretch.h"

#include <algorithm>
#include <cmath>

#include "creature/shape.h"
#include "math/real.h"
#include "math/scalar.h"
#include "math/vec.h"

namespace legwork::evolution {

namespace {

constexpr double stress = 3e5;  // Pa, of vertebrates' muscles

// across I + (along - across) d d'
Mat3d stretching(const Vec3d& d, double along, double across) {
  Mat3d S = Mat3d::identity();
  const double u[3] = {d.x, d.y, d.z};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) S(i, j) = (i == j ? across : 0.0) + (along - across) * u[i] * u[j];
  return S;
}

void stretch_shape(Shape& shape, const Mat3d& S) {
  const Mat3d R = matrix(shape.rot);
  const double x = norm(S * R.column(0)), y = norm(S * R.column(1)), z = norm(S * R.column(2));
  shape.pos = S * shape.pos;
  switch (shape.type) {
    case ShapeType::box:
    case ShapeType::ellipsoid:
      shape.size = {shape.size.x * x, shape.size.y * y, shape.size.z * z};
      break;
    case ShapeType::sphere:
      shape.size.x *= std::min({x, y, z});
      break;
    case ShapeType::capsule:
    case ShapeType::cylinder:
      shape.size.x *= std::sqrt(x * y), shape.size.y *= z;
      break;
    case ShapeType::mesh:
      for (Vec3d& v : shape.mesh.vertices) v = transpose_times(R, S * (R * v));
      shape.mesh.hull.clear();
      break;
  }
}

// Exact for a solid whose every point moves by S: its second moments become S C S'.
Sym3d stretched(const Sym3d& I, const Mat3d& S) {
  const double half = 0.5 * (I.xx + I.yy + I.zz);
  const Sym3d C{half - I.xx, half - I.yy, half - I.zz, -I.xy, -I.xz, -I.yz};
  const Sym3d moved = rotate(S, C);
  const double all = moved.xx + moved.yy + moved.zz;
  return {all - moved.xx, all - moved.yy, all - moved.zz, -moved.xy, -moved.xz, -moved.yz};
}

void strengthen(Actuator& a, double factor) {
  if (a.type == ActuatorType::motor) {
    a.gear *= factor;
    return;
  }
  a.ks *= factor, a.kd *= factor;
  if (a.strength < unlimited) a.strength *= factor;
}

}  // namespace

double muscle_torque(double radius) { return stress * pi * radius * radius * (radius / 3); }
double radius_for(double torque) { return cbrt(3 * torque / (stress * pi)); }

Vec3d direction_of(const Body& body, const Part& part) {
  Vec3d to;
  for (const Part& other : body.parts)
    if (other.parent == part.link.name && norm(other.link.pos) > norm(to)) to = other.link.pos;
  if (norm(to) < 1e-9) {
    Box box;
    for (const Shape& shape : part.link.shapes) extend(box, bounding_box(shape));
    if (!part.link.shapes.empty()) {
      const Vec3d middle = (box.lower + box.upper) * 0.5, size = box.upper - box.lower;
      to = norm(middle) > 1e-3 * norm(size)     ? middle
           : size.x >= std::max(size.y, size.z) ? Vec3d(1, 0, 0)
           : size.y >= size.z                   ? Vec3d(0, 1, 0)
                                                : Vec3d(0, 0, 1);
    }
  }
  const double length = norm(to);
  return length > 1e-9 ? to * (1 / length) : Vec3d(0, 0, 1);
}

void stretch(Body& body, const std::string& name, const Vec3d& direction, double along, double across) {
  Part& part = *body.find(name);
  const Mat3d S = stretching(direction, along, across);
  const double volume = along * across * across;
  Link& link = part.link;
  for (Shape& shape : link.shapes) stretch_shape(shape, S);
  link.mass *= volume;
  link.com = S * link.com;
  link.inertia = stretched(link.inertia, S) * volume;
  for (Joint& joint : link.joints) joint.anchor = S * joint.anchor;
  for (ContactPoint& p : part.contacts) p.pos = S * p.pos, p.radius *= across;
  for (Label& l : part.labels) l.pos = S * l.pos;
  for (auto& s : part.sensors) s.item.pos = S * s.item.pos;
  for (auto& a : part.actuators) {
    if (a.item.type == ActuatorType::linear) a.item.pos = S * a.item.pos;
    strengthen(a.item, a.item.type == ActuatorType::linear ? across * across : across * across * across);
  }
  for (Part& other : body.parts) {
    if (other.parent == name) other.link.pos = S * other.link.pos;
    for (auto& s : other.sensors)
      if (s.other == name) s.item.other_pos = S * s.item.other_pos;
    for (auto& a : other.actuators)
      if (a.other == name) a.item.other_pos = S * a.item.other_pos;
  }
}

void enlarge(Body& body, double factor) {
  for (const Part& part : body.parts) stretch(body, part.link.name, {0, 0, 1}, factor, factor);
  for (Part& part : body.parts) {
    size_t at = 0;
    for (Joint& joint : part.link.joints) {
      const bool slides = joint.type == JointType::slide;
      for (Dof& dof : joint.dofs) {
        if (slides) dof.lower *= factor, dof.upper *= factor;
        // passive springs carry what they did: torques of weight and length
        const double load = factor * factor * factor * (slides ? 1 / factor : factor);
        dof.spring.stiffness *= load, dof.damper *= load * std::sqrt(factor), dof.limit_stiffness *= load;
        dof.limit_damping *= load * std::sqrt(factor);
        dof.armature *= load * factor;
      }
      for (int k = 0; k < nq(joint); ++k, ++at)
        if (slides || (joint.type == JointType::planar && k < 2)) part.stand[at] *= factor;
    }
    for (auto& s : part.sensors) {
      if (s.item.type != SensorType::length && s.item.type != SensorType::terrain) continue;
      s.item.lower *= factor, s.item.upper *= factor, s.item.ahead *= factor;
    }
    for (auto& a : part.actuators)
      if (a.item.type == ActuatorType::linear) a.item.lower *= factor, a.item.upper *= factor;
  }
}

}  // namespace legwork::evolution
