// Accelerations from forces, and further solves with the factors that they leave.

#include "dynamics/articulated_body.h"
#include "math/trace.h"

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

template <>
void forward_dynamics(const Model<double>& m, const double* tau, Workspace<double>& w, double* qdd) noexcept {
  articulated_body_in_lanes(m, tau, w, qdd);
}
template <>
void forward_dynamics(const Model<Batch>& m, const Batch* tau, Workspace<Batch>& w, Batch* qdd) noexcept {
  articulated_body(m, tau, w, qdd);
}
template <>
void forward_dynamics(const Model<Trace>& m, const Trace* tau, Workspace<Trace>& w, Trace* qdd) noexcept {
  articulated_body(m, tau, w, qdd);
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

#define LEGWORK_INSTANTIATE(T)                                                           \
  template void clear_forces(const Model<T>&, Workspace<T>&) noexcept;                   \
  template Wrench<T> joint_wrench(const Workspace<T>&, int) noexcept;                    \
  template void propagate_forces(const Model<T>&, Workspace<T>&, const T*, T*) noexcept; \
  template void solve_mass_matrix(const Model<T>&, Workspace<T>&, const T*, T*) noexcept;
LEGWORK_INSTANTIATE(double)
LEGWORK_INSTANTIATE(Batch)
LEGWORK_INSTANTIATE(Trace)
#undef LEGWORK_INSTANTIATE

}  // namespace legwork
