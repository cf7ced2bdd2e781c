#pragma once
// The kinematic passes, each twice: the textbook, link by link on any scalar (kinematics.cpp), and the same
// for one creature with links in lanes (kinematics_lanes.cpp), which has the same bits in less time.
// dynamics.h takes the lanes for a scalar and the textbook for a batch.

#include "dynamics/dynamics.h"

namespace legwork {

// Sines and cosines of all hinges; then every link at its place in its parent, roots first.
template <class T>
void place_links(const Model<T>& m, const T* q, Workspace<T>& w) noexcept;
void place_links_in_lanes(const Model<double>& m, const double* q, Workspace<double>& w) noexcept;

// Velocities of all links and their bias accelerations, roots first.
template <class T>
void move_links(const Model<T>& m, const T* q, const T* v, Workspace<T>& w) noexcept;
void move_links_in_lanes(const Model<double>& m, const double* q, const double* v,
                         Workspace<double>& w) noexcept;

// One link's part in the passes above.
template <class T>
void place_link(const Model<T>& m, int b, const T* q, Workspace<T>& w) noexcept;
template <class T>
void move_link(const Model<T>& m, int b, const T* q, const T* v, Workspace<T>& w) noexcept;

// A frame on its way from the parent to the link while screws are applied.
template <class T>
struct Moving {
  Mat3<T> R;
  Vec3<T> p;
};

// Applies a hinge to a frame and returns its motion vector, with the point that the axis passes through in
// place of the linear part: finish_axis completes it once the link's origin is known.
template <class T>
[[gnu::always_inline]] inline Twist<T> apply_hinge(const Screw<T>& s, const T& sine, const T& cosine,
                                                   Moving<T>& f) noexcept {
  if (s.anchored) f.p += f.R * s.anchor_before;
  f.R = f.R * combine(s.fixed, s.sine, sine, s.cosine, cosine);
  const Twist<T> S{f.R * s.axis, f.p};
  if (s.anchored) f.p -= f.R * s.anchor;
  return S;
}

template <class T>
void finish_axis(const Vec3<T>& origin, Twist<T>& S) noexcept {
  S.lin = cross(S.ang, origin - S.lin);
}

// One screw further: the velocity behind it, and the acceleration that velocities alone make.
template <class T>
void advance_screw(const Twist<T>& S, const T& rate, Twist<T>& velocity, Twist<T>& bias) noexcept {
  const Twist<T> step = S * rate;
  bias += cross(velocity, step);
  velocity += step;
}

}  // namespace legwork
