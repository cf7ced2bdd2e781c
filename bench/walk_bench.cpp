// The roach's walk as a multiple of real time on one core: McKenna's 1990 workstation took 4 minutes for
// 1/1200 s. Beside it the same body in MuJoCo, exported as MJCF (springs made linear at their standing load),
// with MuJoCo's own contact, standing, at the step that the walk takes.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <vector>

#include <legwork/files.h>
#include "bench/peers/peer.h"
#include "bench/rows.h"
#include "formats/mjcf/mjcf_write.h"
#include "walk/walk.h"

using namespace legwork;
using namespace legwork::bench;

namespace {

struct Speed {
  double factor, calls;
};

double cpu_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

// The time of a long walk less that of a short one, the best of five, so that neither standing up nor a busy
// machine counts.
Speed walk_speed(World world, double dt, double seconds) {
  world.dt = dt;
  WalkOptions options;
  options.open_loop = true;
  Speed best{0, 0};
  for (int round = 0; round < 5; ++round) {
    double spent[2];
    for (const int i : {0, 1}) {
      options.seconds = i == 0 ? 0.25 * seconds : 1.25 * seconds;
      const double start = cpu_seconds();
      const WalkOutcome r = perform_walk(world, options);
      spent[i] = cpu_seconds() - start;
      best.calls = double(r.dynamics_calls) / r.motion.duration();
      if (r.motion.status != Status::ok) std::printf("the roach: %s\n", r.motion.status_text.c_str());
    }
    best.factor = std::max(best.factor, seconds / (spent[1] - spent[0]));
  }
  return best;
}

// Masses in milligrams instead of kilograms, which changes no motion: MuJoCo refuses moments of inertia below
// 1e-15.
double mujoco_speed(Creature body, double dt) {
  constexpr double heavier = 1e6;
  for (Link& link : body.links) {
    link.mass *= heavier, link.inertia = link.inertia * heavier;
    for (Joint& joint : link.joints)
      for (Dof& dof : joint.dofs) {
        const double slope =
            dof.spring.type == SpringType::exponential
                ? dof.spring.stiffness * dof.spring.sharpness * std::exp(0.1 * dof.spring.sharpness)
                : dof.spring.stiffness;
        dof.spring = {SpringType::linear, slope * heavier, 0, dof.spring.rest};
        dof.damper *= heavier;
      }
  }
  const std::string file = (std::filesystem::temp_directory_path() / "legwork_roach_bench.xml").string();
  write_mjcf(body, file);
  MujocoSimulation sim(file);
  sim.set_timestep(dt);
  sim.reset(body.pose("stand"));
  sim.step(2000);
  constexpr int steps = 1000;
  double seconds = unlimited;
  for (int round = 0; round < 5; ++round) {
    const double start = cpu_seconds();
    sim.step(steps);
    seconds = std::min(seconds, cpu_seconds() - start);
  }
  std::filesystem::remove(file);
  return steps * dt / seconds;
}

}  // namespace

int main(int argc, char** argv) {
  World world = load_world("roach");
  world.contact.type = ContactType::exponential;
  world.contact.friction = 0.7;
  const double dt = 2e-4;
  std::vector<bench::Row> rows;
  const auto add = [&](bench::Row row) { print(row), rows.push_back(std::move(row)); };

  const Speed soft = walk_speed(world, dt, 3);
  bench::Row row;
  row.name = "roach walks, default ground, steps of 0.2 ms", row.value = soft.factor,
  row.unit = "x real time";
  row.peer = "MuJoCo, standing", row.peer_value = mujoco_speed(world.body, dt);
  row.ratio = row.value / row.peer_value, row.target = 15, row.at_least = row.on_value = true;
  add(row);

  world.contact.strength = 17.5, world.contact.sharpness = 3000;
  const Speed literal = walk_speed(world, 5e-6, 0.2);
  row = {};
  row.name = "roach walks, the thesis's ground, steps of 5 us", row.value = literal.factor,
  row.unit = "x real time";
  row.peer = "MuJoCo, standing", row.peer_value = mujoco_speed(world.body, 5e-6);
  row.ratio = row.value / row.peer_value, row.target = 0.5, row.at_least = row.on_value = true;
  add(row);

  row = {};
  row.name = "dynamics calls a second of walking, default ground", row.value = soft.calls, row.unit = "calls";
  row.peer = "the thesis, 1990", row.peer_value = 120000, row.ratio = row.value / row.peer_value;
  add(row);
  const std::string file = json_argument(argc, argv);
  if (!file.empty()) add_to_json(file, rows);
}
