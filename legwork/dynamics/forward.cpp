// Articulated-body algorithm, Featherstone, RBDA ch. 7.
//
// World axes, each link about its own origin, so that passing to the parent only shifts the origin. Columns
// of S are eliminated one at a time, which serves every joint without asking for its type. Gravity is a force
// on each link, not an acceleration of the root: accelerations are then the true ones, and the added inertia
// of an implicit contact (I_ext) resists exactly those.

#include "legwork/dynamics/dynamics.h"

namespace legwork {

template <class T>
void clear_forces(const Model<T>& m, Workspace<T>& w) noexcept {
  for (int b = 0; b < m.nlink; ++b) w.f_ext[b] = {};
  if (w.implicit) {
    for (int b = 0; b < m.nlink; ++b) w.I_ext[b] = {};
    for (int j = 0; j < m.nv; ++j) w.d_ext[j] = T(0);
  }
  w.implicit = false;
}

namespace {

// prescribed: null, or for each degree of freedom whether its qdd is given instead of its tau.
template <class T>
void articulated_body(const Model<T>& m, const char* prescribed, const T* tau, Workspace<T>& w,
                      T* qdd) noexcept {
  // each link alone: inertia, and the force that its own motion, gravity and the outside call for
  for (int b = 0; b < m.nlink; ++b) {
    w.IA[b] = rigid_inertia(m.mass[b], w.c[b], w.I[b]);
    const Vec3<T> weight = m.gravity * m.mass[b];
    w.pA[b] = cross_star(w.vel[b], rigid_momentum(m.mass[b], w.c[b], w.I[b], w.vel[b])) -
              Wrench<T>{cross(w.c[b], weight), weight} - w.f_ext[b];
    if (w.implicit) w.IA[b] += w.I_ext[b];
  }

  // inward: eliminate joint columns one at a time, tips first
  for (int b = m.nlink - 1; b >= 0; --b) {
    Inertia<T> IA = w.IA[b];
    Twist<T> known = w.bias[b];
    if (prescribed)
      for (int j = m.dof_begin[b]; j < m.dof_begin[b + 1]; ++j)
        if (prescribed[j]) known += w.S[j] * qdd[j];
    Wrench<T> p = w.pA[b] + IA * known;
    for (int j = m.dof_begin[b + 1] - 1; j >= m.dof_begin[b]; --j) {
      if (prescribed && prescribed[j]) {
        w.U[j] = {}, w.invD[j] = T(0), w.u[j] = T(0);
        continue;
      }
      const Twist<T> S = w.S[j];
      const Wrench<T> U = IA * S;
      T D = dot(S, U) + m.armature[j];
      if (w.implicit) D += w.d_ext[j];
      const T invD = T(1) / D, u = (tau[j] - dot(S, p)) * invD;
      subtract_outer(IA, U, invD);
      p += U * u;
      w.U[j] = U;
      w.invD[j] = invD;
      w.u[j] = u;
    }
    const int parent = m.parent[b];
    if (parent < 0) continue;
    add_shifted(w.IA[parent], IA, w.r[b]);
    w.pA[parent] += shift_back(p, w.r[b]);
  }

  // outward: accelerations, roots first
  for (int b = 0; b < m.nlink; ++b) {
    Twist<T> a = m.parent[b] < 0 ? Twist<T>() : shift(w.acc[m.parent[b]], w.r[b]);
    Twist<T> given{};
    for (int j = m.dof_begin[b]; j < m.dof_begin[b + 1]; ++j) {
      if (prescribed && prescribed[j]) {
        given += w.S[j] * qdd[j];
        continue;
      }
      qdd[j] = w.u[j] - dot(a, w.U[j]) * w.invD[j];
      a += w.S[j] * qdd[j];
    }
    w.acc[b] = a + w.bias[b];
    if (prescribed) w.acc[b] += given;
  }
}

}  // namespace

template <class T>
void forward_dynamics(const Model<T>& m, const T* tau, Workspace<T>& w, T* qdd) noexcept {
  articulated_body(m, nullptr, tau, w, qdd);
}

template <class T>
void hybrid_dynamics(const Model<T>& m, const char* prescribed, T* tau, Workspace<T>& w, T* qdd) noexcept {
  articulated_body(m, prescribed, tau, w, qdd);
  for (int j = 0; j < m.nv; ++j)
    if (prescribed[j]) tau[j] = dot(w.S[j], joint_wrench(w, m.link_of_dof[j])) + m.armature[j] * qdd[j];
}

template <class T>
Wrench<T> joint_wrench(const Workspace<T>& w, int link) noexcept {
  return w.IA[link] * w.acc[link] + w.pA[link];
}

template <class T>
void solve_mass_matrix(const Model<T>& m, Workspace<T>& w, const T* b, T* x) noexcept {
  for (int k = 0; k < m.nlink; ++k) w.pA[k] = {};
  propagate_forces(m, w, b, x);
}

template <class T>
void propagate_forces(const Model<T>& m, Workspace<T>& w, const T* b, T* x) noexcept {
  for (int k = m.nlink - 1; k >= 0; --k) {
    Wrench<T> p = w.pA[k];
    for (int j = m.dof_begin[k + 1] - 1; j >= m.dof_begin[k]; --j) {
      w.u[j] = ((b ? b[j] : T(0)) - dot(w.S[j], p)) * w.invD[j];
      p += w.U[j] * w.u[j];
    }
    if (m.parent[k] >= 0) w.pA[m.parent[k]] += shift_back(p, w.r[k]);
  }
  for (int k = 0; k < m.nlink; ++k) {
    Twist<T> a = m.parent[k] >= 0 ? shift(w.acc[m.parent[k]], w.r[k]) : Twist<T>();
    for (int j = m.dof_begin[k]; j < m.dof_begin[k + 1]; ++j) {
      x[j] = w.u[j] - dot(a, w.U[j]) * w.invD[j];
      a += w.S[j] * x[j];
    }
    w.acc[k] = a;
  }
}

template void clear_forces(const Model<double>&, Workspace<double>&) noexcept;
template void clear_forces(const Model<Batch>&, Workspace<Batch>&) noexcept;
template void forward_dynamics(const Model<double>&, const double*, Workspace<double>&, double*) noexcept;
template void forward_dynamics(const Model<Batch>&, const Batch*, Workspace<Batch>&, Batch*) noexcept;
template void hybrid_dynamics(const Model<double>&, const char*, double*, Workspace<double>&,
                              double*) noexcept;
template void hybrid_dynamics(const Model<Batch>&, const char*, Batch*, Workspace<Batch>&, Batch*) noexcept;
template Wrench<double> joint_wrench(const Workspace<double>&, int) noexcept;
template Wrench<Batch> joint_wrench(const Workspace<Batch>&, int) noexcept;
template void propagate_forces(const Model<double>&, Workspace<double>&, const double*, double*) noexcept;
template void propagate_forces(const Model<Batch>&, Workspace<Batch>&, const Batch*, Batch*) noexcept;
template void solve_mass_matrix(const Model<double>&, Workspace<double>&, const double*, double*) noexcept;
template void solve_mass_matrix(const Model<Batch>&, Workspace<Batch>&, const Batch*, Batch*) noexcept;

}  // namespace legwork
