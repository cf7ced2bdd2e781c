// The kinematic passes of one creature with links in lanes: what kinematics.cpp does link by link, eight
// links of one kind at a time. Groups that are chained hand on in lanes; what others read goes to the
// workspace.

#include "dynamics/kinematics.h"
#include "math/lanes.h"
#include "math/real.h"

namespace legwork {

namespace {

// Sines and cosines of all hinges. A batch holds the bits of the scalar, so eight hinges of one creature go
// through it at a time.
void turn_hinges(const Model<double>& m, const double* q, Workspace<double>& w) noexcept {
  const int n = int(m.hinge_q.size());
  for (int k = 0; k < n; k += batch_lanes) {
    Batch angle(0.0), s, c;
    for (int i = 0; i < batch_lanes && k + i < n; ++i)
      angle.set(i, q[m.hinge_q[k + i]] - m.hinge_zero[k + i]);
    sin_cos(angle, s, c);
    for (int i = 0; i < batch_lanes && k + i < n; ++i) w.sine[k + i] = s[i], w.cosine[k + i] = c[i];
  }
}

void place_group(const LinkGroup& g, LinkLanes& l, Workspace<double>& w) noexcept {
  Moving<Batch> f;
  Vec3<Batch> from;
  if (g.above >= 0) {
    f.R = w.lanes[g.above].R, from = w.lanes[g.above].p;
  } else {
    gather([&](int i) -> const Mat3d& { return w.R[g.parent[i]]; }, f.R);
    gather([&](int i) -> const Vec3d& { return w.p[g.parent[i]]; }, from);
  }
  f.p = from + f.R * g.pos;
  Batch sine, cosine;
  for (int i = 0; i < batch_lanes; ++i) sine.set(i, w.sine[g.hinge[i]]), cosine.set(i, w.cosine[g.hinge[i]]);
  l.S = apply_hinge(g.screw, sine, cosine, f);
  finish_axis(f.p, l.S);
  l.R = f.R, l.p = f.p;
  l.r = f.p - from;
  l.c = f.R * g.com;
  l.I = rotate(f.R, g.inertia);
  scatter(l.S, [&](int i) -> Twist<double>& { return w.S[g.dof[i]]; });
  scatter(l.R, [&](int i) -> Mat3d& { return w.R[g.link[i]]; });
  scatter(l.p, [&](int i) -> Vec3d& { return w.p[g.link[i]]; });
  scatter(l.r, [&](int i) -> Vec3d& { return w.r[g.link[i]]; });
  scatter(l.c, [&](int i) -> Vec3d& { return w.c[g.link[i]]; });
  scatter(l.I, [&](int i) -> Sym3d& { return w.I[g.link[i]]; });
}

void move_group(const LinkGroup& g, LinkLanes& l, const double* v, Workspace<double>& w) noexcept {
  Twist<Batch> parent;
  if (g.above >= 0)
    parent = w.lanes[g.above].vel;
  else
    gather([&](int i) -> const Twist<double>& { return w.vel[g.parent[i]]; }, parent);
  Batch rate;
  for (int i = 0; i < batch_lanes; ++i) rate.set(i, v[g.dof[i]]);
  l.vel = shift(parent, l.r);
  l.bias = {};
  advance_screw(l.S, rate, l.vel, l.bias);
  scatter(l.vel, [&](int i) -> Twist<double>& { return w.vel[g.link[i]]; });
  scatter(l.bias, [&](int i) -> Twist<double>& { return w.bias[g.link[i]]; });
}

}  // namespace

void place_links_in_lanes(const Model<double>& m, const double* q, Workspace<double>& w) noexcept {
  turn_hinges(m, q, w);
  for (auto at = m.inward.rbegin(); at != m.inward.rend(); ++at)
    if (*at < m.nlink)
      place_link(m, *at, q, w);
    else
      place_group(m.groups[size_t(*at - m.nlink)], w.lanes[size_t(*at - m.nlink)], w);
}

void move_links_in_lanes(const Model<double>& m, const double* q, const double* v,
                         Workspace<double>& w) noexcept {
  for (auto at = m.inward.rbegin(); at != m.inward.rend(); ++at)
    if (*at < m.nlink)
      move_link(m, *at, q, v, w);
    else
      move_group(m.groups[size_t(*at - m.nlink)], w.lanes[size_t(*at - m.nlink)], v, w);
}

}  // namespace legwork
