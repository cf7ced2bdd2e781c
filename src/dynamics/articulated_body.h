#pragma once
// Articulated-body algorithm, Featherstone, RBDA ch. 7.
//
// World axes, each link about its own origin, so that passing to the parent only shifts the origin. Columns
// of S are eliminated one at a time, which serves every joint without asking for its type. Gravity is a force
// on each link, not an acceleration of the root: accelerations are then the true ones, and the added inertia
// of an implicit contact (I_ext) resists exactly those.
//
// This is the textbook, link by link on any scalar. articulated_body_lanes.cpp does the same for one creature
// with links in lanes, which has the same bits in less time: dynamics.h takes it for a scalar, and this for a
// batch.

#include "dynamics/dynamics.h"

namespace legwork {

// p = v x* (I v) - weight - f_ext: the force that a link needs while it does not accelerate.
template <class T>
[[gnu::always_inline]] inline Wrench<T> own_force(const T& mass, const Vec3<T>& c, const Sym3<T>& I,
                                                  const Twist<T>& vel, const Vec3<T>& gravity,
                                                  const Wrench<T>& f_ext) noexcept {
  const Vec3<T> weight = gravity * mass;
  return cross_star(vel, rigid_momentum(mass, c, I, vel)) - Wrench<T>{cross(c, weight), weight} - f_ext;
}

// Takes one joint column S out of an inertia and the force beside it. d_ext: null unless implicit.
template <class T>
[[gnu::always_inline]] inline void eliminate(const Twist<T>& S, const T& tau, const T& armature,
                                             const T* d_ext, Inertia<T>& IA, Wrench<T>& p, Wrench<T>& U,
                                             T& invD, T& u) noexcept {
  U = IA * S;
  T D = dot(S, U) + armature;
  if (d_ext) D += *d_ext;
  invD = T(1) / D;
  u = (tau - dot(S, p)) * invD;
  subtract_outer(IA, U, invD);
  p += U * u;
}

// The link alone.
template <class T>
void start_link(const Model<T>& m, int b, Workspace<T>& w) noexcept {
  const Inertia<T> IA = rigid_inertia(m.mass[b], w.c[b], w.I[b]);
  const Wrench<T> pA = own_force(m.mass[b], w.c[b], w.I[b], w.vel[b], m.gravity, w.f_ext[b]);
  w.IA[b] = IA, w.pA[b] = pA;
  if (w.implicit) w.IA[b] += w.I_ext[b];
}

// Inward: the link with all that hangs on it, its joint free to move, as its parent feels it.
template <class T>
void reduce_link(const Model<T>& m, int b, const T* tau, Workspace<T>& w) noexcept {
  Inertia<T> IA = w.IA[b];
  Wrench<T> p = w.pA[b] + IA * w.bias[b];
  for (int j = m.dof_begin[b + 1] - 1; j >= m.dof_begin[b]; --j)
    eliminate(w.S[j], tau[j], m.armature[j], w.implicit ? &w.d_ext[j] : nullptr, IA, p, w.U[j], w.invD[j],
              w.u[j]);
  const int parent = m.parent[b];
  if (parent < 0) return;
  add_shifted(w.IA[parent], IA, w.r[b]);
  w.pA[parent] += shift_back(p, w.r[b]);
}

// Outward: the accelerations of the joint and of the link from the parent's.
template <class T>
void accelerate_link(const Model<T>& m, int b, Workspace<T>& w, T* qdd) noexcept {
  Twist<T> a = m.parent[b] < 0 ? Twist<T>() : shift(w.acc[m.parent[b]], w.r[b]);
  for (int j = m.dof_begin[b]; j < m.dof_begin[b + 1]; ++j) {
    qdd[j] = w.u[j] - dot(a, w.U[j]) * w.invD[j];
    a += w.S[j] * qdd[j];
  }
  w.acc[b] = a + w.bias[b];
}

template <class T>
void articulated_body(const Model<T>& m, const T* tau, Workspace<T>& w, T* qdd) noexcept {
  for (int b = 0; b < m.nlink; ++b) start_link(m, b, w);
  // inward: eliminate joint columns one at a time, tips first
  for (int b = m.nlink - 1; b >= 0; --b) reduce_link(m, b, tau, w);
  // outward: accelerations, roots first
  for (int b = 0; b < m.nlink; ++b) accelerate_link(m, b, w, qdd);
}

// Needs positions and velocities that were made in lanes too.
void articulated_body_in_lanes(const Model<double>& m, const double* tau, Workspace<double>& w,
                               double* qdd) noexcept;

}  // namespace legwork
