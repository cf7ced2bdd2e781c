// The articulated-body algorithm of one creature with links in lanes: what articulated_body.h does link by
// link, eight links of one kind at a time. Groups that are chained hand on in lanes; what others read goes to
// the workspace.

#include "dynamics/articulated_body.h"
#include "math/lanes.h"

namespace legwork {

namespace {

// Whether all that the group's links receive from their children comes in lanes, from nowhere or one group:
// else it comes through the workspace, where their start lies too.
bool starts_in_lanes(const LinkGroup& g) noexcept { return g.tips || g.below >= 0; }

// The links alone, with what a group below hands on.
[[gnu::always_inline]] inline void start_group(const Model<double>& m, const LinkGroup& g, const LinkLanes& l,
                                               Workspace<double>& w, Inertia<Batch>& IA,
                                               Wrench<Batch>& p) noexcept {
  const auto each = [&](auto& of) {
    return [&](int i) -> auto& { return of[size_t(g.link[i])]; };
  };
  if (!starts_in_lanes(g)) {
    gather(each(w.IA), IA);
    gather(each(w.pA), p);
    return;
  }
  const Vec3<Batch> gravity{Batch(m.gravity.x), Batch(m.gravity.y), Batch(m.gravity.z)};
  Wrench<Batch> f_ext;
  gather(each(w.f_ext), f_ext);
  IA = rigid_inertia(g.mass, l.c, l.I);
  p = own_force(g.mass, l.c, l.I, l.vel, gravity, f_ext);
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
}

// To parents that do not receive it in lanes: siblings in the order of their lanes, later ones first.
[[gnu::always_inline]] inline void add_to_parents(const LinkGroup& g, const LinkLanes& l,
                                                  Workspace<double>& w) noexcept {
  const Batch o(-0.0);  // o + x is x, with the sign of a zero too
  Inertia<Batch> shifted{{o, o, o, o, o, o}, {o, o, o, o, o, o, o, o, o}, {o, o, o, o, o, o}};
  add_shifted(shifted, l.IA, l.r);
  std::array<Inertia<double>, batch_lanes> inertia;
  std::array<Wrench<double>, batch_lanes> force;
  scatter(
      shifted, [&](int i) -> auto& { return inertia[size_t(i)]; });
  scatter(
      shift_back(l.pA, l.r), [&](int i) -> auto& { return force[size_t(i)]; });
  for (int i = 0; i < g.count; ++i)
    w.IA[size_t(g.parent[i])] += inertia[size_t(i)], w.pA[size_t(g.parent[i])] += force[size_t(i)];
}

void reduce_group(const Model<double>& m, const LinkGroup& g, const double* tau, LinkLanes& l,
                  Workspace<double>& w) noexcept {
  Inertia<Batch> IA;
  Wrench<Batch> p;
  start_group(m, g, l, w, IA, p);
  Batch torque, d_ext;
  for (int i = 0; i < batch_lanes; ++i) torque.set(i, tau[g.dof[i]]), d_ext.set(i, w.d_ext[g.dof[i]]);
  p = p + IA * l.bias;
  eliminate(l.S, torque, g.armature, w.implicit ? &d_ext : nullptr, IA, p, l.U, l.invD, l.u);
  scatter(l.U, [&](int i) -> Wrench<double>& { return w.U[size_t(g.dof[i])]; });
  for (int i = 0; i < g.count; ++i) w.invD[g.dof[i]] = l.invD[i], w.u[g.dof[i]] = l.u[i];
  l.IA = IA, l.pA = p;
  const bool received_in_lanes = g.above >= 0 && m.groups[size_t(g.above)].below >= 0;
  if (!received_in_lanes) add_to_parents(g, l, w);
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

}  // namespace

void articulated_body_in_lanes(const Model<double>& m, const double* tau, Workspace<double>& w,
                               double* qdd) noexcept {
  const auto group = [&](int at) -> const LinkGroup& { return m.groups[size_t(at - m.nlink)]; };
  const auto lanes = [&](int at) -> LinkLanes& { return w.lanes[size_t(at - m.nlink)]; };
  for (const int at : m.inward)
    if (at < m.nlink)
      start_link(m, at, w);
    else if (!starts_in_lanes(group(at)))
      for (int i = 0; i < group(at).count; ++i) start_link(m, group(at).link[i], w);
  // inward, tips first
  for (const int at : m.inward)
    if (at < m.nlink)
      reduce_link(m, at, tau, w);
    else
      reduce_group(m, group(at), tau, lanes(at), w);
  // outward, roots first
  for (auto at = m.inward.rbegin(); at != m.inward.rend(); ++at)
    if (*at < m.nlink)
      accelerate_link(m, *at, w, qdd);
    else
      accelerate_group(group(*at), lanes(*at), w, qdd);
}

}  // namespace legwork
