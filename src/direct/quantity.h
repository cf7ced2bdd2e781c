#pragma once
// What an algorithm may speak of: quantities that depend linearly on the unknowns of an instant, which are
// accelerations, joint torques and the forces of holds, loops and contacts. A weighted sum of quantities is
// one, too:
//   const Quantity middle = 0.5 * left_foot + 0.5 * right_foot;

#include <vector>

#include "math/vec.h"

namespace legwork {

enum class QuantityType {
  point,             // a point of a link, world axes, m
  orientation,       // a link's rotation vector, world axes, rad
  angle,             // a degree of freedom of a joint, rad or m
  center_of_mass,    // centre of mass of all links, m
  angular_momentum,  // about the centre of mass, kg m^2/s; an equation on it sets its rate of change
  force,             // force from the ground onto a link, world axes, N
  torque,            // torque or force at a degree of freedom, N m or N
};

struct Quantity {
  struct Term {
    QuantityType type = QuantityType::point;
    int index = 0;  // link or degree of freedom
    Vec3d point;    // link frame
    double weight = 1;
  };
  std::vector<Term> terms;
  std::vector<int> axes = {0, 1, 2};  // which components are meant; for scalars: the first
  Mat3d frame = Mat3d::identity();    // world axes of the components, as columns

  bool scalar() const {
    return terms[0].type == QuantityType::angle || terms[0].type == QuantityType::torque;
  }
  bool is_orientation() const { return terms[0].type == QuantityType::orientation; }
  // Forces and torques have no value until the instant is solved.
  bool is_force() const {
    return terms[0].type == QuantityType::force || terms[0].type == QuantityType::torque;
  }
  int size() const { return scalar() ? 1 : int(axes.size()); }
  // The i-th component's axis, and what a world vector is along it; a scalar is the vector's x.
  Vec3d axis(int i) const { return scalar() ? Vec3d(1, 0, 0) : frame.column(axes[size_t(i)]); }
  double component(const Vec3d& v, int i) const { return scalar() ? v.x : dot(axis(i), v); }
  // Some components alone: along("xy").
  Quantity along(const char* components) const;
};

Quantity operator+(Quantity a, const Quantity& b);
Quantity operator-(Quantity a, const Quantity& b);
Quantity operator*(double s, Quantity a);

}  // namespace legwork
