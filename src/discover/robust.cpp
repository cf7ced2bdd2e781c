#include "discover/robust.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "creature/scale.h"

namespace legwork {

namespace {

Disturbance with_friction(const Problem& problem, double factor) {
  Disturbance d{"friction x " + to_text(factor), problem};
  ContactOptions& c = d.problem.world.contact;
  for (double* mu : {&c.friction, &c.friction_back, &c.friction_side})
    if (*mu > 0) *mu *= factor;
  return d;
}

Disturbance with_mass(const Problem& problem, double factor) {
  Disturbance d{"mass x " + to_text(factor), problem};
  for (const int b : problem.links) scale_mass(d.problem.world.body.links[b], factor);
  return d;
}

Disturbance on_rough_ground(const Problem& problem, std::uint64_t seed) {
  Disturbance d{"rough ground " + std::to_string(seed), problem};
  if (problem.world.terrain.type != TerrainType::none)
    d.problem.world.terrain = rough_terrain(0.02 * problem.length, problem.length, seed);
  return d;
}

Disturbance with_push(const Problem& problem, double sign) {
  Disturbance d{sign > 0 ? "push forward" : "push back", problem};
  double mass = 0;
  for (const int b : problem.links) mass += problem.world.body.links[b].mass;
  const double impulse = 0.1 * mass * std::sqrt(9.81 * problem.length), duration = 0.1;
  d.problem.world.pushes.push_back(
      {problem.root, {sign * impulse / duration, 0, 0}, problem.seconds / 3, duration});
  return d;
}

}  // namespace

std::vector<Disturbance> disturbances(const Problem& problem) {
  std::vector<Disturbance> all;
  for (const double factor : {0.7, 1.3}) all.push_back(with_friction(problem, factor));
  for (const double factor : {0.9, 1.1}) all.push_back(with_mass(problem, factor));
  for (const std::uint64_t seed : {1, 2}) all.push_back(on_rough_ground(problem, seed));
  for (const double sign : {1.0, -1.0}) all.push_back(with_push(problem, sign));
  return all;
}

double robustness(const Evaluation& undisturbed, const std::vector<Evaluation>& disturbed) {
  double share = 0;
  for (const Evaluation& e : disturbed)
    if (undisturbed.distance > 0)
      share += std::min(1.0, e.distance / undisturbed.distance) / double(disturbed.size());
  return share;
}

}  // namespace legwork
