// MuJoCo reads URDF too: fixed to the world, with fixed links melted into their parents.

#include "formats/urdf/urdf.h"
#include "tests/scenes/mujoco_oracle.h"

namespace legwork {
namespace {

TEST(UrdfMujoco, MassMatrixAndBiasAgree) {
  const std::string path = std::string(LEGWORK_SOURCE_DIR) + "/tests/data/urdf/arm.urdf";
  MujocoOracle oracle(path);
  ASSERT_TRUE(oracle);
  const Creature creature = read_urdf(path, UrdfBase::fixed);
  ASSERT_EQ(creature.nv(), oracle.model().nv);
  const Model<double> model = make_model(creature);
  Workspace<double> w(model);
  const std::size_t nv = oracle.nv();
  std::vector<double> M(nv * nv), bias(nv);
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    const std::vector<double> q = random_configuration(random, creature);
    const std::vector<double> v = random_speeds(random, creature, 3);
    oracle.set(q, v);
    update_positions(model, q.data(), w);
    update_velocities(model, q.data(), v.data(), w);
    clear_forces(model, w);
    mass_matrix(model, w, M.data());
    inverse_dynamics(model, static_cast<const double*>(nullptr), w, bias.data());
    // MuJoCo diagonalises the melted inertia to about 1e-8
    EXPECT_LT(relative_error(M, oracle.mass_matrix()), 1e-8);
    EXPECT_LT(relative_error(bias, oracle.bias()), 1e-8);
  }
}

}  // namespace
}  // namespace legwork
