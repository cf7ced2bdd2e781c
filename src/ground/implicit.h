#pragma once
// Forces at points of links, and the inertia that makes them linearly implicit.
//
// A force f(x, v) with stiffness K = -df/dx and damping D = -df/dv at a point is taken at the end of the
// step, linearly: f - h K v - (h D + h^2 K) a, with a = J qdd the point's acceleration. A = h D + h^2 K joins
// the link's inertia, the rest is force. Only J qdd counts as a, not the part of the acceleration that
// velocities alone make, so A times that part is given back.

#include "dynamics/model.h"

namespace legwork {

// Acceleration of a point of a link (at, world) that velocities alone make, as forward_dynamics counts it.
template <class T>
Vec3<T> velocity_part(const Model<T>& m, const Workspace<T>& w, int link, const Vec3<T>& at) noexcept {
  Vec3<T> a;
  for (int b = link; b >= 0; b = m.parent[b]) a += shift(w.bias[b], at - w.p[b]).lin;
  return a;
}

// arm: from the link's origin to the point, world axes.
template <class T>
void add_force_at(Workspace<T>& w, int link, const Vec3<T>& arm, const Vec3<T>& force) noexcept {
  w.f_ext[link] += Wrench<T>{cross(arm, force), force};
}

// Adds the inertia; returns the force that gives back what A does to the velocity part.
template <class T>
Vec3<T> add_implicit_at(const Model<T>& m, Workspace<T>& w, int link, const Vec3<T>& arm,
                        const Sym3<T>& A) noexcept {
  add_shifted(w.I_ext[link], Inertia<T>{{}, {}, A}, arm);
  return A * velocity_part(m, w, link, w.p[link] + arm);
}

}  // namespace legwork
