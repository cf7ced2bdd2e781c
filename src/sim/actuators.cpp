#include "sim/actuators.h"

#include <algorithm>
#include <cassert>

#include "dynamics/dynamics.h"
#include "math/real.h"
#include "sim/record.h"

namespace legwork {

namespace {

// The line between an actuator's two points.
template <class T>
struct Line {
  Vec3<T> direction;  // unit, from other to link
  T length, rate;
};

template <class T>
Line<T> line(const ActuatorUnit<T>& a, const Workspace<T>& w) {
  Vec3<T> d = point_position(w, a.link, a.pos), d_rate = point_velocity(w, a.link, a.pos);
  d -= a.other < 0 ? a.other_pos : point_position(w, a.other, a.other_pos);
  if (a.other >= 0) d_rate -= point_velocity(w, a.other, a.other_pos);
  const T length = norm(d);
  const Vec3<T> direction = d * (T(1) / max(length, T(1e-12)));
  return {direction, length, dot(direction, d_rate)};
}

template <class T>
T clip(const T& x, const T& lower, const T& upper) {
  return min(max(x, lower), upper);
}

// The force of a linear actuator. Implicit: f - h ks rate - (h kd + h^2 ks) J qdd, the last term as the row
// J qdd + lambda / (h kd + h^2 ks) = 0.
template <class T>
void pull_points(const ActuatorUnit<T>& a, const T& wanted, const T& h, Workspace<T>& w,
                 Constraints<T>* rows) {
  const Line<T> l = line(a, w);
  T f = a.ks * (wanted - l.length) - a.kd * l.rate;
  const auto clipped = abs(f) >= a.strength;
  f = clip(f, -a.strength, a.strength);
  if (w.implicit && rows) {
    const T d = select(clipped, T(0), h * a.kd + h * h * a.ks);
    Row<T>& row = rows->row[rows->rows++];
    row = {a.link, a.other, {cross(w.R[a.link] * a.pos, l.direction), l.direction}, {}, T(0), T(0)};
    if (a.other >= 0) row.on_b = {-cross(w.R[a.other] * a.other_pos, l.direction), -l.direction};
    row.compliance = T(1) / max(d, T(1e-100));
    f -= select(clipped, T(0), h * a.ks * l.rate);
  }
  add_force(w, a.link, a.pos, l.direction * f);
  if (a.other >= 0) add_force(w, a.other, a.other_pos, -(l.direction * f));
}

// The force of an actuator along a tendon, its implicit part a row.
template <class T>
void pull_along(const ActuatorUnit<T>& a, const T& wanted, const T& h, Constraints<T>* rows,
                const TendonLengths<T>& along, T* tau) {
  const TendonUnit<T>& tendon = (*along.tendons)[std::size_t(a.tendon)];
  const bool motor = a.type == ActuatorType::motor;
  const T length = along.state->length[std::size_t(a.tendon)],
          rate = along.state->rate[std::size_t(a.tendon)];
  const T f = motor ? wanted : a.ks * (wanted - a.gear * length) - a.kd * (a.gear * rate);
  const T force = a.gear * clip(f, -a.strength, a.strength);
  if (motor || !rows) return pull_tendon<T>(tendon, *along.state, force, T(0), tau, nullptr);
  const T gear2 = select(abs(f) < a.strength, a.gear * a.gear, T(0));
  pull_tendon(tendon, *along.state, force - h * gear2 * a.ks * rate, gear2 * (h * a.kd + h * h * a.ks), tau,
              rows);
}

}  // namespace

std::vector<ActuatorUnit<double>> make_actuators(const Creature& creature) {
  std::vector<ActuatorUnit<double>> all;
  for (const Actuator& a : creature.actuators) {
    ActuatorUnit<double> unit{a.type, a.dof,   a.link,  a.other,    a.pos,  a.other_pos, a.ks,
                              a.kd,   a.lower, a.upper, a.strength, a.gear, a.tendon,    a.lag};
    if (unit.lower >= unit.upper) unit.lower = -unlimited, unit.upper = unlimited;
    all.push_back(unit);
  }
  return all;
}

std::vector<ActuatorUnit<Batch>> make_batch_actuators(const std::vector<const Creature*>& creatures) {
  std::vector<ActuatorUnit<Batch>> all;
  for (int i = 0; i < batch_lanes; ++i) {
    const auto one = make_actuators(*creatures[std::min<std::size_t>(i, creatures.size() - 1)]);
    if (i == 0)
      for (const auto& a : one)
        all.push_back({a.type, a.dof, a.link, a.other, {}, {}, 0, 0, 0, 0, 0, 0, a.tendon, 0});
    assert(one.size() == all.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
      ActuatorUnit<Batch>& b = all[k];
      for (int axis = 0; axis < 3; ++axis) {
        b.pos[axis].set(i, one[k].pos[axis]);
        b.other_pos[axis].set(i, one[k].other_pos[axis]);
      }
      b.ks.set(i, one[k].ks), b.kd.set(i, one[k].kd);
      b.lower.set(i, one[k].lower), b.upper.set(i, one[k].upper);
      b.strength.set(i, one[k].strength), b.gear.set(i, one[k].gear);
      b.lag.set(i, one[k].lag);
    }
  }
  return all;
}

std::vector<ActuatorUnit<Trace>> record(const std::vector<ActuatorUnit<double>>& actuators,
                                        const NumberOf& number) {
  const auto vector = [&](const Vec3d& v) { return Vec3<Trace>(number(v.x), number(v.y), number(v.z)); };
  std::vector<ActuatorUnit<Trace>> all;
  for (const ActuatorUnit<double>& a : actuators)
    all.push_back({a.type, a.dof, a.link, a.other, vector(a.pos), vector(a.other_pos), number(a.ks),
                   number(a.kd), number(a.lower), number(a.upper), number(a.strength), number(a.gear),
                   a.tendon, number(a.lag)});
  return all;
}

template <class T>
T resting_target(const ActuatorUnit<T>& a, const T* x, const TendonState<T>& tendons,
                 const Workspace<T>& w) noexcept {
  if (a.type == ActuatorType::motor) return T(0);
  if (a.tendon >= 0) return a.gear * tendons.length[std::size_t(a.tendon)];
  return a.type == ActuatorType::linear ? line(a, w).length : a.gear * x[a.dof];
}

template <class T>
void follow_targets(const std::vector<ActuatorUnit<T>>& actuators, const T* target, const T& h,
                    std::vector<T>& activation) noexcept {
  for (std::size_t i = 0; i < actuators.size(); ++i) {
    const ActuatorUnit<T>& a = actuators[i];
    const auto lags = a.lag > T(0);
    const T wanted = clip(target[i], a.lower, a.upper);
    const T share = T(1) - exp(-(h / select(lags, a.lag, T(1))));
    activation[i] = select(lags, activation[i] + share * (wanted - activation[i]), target[i]);
  }
}

template <class T>
void add_actuator_forces(const std::vector<ActuatorUnit<T>>& actuators, const T* target, const T* x,
                         const T* v, const T& h, Workspace<T>& w, T* tau,
                         std::type_identity_t<Constraints<T>*> rows,
                         std::type_identity_t<TendonLengths<T>> along) noexcept {
  for (std::size_t i = 0; i < actuators.size(); ++i) {
    const ActuatorUnit<T>& a = actuators[i];
    const T wanted = clip(target[i], a.lower, a.upper);
    if (a.type == ActuatorType::linear) {
      pull_points(a, wanted, h, w, rows);
      continue;
    }
    if (a.tendon >= 0) {
      pull_along(a, wanted, h, w.implicit ? rows : nullptr, along, tau);
      continue;
    }
    if (a.type == ActuatorType::motor) {
      tau[a.dof] += a.gear * clip(wanted, -a.strength, a.strength);
      continue;
    }
    const T f = a.ks * (wanted - a.gear * x[a.dof]) - a.kd * (a.gear * v[a.dof]);
    tau[a.dof] += a.gear * clip(f, -a.strength, a.strength);
    if (!w.implicit) continue;
    const T gear2 = select(abs(f) < a.strength, a.gear * a.gear, T(0));
    tau[a.dof] -= h * gear2 * a.ks * v[a.dof];
    w.d_ext[a.dof] += gear2 * (h * a.kd + h * h * a.ks);
  }
}

#define LEGWORK_INSTANTIATE(T)                                                                         \
  template T resting_target(const ActuatorUnit<T>&, const T*, const TendonState<T>&,                   \
                            const Workspace<T>&) noexcept;                                             \
  template void follow_targets(const std::vector<ActuatorUnit<T>>&, const T*, const T&,                \
                               std::vector<T>&) noexcept;                                              \
  template void add_actuator_forces(const std::vector<ActuatorUnit<T>>&, const T*, const T*, const T*, \
                                    const T&, Workspace<T>&, T*, Constraints<T>*,                      \
                                    TendonLengths<T>) noexcept;
LEGWORK_INSTANTIATE(double)
LEGWORK_INSTANTIATE(Batch)
LEGWORK_INSTANTIATE(Trace)
#undef LEGWORK_INSTANTIATE

}  // namespace legwork
