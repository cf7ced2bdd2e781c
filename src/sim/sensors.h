#pragma once
// Sensors: what a controller may know. All are binary, 1 or 0; creature.h says when each is on.

#include <vector>

#include "sim/simulation.h"

namespace legwork {

template <class T>
struct SensorUnit {
  SensorType type;
  int dof, link, other;    // other = -1: the world
  std::vector<int> sites;  // touch: contact points, any of which turns it on
  Vec3<T> pos, other_pos;
  T lower, upper, ahead;
};

std::vector<SensorUnit<double>> make_sensors(const Creature& creature);
// Lane i is creatures[i]; fewer than eight: the last fills the rest. All share one topology.
std::vector<SensorUnit<Batch>> make_batch_sensors(const std::vector<const Creature*>& creatures);

// on: one value for each sensor. follow: the point that eyes look for, world. Needs the simulation's
// positions up to date, as they are after a step.
template <class T>
void sense(const std::vector<SensorUnit<T>>& sensors, const Simulation<T>& sim, const Vec3<T>& follow,
           T* on) noexcept;

}  // namespace legwork
