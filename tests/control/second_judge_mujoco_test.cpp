// The same controller drives the same body in MuJoCo's physics: walking is no artefact of our ground.

#include <gtest/gtest.h>

#include <cmath>

#include "control/fallen.h"
#include "control/legged_controller.h"
#include "tests/scenes/generated_body.h"
#include "tests/scenes/mujoco_stage.h"

namespace legwork {
namespace {

struct Judged {
  bool fell = false;
  double distance = 0;  // heights
};

Judged walk_in_mujoco(const Creature& creature, const Terrain& terrain, double times) {
  World world;
  world.body = creature;
  world.terrain = terrain;
  const System<double> system = make_system(world);
  const LeggedBody body = make_legged_body(system, {});
  LeggedController control(body);
  control.schedule = choose_schedule(body, 0, 0, control.state.there);
  MujocoStage stage(world, {.dt = 0, .passive = false});
  const std::vector<double> q = lay_on(body, terrain, {}, 0);
  stage.reset(q);
  control.start(0, q, 0, terrain);
  Workspace<double> w(system.model);
  std::vector<double> load(body.legs.size());
  LegCommand command;
  command.speed = 0.8 * control.schedule.speed;
  Judged judged;
  double due = 0;
  while (stage.time() < times / body.rate && !judged.fell) {
    if (stage.time() >= due - 0.5 * stage.dt()) {
      due += 0.01 / body.rate;
      for (std::size_t i = 0; i < load.size(); ++i) load[i] = norm(stage.leg_force(int(i)));
      control.update(stage.time(), stage.q(), stage.v(), load, terrain, command);
    }
    judged.fell = !stage.step(control.torque());
    update_positions(system.model, stage.q().data(), w);
    judged.fell = judged.fell || has_fallen(body, terrain, w);
  }
  judged.distance = center_of_mass(system.model, w).x / body.height;
  return judged;
}

TEST(SecondJudge, GeneratedBodiesWalkInMujocosPhysicsToo) {
  int walked = 0, runs = 0;
  for (const int number : {8, 15, 22, 28, 13, 16}) {  // six, four, four, four, two, five legs
    for (const double slope : {0.0, 0.1}) {
      const Judged judged =
          walk_in_mujoco(generated_body(1, number), slope > 0 ? slope_terrain(slope) : Terrain{}, 25);
      const bool counts = !judged.fell && judged.distance > 2;
      if (!counts)
        std::printf("body %d, slope %g: %s, %.2g h\n", number, slope, judged.fell ? "fell" : "up",
                    judged.distance);
      walked += counts, ++runs;
    }
  }
  EXPECT_GE(walked, 11) << "of " << runs;
}

}  // namespace
}  // namespace legwork
