// Articulated-body algorithm, Featherstone, RBDA ch. 7.
//
// World axes, each link about its own origin, so that passing to the parent only shifts the origin. Columns
// of S are eliminated one at a time, which serves every joint without asking for its type. Gravity is a force
// on each link, not an acceleration of the root: accelerations are then the true ones, and the added inertia
// of an implicit contact (I_ext) resists exactly those.

#include "dynamics/dynamics.h"
#include "math/lanes.h"

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

// A link alone: its inertia, and the force that its own motion, gravity and the outside call for.
template <class T>
struct Alone {
  Inertia<T> IA;
  Wrench<T> pA;
};
template <class T>
Alone<T> alone(const T& mass, const Vec3<T>& c, const Sym3<T>& I, const Twist<T>& vel, const Vec3<T>& gravity,
               const Wrench<T>& f_ext) noexcept {
  const Vec3<T> weight = gravity * mass;
  return {rigid_inertia(mass, c, I),
          cross_star(vel, rigid_momentum(mass, c, I, vel)) - Wrench<T>{cross(c, weight), weight} - f_ext};
}

// Takes one joint column out of an inertia and the force beside it. d_ext: null unless implicit.
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

// prescribed: null, or for each degree of freedom whether its qdd is given instead of its tau.
template <class T>
void reduce_link(const Model<T>& m, int b, const char* prescribed, const T* tau, const T* qdd,
                 Workspace<T>& w) noexcept {
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
    eliminate(w.S[j], tau[j], m.armature[j], w.implicit ? &w.d_ext[j] : nullptr, IA, p, w.U[j], w.invD[j],
              w.u[j]);
  }
  const int parent = m.parent[b];
  if (parent < 0) return;
  add_shifted(w.IA[parent], IA, w.r[b]);
  w.pA[parent] += shift_back(p, w.r[b]);
}

template <class T>
void accelerate_link(const Model<T>& m, int b, const char* prescribed, Workspace<T>& w, T* qdd) noexcept {
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

template <class T>
void start_link(const Model<T>& m, int b, Workspace<T>& w) noexcept {
  const Alone<T> link = alone(m.mass[b], w.c[b], w.I[b], w.vel[b], m.gravity, w.f_ext[b]);
  w.IA[b] = link.IA, w.pA[b] = link.pA;
  if (w.implicit) w.IA[b] += w.I_ext[b];
}

template <class T>
void articulated_body(const Model<T>& m, const char* prescribed, const T* tau, Workspace<T>& w,
                      T* qdd) noexcept {
  for (int b = 0; b < m.nlink; ++b) start_link(m, b, w);
  // inward: eliminate joint columns one at a time, tips first
  for (int b = m.nlink - 1; b >= 0; --b) reduce_link(m, b, prescribed, tau, qdd, w);
  // outward: accelerations, roots first
  for (int b = 0; b < m.nlink; ++b) accelerate_link(m, b, prescribed, w, qdd);
}

// The same for a group of links in lanes. What passes between groups that are chained stays in lanes; what
// others read goes to the workspace.
void reduce_group(const Model<double>& m, const LinkGroup& g, const double* tau, LinkLanes& l,
                  Workspace<double>& w) noexcept {
  const auto each = [&](auto& of) {
    return [&](int i) -> auto& { return of[size_t(g.link[i])]; };
  };
  Inertia<Batch> IA;
  Wrench<Batch> p;
  if (g.tips || g.below >= 0) {
    const Vec3<Batch> gravity{Batch(m.gravity.x), Batch(m.gravity.y), Batch(m.gravity.z)};
    Wrench<Batch> f_ext;
    gather(each(w.f_ext), f_ext);
    const Alone<Batch> link = alone(g.mass, l.c, l.I, l.vel, gravity, f_ext);
    IA = link.IA, p = link.pA;
    if (w.implicit) {
      Inertia<Batch> I_ext;
      gather(each(w.I_ext), I_ext);
      IA += I_ext;
    }
    if (g.below >= 0) {
      const LinkLanes& child = w.lanes[size_t(g.below)];
      add_shifted(IA, child.IA, child.r);
      p += shift_back(child.pA, child.r);
    }
    scatter(IA, each(w.IA));
    scatter(p, each(w.pA));
  } else {
    gather(each(w.IA), IA);
    gather(each(w.pA), p);
  }
  p = p + IA * l.bias;
  Batch torque, d_ext;
  for (int i = 0; i < batch_lanes; ++i) torque.set(i, tau[g.dof[i]]), d_ext.set(i, w.d_ext[g.dof[i]]);
  eliminate(l.S, torque, g.armature, w.implicit ? &d_ext : nullptr, IA, p, l.U, l.invD, l.u);
  scatter(l.U, [&](int i) -> Wrench<double>& { return w.U[size_t(g.dof[i])]; });
  for (int i = 0; i < g.count; ++i) w.invD[g.dof[i]] = l.invD[i], w.u[g.dof[i]] = l.u[i];
  l.IA = IA, l.pA = p;
  if (g.above >= 0 && m.groups[size_t(g.above)].below >= 0) return;
  Inertia<Batch> shifted{};
  add_shifted(shifted, IA, l.r);
  std::array<Inertia<double>, batch_lanes> to_parent;
  std::array<Wrench<double>, batch_lanes> force;
  scatter(
      shifted, [&](int i) -> auto& { return to_parent[size_t(i)]; });
  scatter(
      shift_back(p, l.r), [&](int i) -> auto& { return force[size_t(i)]; });
  for (int i = 0; i < g.count; ++i)
    w.IA[g.parent[i]] += to_parent[size_t(i)], w.pA[g.parent[i]] += force[size_t(i)];
}

void accelerate_group(const LinkGroup& g, LinkLanes& l, Workspace<double>& w, double* qdd) noexcept {
  Twist<Batch> a;
  if (g.above >= 0)
    a = w.lanes[size_t(g.above)].acc;
  else
    gather([&](int i) -> const Twist<double>& { return w.acc[size_t(g.parent[i])]; }, a);
  a = shift(a, l.r);
  const Batch x = l.u - dot(a, l.U) * l.invD;
  a += l.S * x;
  l.acc = a + l.bias;
  for (int i = 0; i < g.count; ++i) qdd[g.dof[i]] = x[i];
  scatter(l.acc, [&](int i) -> Twist<double>& { return w.acc[size_t(g.link[i])]; });
}

void articulated_body_in_lanes(const Model<double>& m, const double* tau, Workspace<double>& w,
                               double* qdd) noexcept {
  for (const int at : m.inward) {
    if (at < m.nlink) {
      start_link(m, at, w);
      continue;
    }
    const LinkGroup& g = m.groups[size_t(at - m.nlink)];
    if (!g.tips && g.below < 0)
      for (int i = 0; i < g.count; ++i) start_link(m, g.link[i], w);
  }
  for (const int at : m.inward)
    if (at < m.nlink)
      reduce_link(m, at, nullptr, tau, qdd, w);
    else
      reduce_group(m, m.groups[size_t(at - m.nlink)], tau, w.lanes[size_t(at - m.nlink)], w);
  for (auto at = m.inward.rbegin(); at != m.inward.rend(); ++at)
    if (*at < m.nlink)
      accelerate_link(m, *at, nullptr, w, qdd);
    else
      accelerate_group(m.groups[size_t(*at - m.nlink)], w.lanes[size_t(*at - m.nlink)], w, qdd);
}

}  // namespace

template <class T>
void forward_dynamics(const Model<T>& m, const T* tau, Workspace<T>& w, T* qdd) noexcept {
  if constexpr (lanes_of<T> == 1)
    articulated_body_in_lanes(m, tau, w, qdd);
  else
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
