// Where forces come from and where things start: nothing moves a body as a whole but the ground, a hold in
// the air is asked for by name, and what has no legs starts where its file says.

#include <gtest/gtest.h>

#include <cmath>

#include <legwork/legwork.h>
#include "creature/tree.h"
#include "direct/director.h"
#include "direct/program.h"
#include "dynamics/dynamics.h"
#include "formats/toml/program_toml.h"
#include "tests/direct/bodies.h"

namespace legwork {
namespace {

// What is left on the root's freedoms of M qdd + h - J' f, with the forces as recorded, in weights.
double unexplained_root_force(const World& world, const Motion& motion,
                              const std::vector<std::vector<double>>& qdd) {
  const Creature& body = world.body;
  Model<double> model = make_model(body);
  model.gravity = world.gravity;
  Workspace<double> w(model);
  const std::vector<char> root = root_dofs(body);
  const size_t nq = size_t(model.nq), nv = size_t(model.nv), sites = body.contacts.size();
  std::vector<double> tau(nv);
  double most = 0;
  for (size_t k = 0; k < qdd.size(); ++k) {
    const size_t f = k + 1;  // frame 0 comes before anyone watches
    update_positions(model, &motion.q[f * nq], w);
    update_velocities(model, &motion.q[f * nq], &motion.v[f * nv], w);
    clear_forces(model, w);
    for (size_t s = 0; s < sites; ++s) {
      const double* force = &motion.contact_force[3 * (f * sites + s)];
      const Vec3d push(force[0], force[1], force[2]);
      if (norm(push) == 0) continue;
      const ContactPoint& c = body.contacts[s];
      const Vec3d p = point_position(w, c.link, c.pos);
      const GroundDepth ground = ground_depth(world.terrain, p, c.radius);
      const Vec3d at = transpose(w.R[size_t(c.link)]) * (p - ground.normal * c.radius - w.p[size_t(c.link)]);
      add_force(w, c.link, at, push);
    }
    inverse_dynamics(model, qdd[k].data(), w, tau.data());
    for (size_t j = 0; j < nv; ++j)
      if (root[j]) most = std::max(most, std::abs(tau[j]));
  }
  return most / (body.mass() * 9.81);
}

TEST(Sources, TheGroundAloneExplainsHowAStandingBodyMoves) {
  const Program program = load_program("stand");
  for (const char* name : {"bounder", "luxo", "walker", "biped", "quadruped"}) {
    SCOPED_TRACE(name);
    const World world = load_world(name);
    DirectorOptions options;
    options.ground = Grade::unilateral;
    Director director(world, options);
    install(program, director);
    std::vector<std::vector<double>> qdd;
    director.watch = [&](const Director& d) {
      qdd.push_back(d.qdd());
      return true;
    };
    const Motion motion = director.run(1, 60);
    ASSERT_EQ(motion.status, Status::ok) << motion.status_text;
    ASSERT_EQ(qdd.size(), 60u);
    EXPECT_LT(unexplained_root_force(world, motion, qdd), 1e-9);
  }
}

TEST(Sources, ACartIsDrivenAlongItsRailOnlyByAnActuator) {
  const std::string cart = R"(
name = "cart"
[[link]]
name = "cart"
at = [0, 0, 1]
joint = { name = "rail", slide = "x" }
shape = { box = [0.2, 0.1, 0.1] }
touches = false
[[link]]
name = "pole"
parent = "cart"
joint = { name = "pivot", hinge = "y" }
shape = { capsule = 0.02, to = [0, 0, 0.5] }
touches = false
)";
  const std::string motor = "[[actuator]]\nname = \"drive\"\nmotor = \"rail\"\n";
  for (const bool driven : {false, true}) {
    Director d(world_of(driven ? cart + motor : cart));
    d.start();
    d.add_equation("go", d.angle("rail"), [](const Director&) { return Vec3d(1, 0, 0); });
    d.add_equation("keep", d.angle("pivot"), [](const Director&) { return Vec3d(0, 0, 0); });
    EXPECT_EQ(d.step(0.004), driven) << d.status_text();
    if (!driven)
      EXPECT_NE(d.status_text().find("'rail', which no torque drives"), std::string::npos) << d.status_text();
  }
}

TEST(Sources, AHoldInTheAirIsAskedForByName) {
  World world = world_of(arm_toml);
  std::vector<double> q = world.body.pose("stand");
  q[2] = 1;
  Director refused(world);
  refused.start(q);
  refused.hold("base");
  EXPECT_EQ(refused.status(), Status::stopped);
  EXPECT_EQ(refused.status_text(),
            "nothing can hold 'base' at 0 s: it is 0.9 m above the ground; bring it down first, or write "
            "hold_in_air where a hold by nothing is meant");
  Director asked(world);
  asked.start(q);
  asked.hold("base", "", Director::Support::air);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(asked.step(0.004)) << asked.status_text();
  ASSERT_EQ(asked.air_holds.size(), 1u);
  EXPECT_NEAR(asked.air_holds[0].height, 0.9, 1e-9);
}

TEST(Sources, TheAccountTellsWhatNothingHeld) {
  const Scratch scratch;
  const std::string body = scratch / "arm.toml", hang = scratch / "hang.toml";
  std::ofstream(body) << arm_toml << "[[pose]]\nname = \"high\"\nroot = { pos = [0, 0, 1] }\n";
  std::ofstream(hang) << "name = \"hang\"\nground = \"held\"\n[initialize]\nhold_in_air = [\"base\"]\n";
  const Result result = direct(load_world(body), {.algorithm = hang, .seconds = 0.1, .pose = "high"});
  ASSERT_EQ(result.motion.status, Status::ok) << result.motion.status_text;
  bool told = false;
  for (const Statement& s : result.account.statements)
    told = told || s.text == "'base' was held in the air by nothing, up to 900 mm above the ground";
  EXPECT_TRUE(told);
}

TEST(Sources, WhatHasNoLegsStartsWhereItsFileSays) {
  std::string high = ball_toml;
  high.replace(high.find("0.1]"), 3, "1.31");
  const World world = world_of(high);
  DirectorOptions options;
  options.ground = Grade::unilateral;
  Director d(world, options);
  d.start();
  EXPECT_DOUBLE_EQ(d.value(d.point("ball")).z, 1.31);
  EXPECT_EQ(d.raised, 0);
}

TEST(Sources, ABodyThatIsToStandIsLoweredToTheGroundAndItIsTold) {
  World world = load_world("quadruped");
  for (Pose& pose : world.body.poses) pose.q[2] += 0.5;
  const Result result = direct(world, {.algorithm = "stand", .seconds = 0.1});
  bool told = false;
  for (const Statement& s : result.account.statements)
    told =
        told || s.text.find("lower than its pose says, so that it stands on the ground") != std::string::npos;
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace legwork
