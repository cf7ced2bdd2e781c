// Recursive Newton-Euler and composite-rigid-body algorithms, Featherstone, RBDA ch. 5 and 6, in world axes.

#include "dynamics/dynamics.h"
#include "math/trace.h"

namespace legwork {

template <class T>
void inverse_dynamics(const Model<T>& m, const T* qdd, Workspace<T>& w, T* tau) noexcept {
  // outward: accelerations, and the force that each link needs
  for (int b = 0; b < m.nlink; ++b) {
    Twist<T> a = w.bias[b];
    if (m.parent[b] >= 0) a += shift(w.acc[m.parent[b]], w.r[b]);
    if (qdd)
      for (int j = m.dof_begin[b]; j < m.dof_begin[b + 1]; ++j) a += w.S[j] * qdd[j];
    w.acc[b] = a;
    const Wrench<T> weight{cross(w.c[b], m.gravity * m.mass[b]), m.gravity * m.mass[b]};
    w.pA[b] = rigid_momentum(m.mass[b], w.c[b], w.I[b], a) +
              cross_star(w.vel[b], rigid_momentum(m.mass[b], w.c[b], w.I[b], w.vel[b])) - weight - w.f_ext[b];
  }
  // inward: what each joint must carry
  for (int b = m.nlink - 1; b >= 0; --b) {
    for (int j = m.dof_begin[b]; j < m.dof_begin[b + 1]; ++j) {
      tau[j] = dot(w.S[j], w.pA[b]);
      if (qdd) tau[j] += m.armature[j] * qdd[j];
    }
    if (m.parent[b] >= 0) w.pA[m.parent[b]] += shift_back(w.pA[b], w.r[b]);
  }
}

template <class T>
void mass_matrix(const Model<T>& m, Workspace<T>& w, T* M) noexcept {
  const int n = m.nv;
  for (int i = 0; i < n * n; ++i) M[i] = T(0);
  for (int b = 0; b < m.nlink; ++b) w.IA[b] = rigid_inertia(m.mass[b], w.c[b], w.I[b]);
  for (int b = m.nlink - 1; b >= 0; --b) {
    if (m.parent[b] >= 0) add_shifted(w.IA[m.parent[b]], w.IA[b], w.r[b]);
    for (int j = m.dof_begin[b]; j < m.dof_begin[b + 1]; ++j) {
      // the force that moves the whole subtree along S_j, felt by every joint between here and the root
      Wrench<T> F = w.IA[b] * w.S[j];
      for (int k = b; k >= 0; k = m.parent[k]) {
        for (int i = m.dof_begin[k]; i < m.dof_begin[k + 1]; ++i)
          M[i * n + j] = M[j * n + i] = dot(w.S[i], F);
        F = shift_back(F, w.r[k]);
      }
      M[j * n + j] += m.armature[j];
    }
  }
}

template void inverse_dynamics(const Model<double>&, const double*, Workspace<double>&, double*) noexcept;
template void inverse_dynamics(const Model<Batch>&, const Batch*, Workspace<Batch>&, Batch*) noexcept;
template void inverse_dynamics(const Model<Trace>&, const Trace*, Workspace<Trace>&, Trace*) noexcept;
template void mass_matrix(const Model<double>&, Workspace<double>&, double*) noexcept;
template void mass_matrix(const Model<Batch>&, Workspace<Batch>&, Batch*) noexcept;
template void mass_matrix(const Model<Trace>&, Workspace<Trace>&, Trace*) noexcept;

}  // namespace legwork
