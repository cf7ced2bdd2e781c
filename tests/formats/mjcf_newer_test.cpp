// What MuJoCo reads since 3.0, beside npm's @mujoco/mujoco run through node (tests/tools, installed by `make
// test`).

#include <gtest/gtest.h>
#include <stdio.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "creature/complete.h"
#include "creature/strength.h"
#include "dynamics/dynamics.h"
#include "formats/mjcf/mjcf.h"

namespace legwork {
namespace {

nlohmann::json ask_mujoco(const std::string& file) {
  const std::string tool = std::string(LEGWORK_SOURCE_DIR) + "/tests/tools/mujoco_gains.mjs";
  FILE* pipe = popen(("node '" + tool + "' '" + file + "' 2>&1").c_str(), "r");
  std::string text;
  char buffer[4096];
  for (std::size_t got; pipe && (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, got);
  if (pipe) pclose(pipe);
  const auto answer = nlohmann::json::parse(text, nullptr, false);
  EXPECT_TRUE(answer.is_object()) << "MuJoCo did not run (make test installs it): " << text;
  return answer;
}

TEST(MjcfNewer, ServosHaveTheGainsOfANewMujoco) {
  const std::string file = std::string(LEGWORK_SOURCE_DIR) + "/tests/data/mjcf/newer/servos.xml";
  const auto theirs = ask_mujoco(file);
  if (!theirs.is_object()) return;
  const Creature c = read_mjcf(file);
  ASSERT_EQ(c.actuators.size(), theirs["actuators"].size());
  for (std::size_t i = 0; i + 1 < c.actuators.size(); ++i) {
    const Actuator& a = c.actuators[i];
    SCOPED_TRACE(a.name);
    const auto& t = theirs["actuators"][i];
    EXPECT_NEAR(a.ks, -t["bias"][1].get<double>(), 1e-12);
    EXPECT_NEAR(a.kd, -t["bias"][2].get<double>(), 1e-9 * a.kd);
    EXPECT_EQ(a.gear, t["gear"].get<double>());
    const double low = t["range"][0], high = t["range"][1];
    if (low == high) continue;
    // a gain beside a spring of its own is a servo whose command is scaled
    const double scale = t["gain"].get<double>() / a.ks, offset = t["bias"][0].get<double>() / a.ks;
    EXPECT_NEAR(a.lower, scale * low + offset, 1e-12);
    EXPECT_NEAR(a.upper, scale * high + offset, 1e-12);
  }
  EXPECT_EQ(c.actuators[3].lag, theirs["actuators"][3]["time"].get<double>());
  EXPECT_EQ(c.actuators[4].tendon, 0);
  // actuatorfrcrange bounds the servo and the motor of the hip
  EXPECT_EQ(c.actuators[0].strength, 7);
  EXPECT_EQ(c.actuators[6].strength, 7.0 / 3);
  EXPECT_EQ(c.loops.size(), 0u);

  const Model<double> model = make_model(c);
  Workspace<double> w(model);
  const std::vector<double> q = c.pose("");
  std::vector<double> M(std::size_t(model.nv) * std::size_t(model.nv));
  update_positions(model, q.data(), w);
  mass_matrix(model, w, M.data());
  for (std::size_t i = 0; i < M.size(); ++i) EXPECT_NEAR(M[i], theirs["mass"][i].get<double>(), 1e-9);
}

TEST(MjcfNewer, MeshesWeighWhatTheyWeighInANewMujoco) {
  const std::string file = std::string(LEGWORK_SOURCE_DIR) + "/tests/data/mjcf/newer/mesh.xml";
  const auto theirs = ask_mujoco(file);
  if (!theirs.is_object()) return;
  const Model<double> model = make_model(read_mjcf(file));
  Workspace<double> w(model);
  const std::vector<double> q = read_mjcf(file).pose("");
  std::vector<double> M(std::size_t(model.nv) * std::size_t(model.nv));
  update_positions(model, q.data(), w);
  mass_matrix(model, w, M.data());
  ASSERT_EQ(M.size(), theirs["mass"].size());
  for (std::size_t i = 0; i < M.size(); ++i) EXPECT_NEAR(M[i], theirs["mass"][i].get<double>(), 1e-9 * M[0]);
}

// Mass matrix, bias, passive forces, dry friction at rest and in motion, equalities, 2 s of fall and of a
// swing: the table that mujoco_models.mjs prints of any folder, here of our own bodies.
TEST(MjcfNewer, OurBodiesMoveAsInANewMujoco) {
  const std::string root = LEGWORK_SOURCE_DIR, data = root + "/tests/data/";
  std::string command = "node '" + root + "/tests/tools/mujoco_models.mjs' '" LEGWORK_PROGRAM "'";
  for (const char* name : {"mjcf/bonds", "mjcf/springs.xml", "mjcf/defaults.xml", "mjcf/many_joints.xml",
                           "mjcf/newer/holes.xml", "mjcf/newer/geared.xml", "mjcf/newer/servos.xml",
                           "mjcf/newer/legs.xml", "mjcf/newer/limbs.xml", "urdf"})
    command += " '" + data + name + "'";
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  ASSERT_TRUE(pipe);
  std::string text;
  char buffer[4096];
  for (std::size_t got; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, got);
  EXPECT_EQ(pclose(pipe), 0) << text;
  EXPECT_NE(text.find("15 of 15"), std::string::npos) << text;
}

}  // namespace
}  // namespace legwork
