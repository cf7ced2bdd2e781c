// Limbs that meet each other beside MuJoCo (tests/data/mjcf/self_contact).

#include <legwork/files.h>
#include "sim/simulation.h"
#include "tests/scenes/mujoco_oracle.h"

namespace legwork {
namespace {

struct Angles {
  double a = 0, b = 0;
};

std::string file_of(const std::string& name) {
  return std::string(LEGWORK_SOURCE_DIR) + "/tests/data/mjcf/self_contact/" + name + ".xml";
}

// After 1.5 s at half a millisecond a step.
constexpr int steps = 3000;
constexpr double dt = 5e-4;

Angles theirs(const std::string& name, const std::vector<double>& q) {
  MujocoOracle oracle(file_of(name));
  mjModel& m = oracle.model();
  m.opt.disableflags &= ~mjDSBL_CONSTRAINT;
  m.opt.timestep = dt;
  oracle.set(q, {0, 0});
  for (int i = 0; i < steps; ++i) mj_step(&m, &oracle.data());
  return {oracle.data().qpos[0], oracle.data().qpos[1]};
}

Angles ours(const std::string& name, const std::vector<double>& q) {
  const System<double> system = make_system(load_world(file_of(name), {.terrain = "none"}));
  Simulation<double> sim(system, {.integrator = Integrator::implicit, .dt = dt});
  sim.reset(q, {0, 0});
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(sim.step()) << sim.explain();
  return {sim.state.q[0], sim.state.q[1]};
}

// From where they overlap by a centimetre: both push them apart and hold them where they touch, or let them
// pass.
TEST(SelfContact, LimbsComeToRestWhereMujocosDo) {
  for (const auto& [name, meet] : std::vector<std::pair<std::string, bool>>{{"limbs", true},
                                                                            {"pair", true},
                                                                            {"exclude", false},
                                                                            {"kinds", false},
                                                                            {"ghosts", false},
                                                                            {"flag", false}}) {
    SCOPED_TRACE(name);
    const std::vector<double> q = {-0.47, 0.47};
    const Angles our = ours(name, q), their = theirs(name, q);
    EXPECT_NEAR(our.a, their.a, 0.005);
    EXPECT_NEAR(our.b, their.b, 0.005);
    EXPECT_EQ(std::fabs(our.a) < 0.5, meet) << our.a;
    EXPECT_EQ(std::fabs(their.a) < 0.5, meet) << their.a;
  }
}

}  // namespace
}  // namespace legwork
