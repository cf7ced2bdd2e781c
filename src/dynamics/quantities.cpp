// Points, Jacobians, energy and momentum, read off a workspace.

#include "dynamics/dynamics.h"
#include "math/trace.h"

namespace legwork {

template <class T>
Vec3<T> point_position(const Workspace<T>& w, int link, const Vec3<T>& point) noexcept {
  return w.p[link] + w.R[link] * point;
}

template <class T>
Vec3<T> point_velocity(const Workspace<T>& w, int link, const Vec3<T>& point) noexcept {
  return shift(w.vel[link], w.R[link] * point).lin;
}

template <class T>
void point_jacobian(const Model<T>& m, const Workspace<T>& w, int link, const Vec3<T>& point, T* J) noexcept {
  for (int i = 0; i < 6 * m.nv; ++i) J[i] = T(0);
  const Vec3<T> at = point_position(w, link, point);
  for (int b = link; b >= 0; b = m.parent[b])
    for (int j = m.dof_begin[b]; j < m.dof_begin[b + 1]; ++j) {
      const Twist<T> S = shift(w.S[j], at - w.p[b]);
      for (int i = 0; i < 3; ++i) J[i * m.nv + j] = S.ang[i], J[(3 + i) * m.nv + j] = S.lin[i];
    }
}

template <class T>
Twist<T> point_bias(const Model<T>& m, Workspace<T>& w, int link, const Vec3<T>& point) noexcept {
  // spatial acceleration at qdd = 0, summed from the link to its root and shifted to the point ...
  const Vec3<T> r = w.R[link] * point, at = w.p[link] + r;
  Twist<T> a{};
  for (int b = link; b >= 0; b = m.parent[b]) a += shift(w.bias[b], at - w.p[b]);
  // ... and the classical acceleration of the point that moves with velocity v
  const Twist<T> v = shift(w.vel[link], r);
  return {a.ang, a.lin + cross(v.ang, v.lin)};
}

template <class T>
void add_force(Workspace<T>& w, int link, const Vec3<T>& point, const Vec3<T>& force) noexcept {
  w.f_ext[link] += Wrench<T>{cross(w.R[link] * point, force), force};
}

template <class T>
T kinetic_energy(const Model<T>& m, const T* v, const Workspace<T>& w) noexcept {
  T sum(0);
  for (int b = 0; b < m.nlink; ++b)
    sum += T(0.5) * dot(w.vel[b], rigid_momentum(m.mass[b], w.c[b], w.I[b], w.vel[b]));
  for (int j = 0; j < m.nv; ++j) sum += T(0.5) * m.armature[j] * (v[j] * v[j]);
  return sum;
}

template <class T>
T potential_energy(const Model<T>& m, const Workspace<T>& w) noexcept {
  T sum(0);
  for (int b = 0; b < m.nlink; ++b) sum -= m.mass[b] * dot(m.gravity, w.p[b] + w.c[b]);
  return sum;
}

template <class T>
T total_mass(const Model<T>& m) noexcept {
  T sum(0);
  for (int b = 0; b < m.nlink; ++b) sum += m.mass[b];
  return sum;
}

template <class T>
Vec3<T> center_of_mass(const Model<T>& m, const Workspace<T>& w) noexcept {
  Vec3<T> sum;
  for (int b = 0; b < m.nlink; ++b) sum += (w.p[b] + w.c[b]) * m.mass[b];
  return sum * (T(1) / total_mass(m));
}

template <class T>
Vec3<T> linear_momentum(const Model<T>& m, const Workspace<T>& w) noexcept {
  Vec3<T> sum;
  for (int b = 0; b < m.nlink; ++b) sum += (w.vel[b].lin + cross(w.vel[b].ang, w.c[b])) * m.mass[b];
  return sum;
}

template <class T>
Wrench<T> momentum(const Model<T>& m, const Workspace<T>& w) noexcept {
  Wrench<T> sum{};
  for (int b = 0; b < m.nlink; ++b)
    sum += shift_back(rigid_momentum(m.mass[b], w.c[b], w.I[b], w.vel[b]), w.p[b]);
  return sum;
}

#define LEGWORK_INSTANTIATE(T)                                                                          \
  template Vec3<T> point_position(const Workspace<T>&, int, const Vec3<T>&) noexcept;                   \
  template Vec3<T> point_velocity(const Workspace<T>&, int, const Vec3<T>&) noexcept;                   \
  template void point_jacobian(const Model<T>&, const Workspace<T>&, int, const Vec3<T>&, T*) noexcept; \
  template Twist<T> point_bias(const Model<T>&, Workspace<T>&, int, const Vec3<T>&) noexcept;           \
  template void add_force(Workspace<T>&, int, const Vec3<T>&, const Vec3<T>&) noexcept;                 \
  template T kinetic_energy(const Model<T>&, const T*, const Workspace<T>&) noexcept;                   \
  template T potential_energy(const Model<T>&, const Workspace<T>&) noexcept;                           \
  template T total_mass(const Model<T>&) noexcept;                                                      \
  template Vec3<T> center_of_mass(const Model<T>&, const Workspace<T>&) noexcept;                       \
  template Vec3<T> linear_momentum(const Model<T>&, const Workspace<T>&) noexcept;                      \
  template Wrench<T> momentum(const Model<T>&, const Workspace<T>&) noexcept;
LEGWORK_INSTANTIATE(double)
LEGWORK_INSTANTIATE(Batch)
LEGWORK_INSTANTIATE(Trace)
#undef LEGWORK_INSTANTIATE

}  // namespace legwork
