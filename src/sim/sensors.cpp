#include "sim/sensors.h"

#include <algorithm>
#include <cassert>

#include "dynamics/dynamics.h"
#include "math/real.h"
#include "sim/record.h"

namespace legwork {

namespace {

// The contact points that a touch sensor listens to.
std::vector<int> touched_sites(const Creature& creature, const Sensor& sensor) {
  std::vector<int> sites;
  double nearest = unlimited;
  for (int i = 0; i < int(creature.contacts.size()); ++i) {
    const ContactPoint& p = creature.contacts[i];
    if (p.link != sensor.link) continue;
    const Vec3d d = p.pos - sensor.pos;
    if (sensor.whole)
      sites.push_back(i);
    else if (dot(d, d) < nearest)
      nearest = dot(d, d), sites = {i};
  }
  return sites;
}

template <class T>
T touch(const SensorUnit<T>& s, const Simulation<T>& sim) {
  Mask<T> touching = T(1) < T(0);
  for (const int i : s.sites)
    touching =
        touching | (site_depth(sim.system().contacts.sites[i], sim.system().world.terrain, sim.w) > T(0));
  return select(touching, T(1), T(0));
}

template <class T>
T length(const SensorUnit<T>& s, const Simulation<T>& sim) {
  Vec3<T> d = point_position(sim.w, s.link, s.pos);
  d -= s.other < 0 ? s.other_pos : point_position(sim.w, s.other, s.other_pos);
  return norm(d);
}

template <class T>
T bearing(const SensorUnit<T>& s, const Simulation<T>& sim, const Vec3<T>& follow) {
  const Vec3<T> d = transpose_times(sim.w.R[s.link], follow - point_position(sim.w, s.link, s.pos));
  return atan2(d.y, d.x);
}

// By how much the ground ahead lies higher than the ground under the point.
template <class T>
T rise(const SensorUnit<T>& s, const Simulation<T>& sim) {
  const Terrain& terrain = sim.system().world.terrain;
  const Vec3<T> p = point_position(sim.w, s.link, s.pos), axis = sim.w.R[s.link].column(0);
  const T level = sqrt(axis.x * axis.x + axis.y * axis.y);
  const T reach = s.ahead / max(level, T(1e-9));
  T result(0);
  if (terrain.type == TerrainType::none) return result;
  for (int i = 0; i < lanes_of<T>; ++i) {
    const double x = lane(p.x, i), y = lane(p.y, i), r = lane(reach, i);
    set_lane(result, i,
             sample(terrain, x + r * lane(axis.x, i), y + r * lane(axis.y, i)).height -
                 sample(terrain, x, y).height);
  }
  return result;
}

}  // namespace

std::vector<SensorUnit<double>> make_sensors(const Creature& creature) {
  std::vector<SensorUnit<double>> all;
  for (const Sensor& s : creature.sensors) {
    SensorUnit<double> unit{s.type, s.dof,       s.link,  s.other, {},
                            s.pos,  s.other_pos, s.lower, s.upper, s.ahead};
    if (s.type == SensorType::touch) unit.sites = touched_sites(creature, s);
    all.push_back(std::move(unit));
  }
  return all;
}

std::vector<SensorUnit<Batch>> make_batch_sensors(const std::vector<const Creature*>& creatures) {
  std::vector<SensorUnit<Batch>> all;
  for (int i = 0; i < batch_lanes; ++i) {
    const auto one = make_sensors(*creatures[std::min<std::size_t>(i, creatures.size() - 1)]);
    if (i == 0)
      for (const auto& s : one) all.push_back({s.type, s.dof, s.link, s.other, s.sites, {}, {}, 0, 0, 0});
    assert(one.size() == all.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
      SensorUnit<Batch>& b = all[k];
      for (int axis = 0; axis < 3; ++axis) {
        b.pos[axis].set(i, one[k].pos[axis]);
        b.other_pos[axis].set(i, one[k].other_pos[axis]);
      }
      b.lower.set(i, one[k].lower), b.upper.set(i, one[k].upper), b.ahead.set(i, one[k].ahead);
    }
  }
  return all;
}

std::vector<SensorUnit<Trace>> record(const std::vector<SensorUnit<double>>& sensors,
                                      const NumberOf& number) {
  const auto vector = [&](const Vec3d& v) { return Vec3<Trace>(number(v.x), number(v.y), number(v.z)); };
  std::vector<SensorUnit<Trace>> all;
  for (const SensorUnit<double>& s : sensors)
    all.push_back({s.type, s.dof, s.link, s.other, s.sites, vector(s.pos), vector(s.other_pos),
                   number(s.lower), number(s.upper), number(s.ahead)});
  return all;
}

template <class T>
void sense(const std::vector<SensorUnit<T>>& sensors, const Simulation<T>& sim, const Vec3<T>& follow,
           T* on) noexcept {
  for (std::size_t k = 0; k < sensors.size(); ++k) {
    const SensorUnit<T>& s = sensors[k];
    T value;
    switch (s.type) {
      case SensorType::touch:
        on[k] = touch(s, sim);
        continue;
      case SensorType::angle:
        value = sim.x[s.dof];
        break;
      case SensorType::length:
        value = length(s, sim);
        break;
      case SensorType::eye:
        value = bearing(s, sim, follow);
        break;
      case SensorType::terrain:
        value = rise(s, sim);
        break;
    }
    on[k] = select((value >= s.lower) & (value <= s.upper), T(1), T(0));
  }
}

template void sense(const std::vector<SensorUnit<double>>&, const Simulation<double>&, const Vec3<double>&,
                    double*) noexcept;
template void sense(const std::vector<SensorUnit<Batch>>&, const Simulation<Batch>&, const Vec3<Batch>&,
                    Batch*) noexcept;
template void sense(const std::vector<SensorUnit<Trace>>&, const Simulation<Trace>&, const Vec3<Trace>&,
                    Trace*) noexcept;

}  // namespace legwork
