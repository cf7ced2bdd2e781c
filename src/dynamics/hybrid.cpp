// Hybrid dynamics, Featherstone, RBDA ch. 9.2: the articulated-body algorithm where the accelerations of some
// degrees of freedom are given. Their columns are not eliminated; what they give a link joins its bias.

#include "dynamics/articulated_body.h"

namespace legwork {

template <class T>
void hybrid_dynamics(const Model<T>& m, const char* prescribed, T* tau, Workspace<T>& w, T* qdd) noexcept {
  for (int b = 0; b < m.nlink; ++b) start_link(m, b, w);
  // inward: eliminate the free joint columns one at a time, tips first
  for (int b = m.nlink - 1; b >= 0; --b) {
    Twist<T> known = w.bias[b];
    for (int j = m.dof_begin[b]; j < m.dof_begin[b + 1]; ++j)
      if (prescribed[j]) known += w.S[j] * qdd[j];
    Inertia<T> IA = w.IA[b];
    Wrench<T> p = w.pA[b] + IA * known;
    for (int j = m.dof_begin[b + 1] - 1; j >= m.dof_begin[b]; --j)
      if (prescribed[j])
        w.U[j] = {}, w.invD[j] = T(0), w.u[j] = T(0);
      else
        eliminate(w.S[j], tau[j], m.armature[j], w.implicit ? &w.d_ext[j] : nullptr, IA, p, w.U[j], w.invD[j],
                  w.u[j]);
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
      if (prescribed[j]) {
        given += w.S[j] * qdd[j];
        continue;
      }
      qdd[j] = w.u[j] - dot(a, w.U[j]) * w.invD[j];
      a += w.S[j] * qdd[j];
    }
    w.acc[b] = a + w.bias[b] + given;
  }
  for (int j = 0; j < m.nv; ++j)
    if (prescribed[j]) tau[j] = dot(w.S[j], joint_wrench(w, m.link_of_dof[j])) + m.armature[j] * qdd[j];
}

template void hybrid_dynamics(const Model<double>&, const char*, double*, Workspace<double>&,
                              double*) noexcept;
template void hybrid_dynamics(const Model<Batch>&, const char*, Batch*, Workspace<Batch>&, Batch*) noexcept;

}  // namespace legwork
