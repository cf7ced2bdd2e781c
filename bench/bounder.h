#pragma once
// The search whose rollouts are measured: a planar body with four position servos and two feet.

#include <string>

#include <legwork/files.h>
#include "discover/equip.h"
#include "discover/problem.h"

namespace legwork::bench {

inline Problem bench_bounder(const std::string& file, double seconds, double step, double frame) {
  World world;
  world.body = equip(load_creature(file)).body;
  world.body.sensors.resize(8);  // as many as the paper's: two of touch, six of angles
  for (Actuator& a : world.body.actuators) a.lower = -0.8, a.upper = 0.8;
  world.contact.friction = 0.9;
  world.rate = 1 / frame;
  StepOptions options = choose_step(make_system(world), "", step);
  options.max_gain = 0.1;
  DiscoverOptions problem;
  problem.seconds = seconds;
  return make_problem(world, problem, options);
}

}  // namespace legwork::bench
