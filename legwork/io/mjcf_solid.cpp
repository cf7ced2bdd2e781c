#include "legwork/io/mjcf_solid.h"

#include <numbers>

namespace legwork::mjcf {

MassProperties operator+(const MassProperties& a, const MassProperties& b) {
  MassProperties sum;
  sum.mass = a.mass + b.mass;
  sum.com = (a.com * a.mass + b.com * b.mass) * (1 / sum.mass);
  sum.inertia = a.inertia + point_inertia(a.com - sum.com) * a.mass + b.inertia +
                point_inertia(b.com - sum.com) * b.mass;
  return sum;
}

MassProperties mass_properties(const Shape& shape) {
  using std::numbers::pi;
  double m = 0;
  Vec3d i;
  const double r = shape.size.x, l = shape.size.y;
  switch (shape.type) {
    case ShapeType::box: {
      const Vec3d& e = shape.size;
      m = e.x * e.y * e.z;
      i = Vec3d{e.y * e.y + e.z * e.z, e.x * e.x + e.z * e.z, e.x * e.x + e.y * e.y} * (m / 12);
      break;
    }
    case ShapeType::sphere:
      m = 4 * pi * r * r * r / 3;
      i = Vec3d{1, 1, 1} * (0.4 * m * r * r);
      break;
    case ShapeType::ellipsoid: {
      const Vec3d& e = shape.size;
      m = 4 * pi * e.x * e.y * e.z / 3;
      i = Vec3d{e.y * e.y + e.z * e.z, e.x * e.x + e.z * e.z, e.x * e.x + e.y * e.y} * (m / 5);
      break;
    }
    case ShapeType::cylinder:
      m = pi * r * r * l;
      i = Vec3d{(3 * r * r + l * l) / 12, (3 * r * r + l * l) / 12, r * r / 2} * m;
      break;
    case ShapeType::capsule: {
      const double mc = pi * r * r * l, ms = 4 * pi * r * r * r / 3;
      m = mc + ms;
      const double side = mc * (3 * r * r + l * l) / 12 + ms * (0.4 * r * r + l * l / 4 + 3 * r * l / 8);
      i = {side, side, mc * r * r / 2 + ms * 0.4 * r * r};
      break;
    }
    case ShapeType::mesh:
      break;
  }
  const Mat3d R = matrix(shape.rot);
  return {m * shape.density, shape.pos, rotate(R, Sym3d::diagonal(i.x, i.y, i.z)) * shape.density};
}

}  // namespace legwork::mjcf
