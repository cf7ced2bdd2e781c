#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include <legwork/carriage.h>
#include <legwork/error.h>
#include <legwork/files.h>
#include <legwork/gait.h>
#include "math/real.h"
#include "modes/modes.h"

namespace legwork {
namespace {

struct Lively {
  ModalResult result;
  Gait gait;
  Carriage carriage;
};

Lively make(const std::string& creature, const std::string& action, void (*change)(ModesOptions&) = nullptr,
            const std::string& terrain = "plane") {
  World world = load_world(creature);
  world.terrain = parse_terrain(terrain);
  ModesOptions options;
  options.action = action, options.life.state = Life::State::on;
  options.stiffness = creature == "dog" ? "20" : "100", options.spine = creature == "dog" ? 5 : 10;
  options.seconds = 3;
  if (change) change(options);
  Lively made{make_modes_motion(world, options), {}, {}};
  made.gait = measure_gait(made.result.motion);
  made.carriage = measure_carriage(made.result.motion, made.gait);
  return made;
}

// The ranges are wide ones around what docs/life.md quotes of people and dogs.
TEST(LivelyGait, APersonWalksAndRunsAsPeopleDo) {
  const Lively walk = make("human", "walk"), run = make("human", "run");
  EXPECT_EQ(walk.gait.name, "walk");
  EXPECT_GT(walk.gait.speed, 1.1);
  EXPECT_GT(walk.carriage.bob, 0.015);
  EXPECT_LT(walk.carriage.bob, 0.05);
  EXPECT_LT(walk.carriage.girdles[0].yaw, 14 * pi / 180);
  EXPECT_GT(walk.carriage.girdles[0].yaw, 4 * pi / 180);
  EXPECT_LT(walk.carriage.girdles[0].roll, 10 * pi / 180);
  EXPECT_LT(walk.carriage.most_force, 1.5);
  EXPECT_GT(walk.carriage.least_force, 0.5);
  EXPECT_EQ(run.gait.name, "run");
  EXPECT_GT(run.gait.speed, 2.4);
  EXPECT_GT(run.carriage.bob, 0.06);
  EXPECT_LT(run.carriage.bob, 0.11);
  EXPECT_GT(run.carriage.most_force, 2);
  EXPECT_LT(run.carriage.most_force, 2.8);
  EXPECT_GT(run.carriage.least_force, -0.1);  // nothing pulls at it in flight
}

TEST(LivelyGait, FeetStandStillInEveryGaitByName) {
  for (const char* action : {"walk", "pace", "amble", "trot", "canter", "gallop", "bound", "pronk"}) {
    SCOPED_TRACE(action);
    const Lively dog = make("dog", action);
    EXPECT_EQ(dog.gait.name, std::string(action) == "pronk" ? "hop" : action);
    EXPECT_LT(dog.gait.slip, 1e-3);
    EXPECT_LT(dog.gait.penetration, 1e-3);
    EXPECT_GT(dog.carriage.least_force, -0.1);
  }
  for (const char* action : {"walk", "run", "hop", "skip"}) {
    SCOPED_TRACE(action);
    const Lively human = make("human", action);
    EXPECT_LT(human.gait.slip, 1e-3);
    EXPECT_LT(human.gait.penetration, 1e-3);
  }
}

TEST(LivelyGait, ItRepeatsWithItsCycle) {
  const Lively dog = make("dog", "trot", [](ModesOptions& o) { o.hz = 2; });
  const Motion& motion = dog.result.motion;
  const size_t nq = size_t(motion.creature.nq());
  for (size_t j = 7; j < nq; ++j) EXPECT_NEAR(motion.q[10 * nq + j], motion.q[(10 + 60) * nq + j], 1e-9) << j;
}

TEST(LivelyGait, DialsDoWhatTheySay) {
  const Lively plain = make("dog", "trot"),
               fast = make("dog", "trot", [](ModesOptions&o) { o.life.speed = 2.2; }),
               flat = make("dog", "trot", [](ModesOptions&o) { o.life.bounce = 0; }),
               straight = make("dog", "walk", [](ModesOptions&o) { o.sway = 0; }), walk = make("dog", "walk"),
               rigid = make("dog", "walk", [](ModesOptions&o) { o.life.lag = 0; });
  EXPECT_NEAR(fast.gait.speed, 2.2, 0.01);
  EXPECT_LT(flat.carriage.bob, 0.2 * plain.carriage.bob);
  EXPECT_LT(straight.carriage.sway, 0.5 * walk.carriage.sway);
  const auto tail = [](const Lively& made) {
    const Motion& m = made.result.motion;
    double most = 0;
    const std::vector<const Dof*> dofs = m.creature.dofs();
    const size_t nv = dofs.size();
    for (size_t f = 0; f < size_t(m.frames()); ++f)
      for (size_t j = 0; j < nv; ++j)
        if (dofs[j]->name.find("tail") != std::string::npos)
          most = std::max(most, std::fabs(m.v[f * nv + j]));
    return most;
  };
  EXPECT_EQ(tail(rigid), 0);
  EXPECT_GT(tail(walk), 0.05);
}

TEST(LivelyGait, FeetStandOnSlopesAndInTurns) {
  const Lively uphill = make("dog", "walk", nullptr, "slope:5deg"),
               turning = make("dog", "walk", [](ModesOptions&o) { o.turn = 10; });
  for (const Lively* made : {&uphill, &turning}) {
    EXPECT_LT(made->gait.slip, 1e-3);
    EXPECT_LT(made->gait.penetration, 1e-3);
  }
}

TEST(LivelyGait, LegsThatAreNotThereAreRefused) {
  try {
    make("human", "canter");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("has 2 legs, and --action canter needs four"), std::string::npos);
  }
  try {
    make("dog", "skip");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("has 4 legs, and --action skip needs two"), std::string::npos);
  }
}

}  // namespace
}  // namespace legwork
