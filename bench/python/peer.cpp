// The C++ side of the Python benchmark, called from it so that both are timed in turns in one process: steps
// of a Physics, and a batch simulation that does nothing but simulate.

#include <chrono>

#include <legwork/legwork.h>
#include "base/parallel.h"
#include "motion/record.h"

using namespace legwork;

namespace {

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

extern "C" {

// Seconds that so many steps take, from the pose stand.
double peer_steps(const char* creature, int steps) {
  static const World world = load_world(creature);
  static Physics physics(world);
  physics.reset();
  return seconds_of([&] {
    for (int i = 0; i < steps; ++i) physics.step();
  });
}

// Seconds that `count` bodies take, each under the same commands as in the rollout (count x steps x
// actuators), `hold` steps each.
double peer_batch(const char* creature, const double* controls, int count, int steps, int threads) {
  static const World world = [&] {
    World made = load_world(creature);
    made.body = equipped(made.body);
    return made;
  }();
  static const System<double> one = make_system(world);
  static const System<Batch> system = make_batch_system(world, {&world.body});
  SimOptions placed;
  placed.height = 0;
  static const Start start = start_of(one, placed);
  StepOptions step = choose_step(one, world.integrator, world.dt, impact_speed(one, start.q, start.v));
  const int hold = int(std::ceil(1 / 30.0 / step.dt - 1e-9));
  step.dt = 1 / 30.0 / hold;
  const std::size_t nu = one.actuators.size();
  return seconds_of([&] {
    parallel_for(count / batch_lanes, threads, [&](int group, int) {
      Simulation<Batch> sim(system, step);
      sim.reset(start.q, start.v);
      for (int n = 0; n < steps; ++n) {
        for (int lane = 0; lane < batch_lanes; ++lane) {
          const double* command =
              controls + (std::size_t(group * batch_lanes + lane) * std::size_t(steps) + std::size_t(n)) * nu;
          for (std::size_t k = 0; k < nu; ++k) sim.state.drive.target[k].set(lane, command[k]);
        }
        for (int i = 0; i < hold; ++i) sim.step();
      }
    });
  });
}

}  // extern "C"
