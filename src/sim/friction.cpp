#include "sim/friction.h"
#include "math/trace.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace legwork {

namespace {

constexpr int free_passes = 8;   // guesses may change either way
constexpr int most_passes = 24;  // after these a joint that turns back is only held, which takes energy

constexpr double infinite = std::numeric_limits<double>::infinity();

// The bias of a link, and its copy among the links in lanes.
template <class T>
void set_bias(const Model<T>& m, int link, const Twist<T>& bias, Workspace<T>& w) noexcept {
  w.bias[link] = bias;
  if constexpr (lanes_of<T> == 1)
    for (std::size_t g = 0; g < m.groups.size(); ++g)
      for (int i = 0; i < batch_lanes; ++i) {
        if (m.groups[g].link[i] != link) continue;
        Twist<Batch>& lanes = w.lanes[g].bias;
        for (int k = 0; k < 3; ++k) lanes.ang[k].set(i, bias.ang[k]), lanes.lin[k].set(i, bias.lin[k]);
      }
}

}  // namespace

DryFriction<double> make_dry_friction(const Creature& creature) {
  DryFriction<double> f;
  const std::vector<const Dof*> dofs = creature.dofs();
  for (std::size_t i = 0; i < dofs.size(); ++i)
    if (dofs[i]->friction > 0) f.dof.push_back(int(i)), f.most.push_back(dofs[i]->friction);
  return f;
}

DryFriction<Batch> make_batch_dry_friction(const std::vector<const Creature*>& creatures) {
  DryFriction<Batch> f;
  const std::size_t nv = creatures.front()->dofs().size();
  for (std::size_t j = 0; j < nv; ++j) {
    Batch most(0.0);
    bool any_lane = false;
    for (int i = 0; i < batch_lanes; ++i) {
      const Creature& c = *creatures[std::min<std::size_t>(std::size_t(i), creatures.size() - 1)];
      most.set(i, c.dofs()[j]->friction);
      any_lane = any_lane || most[i] > 0;
    }
    if (any_lane) f.dof.push_back(int(j)), f.most.push_back(most);
  }
  return f;
}

template <class T>
void FrictionState<T>::size(const DryFriction<T>& friction, const Model<T>& model) {
  const std::size_t n = friction.dof.size();
  held.assign(n, T(0)), force.assign(n, T(0)), tau.assign(n, T(0)), d.assign(n, T(0));
  bias.assign(n, Twist<T>());
  load.assign(n > 0 ? std::size_t(model.nv) : 0, T(0));
}

template <class T>
void begin_friction(const DryFriction<T>& friction, const Model<T>& m, const T* v, const T* tau,
                    const Workspace<T>& w, FrictionState<T>& s) noexcept {
  for (std::size_t k = 0; k < friction.dof.size(); ++k) {
    const int j = friction.dof[k];
    const T most = friction.most[k];
    // a lane without friction is never held
    s.held[k] = select((abs(v[j]) <= T(0)) & (most > T(0)), T(1), T(0));
    s.force[k] = select(v[j] > T(0), -most, select(v[j] < T(0), most, T(0)));
    s.tau[k] = tau[j];
    s.d[k] = w.d_ext[j];
    s.bias[k] = w.bias[m.link_of_dof[j]];
  }
}

template <class T>
void apply_friction(const DryFriction<T>& friction, const Model<T>& m, const T* v, const T& h, T* tau,
                    Workspace<T>& w, FrictionState<T>& s) noexcept {
  for (std::size_t k = 0; k < friction.dof.size();) {
    // joints of one link follow each other
    const int link = m.link_of_dof[friction.dof[k]];
    Twist<T> bias = s.bias[k];
    for (; k < friction.dof.size() && m.link_of_dof[friction.dof[k]] == link; ++k) {
      const int j = friction.dof[k];
      const Mask<T> held = s.held[k] > T(0);
      tau[j] = s.tau[k] + select(held, T(0), s.force[k]);
      w.d_ext[j] = select(held, T(infinite), s.d[k]);
      bias += w.S[j] * select(held, -v[j] / h, T(0));
    }
    set_bias(m, link, bias, w);
  }
}

template <class T>
bool correct_friction(const DryFriction<T>& friction, const Model<T>& m, const T* v, const T& h, int pass,
                      const Constraints<T>& constraints, Workspace<T>& w, T* qdd,
                      FrictionState<T>& s) noexcept {
  bool any_held = false;
  for (std::size_t k = 0; k < friction.dof.size(); ++k) {
    const int j = friction.dof[k];
    const Mask<T> held = s.held[k] > T(0);
    any_held = any_held || any(held);
    qdd[j] = select(held, -v[j] / h, qdd[j]);
  }
  if (any_held) joint_loads(m, constraints, w, qdd, s.load.data());
  bool changed = false;
  const bool freely = pass < free_passes;
  for (std::size_t k = 0; k < friction.dof.size(); ++k) {
    const int j = friction.dof[k];
    const T most = friction.most[k];
    const Mask<T> held = s.held[k] > T(0);
    // what holding needs beside all else that acts in the joint
    const T need = s.load[j] - (s.tau[k] - s.d[k] * qdd[j]);
    const Mask<T> slips = held & (abs(need) > most);
    const T next = v[j] + h * qdd[j];
    // it slides against its friction, unless that pushes it back
    const Mask<T> turns = s.force[k] * next > T(0);
    const Mask<T> sticks = (!held) & turns;
    const Mask<T> start = freely ? slips : T(0) > T(0);
    s.force[k] = select(held, min(max(need, -most), most), s.force[k]);
    s.held[k] = select(start, T(0), select(sticks, T(1), s.held[k]));
    changed = changed || any(start) || any(sticks);
  }
  const bool more = changed && pass < most_passes;
  // what stops a joint is no part of the acceleration that velocities make: contacts must not see it there
  if (!more)
    for (std::size_t k = 0; k < friction.dof.size(); ++k)
      set_bias(m, m.link_of_dof[friction.dof[k]], s.bias[k], w);
  return more;
}

template <class T>
void end_friction(const DryFriction<T>& friction, const FrictionState<T>& s, T* tau,
                  Workspace<T>& w) noexcept {
  for (std::size_t k = 0; k < friction.dof.size(); ++k) {
    const int j = friction.dof[k];
    tau[j] = s.tau[k] + s.force[k];
    w.d_ext[j] = s.d[k];
  }
}

#define LEGWORK_INSTANTIATE(T)                                                                          \
  template struct FrictionState<T>;                                                                     \
  template void begin_friction(const DryFriction<T>&, const Model<T>&, const T*, const T*,              \
                               const Workspace<T>&, FrictionState<T>&) noexcept;                        \
  template void apply_friction(const DryFriction<T>&, const Model<T>&, const T*, const T&, T*,          \
                               Workspace<T>&, FrictionState<T>&) noexcept;                              \
  template bool correct_friction(const DryFriction<T>&, const Model<T>&, const T*, const T&, int,       \
                                 const Constraints<T>&, Workspace<T>&, T*, FrictionState<T>&) noexcept; \
  template void end_friction(const DryFriction<T>&, const FrictionState<T>&, T*, Workspace<T>&) noexcept;
LEGWORK_INSTANTIATE(double)
LEGWORK_INSTANTIATE(Batch)
LEGWORK_INSTANTIATE(Trace)
#undef LEGWORK_INSTANTIATE

}  // namespace legwork
