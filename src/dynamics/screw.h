#pragma once
// The elementary motions that joints are made of, as data on any scalar.

#include <cstdint>

#include "math/vec.h"

namespace legwork {

// An elementary motion inside a link's joint, applied in order from the parent outward.
enum class ScrewType : std::uint8_t { hinge, slide, ball, free, path };

// Wills's functional degree of freedom as the six virtual coordinates it moves, for q in [-1, 1]:
//   x(q) = neutral + slope q + bend (q^2 / 2 - |q|^3 / 6), the natural cubic spline through three keyframes,
// continued linearly outside. Order: angles about fixed x, y, z, then translations.
template <class T>
struct Path {
  T slope[6], bend[6];
};

template <class T>
struct Screw {
  ScrewType type;
  int q, v;       // first position and velocity coordinate
  int paths = 0;  // path: how many, their tables from first_path on
  int first_path = 0;
  int path_screw = 0;  // path: which of the model's path screws
  bool anchored;       // the anchor is not the link's origin
  Vec3<T> axis;        // unit, link frame
  Vec3<T> anchor;      // link frame
  // hinge: the frame after it, seen from the frame before, is fixed + sine s + cosine c (Rodrigues); the
  // frame before the first screw is the parent's, so that the link's placement costs nothing
  Mat3<T> fixed, sine, cosine;
  int hinge = 0;          // hinge: which of the model's hinges
  Vec3<T> anchor_before;  // hinge: the anchor in axes of the frame before
  T q_zero = T(0);        // hinge, slide: coordinate in the reference pose
  T neutral[6];           // path
};

}  // namespace legwork
