#include "direct/director.h"

#include <gtest/gtest.h>

#include <cmath>

#include "direct/program.h"
#include "dynamics/dynamics.h"
#include "formats/toml/program_toml.h"
#include "tests/direct/bodies.h"
#include "tests/scenes/error_of.h"

namespace legwork {
namespace {

World floating_arm() {
  World world = world_of(arm_toml);
  world.gravity = {};
  return world;
}

World fixed_arm() {
  std::string text = arm_toml;
  text.replace(text.find("shape = { box"), 0, "joint = { fixed = true }\n");
  return world_of(text);
}

TEST(Law, TheTauOfFigure3LeavesMoreThanThePaperSays) {
  const auto left = [](double tau, double t) { return (1 + t / tau) * std::exp(-t / tau); };
  EXPECT_NEAR(left(paper_tau(0.7), 0.7), 0.0560517, 1e-6);
  EXPECT_NEAR(left(pd_tau(0.7, 0.01), 0.7), 0.01, 1e-12);
}

TEST(Law, AQuinticMeetsAllSixConditions) {
  const Vec3d x0(1, 2, 3), v0(0.1, -0.2, 0.3), a0(2, -1, 0.5), x1(-1, 0, 4), v1(0.5, 0, -0.1);
  const Quintic p = make_quintic(2, 0.8, x0, v0, a0, x1, v1);
  Vec3d x, v, a;
  p.at(2, x, v, a);
  EXPECT_LT(norm(x - x0) + norm(v - v0) + norm(a - a0), 1e-12);
  p.at(2.8, x, v, a);
  EXPECT_LT(norm(x - x1) + norm(v - v1) + norm(a), 1e-11);
}

TEST(Law, RatesOfTheRotationVectorAndTheAngularVelocityAgree) {
  const Vec3d r(0.4, -0.9, 0.6), rate(0.3, 0.2, -0.5);
  const double h = 1e-6;
  const Vec3d w = turn_rate(r, rate);
  const Mat3d step = rotation_matrix(r + rate * h) * transpose(rotation_matrix(r - rate * h));
  EXPECT_LT(norm(rotation_vector(step) * (0.5 / h) - w), 1e-8);
  EXPECT_LT(norm(rate_of_turn(r, w) - rate), 1e-12);
  const Vec3d dw = (turn_rate(r + rate * h, rate) - turn_rate(r - rate * h, rate)) * (0.5 / h);
  EXPECT_LT(norm(turn_bias(r, rate) - dw), 1e-8);
}

// All of figure 7 on an arm under gravity: the quantity follows the closed form of its law.
TEST(Director, PdControllersFollowTheirClosedForm) {
  Director d(fixed_arm());
  d.start();
  d.set_angle_with_pd("elbow", "elbow", 0.8, 0.5);
  const double tau = paper_tau(0.5);
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(d.step(0.004)) << d.status_text();
    const double t = d.time();
    EXPECT_NEAR(d.joint_angle("elbow"), 0.8 * (1 - (1 + t / tau) * std::exp(-t / tau)), 2e-7);
  }
}

TEST(Director, PointsAndOrientationsFollowTheClosedFormOfPd) {
  Director d(floating_arm());
  d.options.ground = Grade::held;
  d.start();
  d.hold("base");
  // the arm lies in the plane y = 0: two components of the tip are free
  d.set_angle_with_pd("bend", "elbow", 0.6, 0.1);
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(d.step(0.004)) << d.status_text();
  d.remove_equation("bend");
  const double t0 = d.time(), tau = pd_tau(0.5, 0.01);
  const Vec3d from = d.get_position("tip"), to = from + Vec3d(-0.05, 0, 0.08);
  Law law;
  law.type = LawType::pd, law.target = to, law.time = 0.5, law.within = 0.01;
  d.add_equation("tip", d.point("tip").along("xz"), law);
  for (int i = 0; i < 125; ++i) ASSERT_TRUE(d.step(0.004)) << d.status_text();
  const double t = d.time() - t0, left = (1 + t / tau) * std::exp(-t / tau);
  EXPECT_NEAR(left, 0.01, 1e-3);
  EXPECT_NEAR(norm(d.get_position("tip") - to), left * norm(from - to), 1e-5);
}

TEST(Director, QuinticControllersArriveInTimeWithTheVelocityAsked) {
  Director d(fixed_arm());
  d.start();
  d.set_angle_with_quintic("elbow", "elbow", 0.8, 0.5, 0.4);
  d.set_angle_with_quintic("shoulder", "shoulder", -0.3, 0, 0.4);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(d.step(0.004)) << d.status_text();
  EXPECT_NEAR(d.joint_angle("elbow"), 0.8, 1e-7);
  EXPECT_NEAR(d.rate(d.angle("elbow")).x, 0.5, 1e-6);
  EXPECT_NEAR(d.joint_angle("shoulder"), -0.3, 1e-7);
  EXPECT_LT(d.max_residual, 1e-9);
  EXPECT_NEAR(d.unexplained(), 0, 1e-6);
}

TEST(Director, AFloatingArmCannotMoveItsCentreOfMass) {
  Director d(floating_arm());
  d.start();
  d.add_equation("fly", d.center_of_mass().along("x"), [](const Director&) { return Vec3d(1, 0, 0); });
  EXPECT_FALSE(d.step(0.004));
  EXPECT_EQ(d.status(), Status::stopped);
  EXPECT_NE(d.status_text().find("contradiction at 0 s: equation 'fly' cannot hold, it misses by 1"),
            std::string::npos)
      << d.status_text();
}

TEST(Director, AFloatingArmThatBendsKeepsItsMomentum) {
  Director d(floating_arm());
  d.start();
  d.set_angle_with_quintic("elbow", "elbow", 1.2, 0, 0.5);
  const Vec3d com = d.value(d.center_of_mass());
  for (int i = 0; i < 125; ++i) ASSERT_TRUE(d.step(0.004)) << d.status_text();
  EXPECT_NEAR(d.joint_angle("elbow"), 1.2, 1e-7);
  EXPECT_LT(norm(d.value(d.center_of_mass()) - com), 1e-9);
  EXPECT_LT(norm(d.rate(d.angular_momentum())), 1e-8);
}

TEST(Director, NamesWhatContradictsAndByHowMuch) {
  Director d(fixed_arm());
  d.start();
  d.add_equation("one", d.angle("elbow"), [](const Director&) { return Vec3d(1, 0, 0); });
  d.add_equation("two", d.angle("elbow"), [](const Director&) { return Vec3d(3, 0, 0); });
  EXPECT_FALSE(d.step(0.004));
  EXPECT_NE(d.status_text().find("equation 'two' cannot hold, it misses by 2, against 'one'"),
            std::string::npos)
      << d.status_text();
}

TEST(Director, AStretchedArmThatMustReachFurtherIsRefused) {
  Director d(fixed_arm());
  d.start();
  d.add_equation("further", d.point("tip").along("x"), [](const Director&) { return Vec3d(1, 0, 0); });
  EXPECT_FALSE(d.step(0.004));
  EXPECT_EQ(d.status(), Status::stopped) << d.status_text();
}

TEST(Director, TorqueLimitsComeBeforeEquations) {
  Director d(fixed_arm());
  d.start();
  d.set_torque_limit("elbow", 0.1);
  d.add_equation("still", d.angle("shoulder"), [](const Director&) { return Vec3d(); });
  d.add_equation("lift", d.angle("elbow"), [](const Director&) { return Vec3d(-50, 0, 0); });
  EXPECT_FALSE(d.step(0.004));
  EXPECT_NE(d.status_text().find("the torque limit of '"), std::string::npos) << d.status_text();
  EXPECT_NE(d.status_text().find("'lift' misses by at least"), std::string::npos) << d.status_text();
}

TEST(Director, UnknownNamesAreErrorsWithSuggestions) {
  Director d(fixed_arm());
  EXPECT_NE(error_of([&] { d.angle("elbo"); }).find("did you mean 'elbow'"), std::string::npos);
  EXPECT_NE(error_of([&] { d.position("upperr"); }).find("did you mean 'upper'"), std::string::npos);
  EXPECT_NE(error_of([&] { d.point("tipp"); }).find("did you mean 'tip'"), std::string::npos);
  d.set_angle_with_pd("bend", "elbow", 1, 1);
  EXPECT_NE(
      error_of([&] { d.remove_equation("bendd"); }).find("there is none of that name; did you mean 'bend'"),
      std::string::npos);
}

TEST(Director, ABallRollsDownASlopeByFiveSeventhsOfGravity) {
  World world = world_of(ball_toml);
  world.terrain = slope_terrain(0.2);
  DirectorOptions options;
  options.ground = Grade::unilateral;
  Director d(world, options);
  std::vector<double> q = world.body.pose("stand");
  q[2] /= std::cos(0.2);  // on the slope, which the file does not know
  d.start(q);
  const Vec3d from = d.value(d.point("ball"));
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(d.step(0.004)) << d.status_text();
  const double way = norm(d.value(d.point("ball")) - from), t = d.time();
  EXPECT_NEAR(way, 0.5 * 5.0 / 7 * 9.81 * std::sin(0.2) * t * t, 1e-5);
}

// What is not a box pushes by springs, which the equations know as they know gravity.
TEST(Director, AKickedBallRolls) {
  World world = world_of(R"(
name = "kick"
[[link]]
name = "post"
at = [0, 0, 0.7]
joint = { fixed = true }
[[link]]
name = "leg"
parent = "post"
joint = { name = "hip", hinge = "y" }
shape = { capsule = 0.04, to = [0, 0, -0.56] }
[[link]]
name = "ball"
at = [0.25, 0, 0.1]
mass = 0.4
shape = { sphere = 0.1 }
joint = { free = true }
)");
  world.body_contact = true;
  DirectorOptions options;
  options.ground = Grade::unilateral;
  Director d(world, options);
  d.start();
  Law law;
  law.type = LawType::quintic, law.target = {-0.5, 0, 0}, law.time = 0.4;
  d.add_equation("kick", d.angle("hip"), law, 100);
  while (d.time() < 1) ASSERT_TRUE(d.step(0.004)) << d.status_text();
  EXPECT_GT(d.get_position("ball").x, 0.6);
  EXPECT_NEAR(d.get_position("ball").z, 0.1, 1e-3);
  const double speed = d.rate(d.point("ball")).x;
  EXPECT_GT(speed, 0.5);
  EXPECT_NEAR(d.rate(d.orientation("ball")).y, speed / 0.1, 0.01 * speed / 0.1);
}

// Figure 1. The block slides with friction until the pressure under it reaches the edge; then it tips over
// the edge, sliding, until nothing presses any more. The second time comes from the three equations of the
// tipping block, integrated here by themselves.
TEST(Director, ASlidingBlockTipsOverTheEdgeOfATableAndFalls) {
  World world = load_world("table_and_block");
  world.body.attachments.clear();
  world.contact.friction = 0.2;
  DirectorOptions options;
  options.ground = Grade::unilateral;
  Director d(world, options);
  const int block = world.body.link("block_box");
  std::vector<double> q = world.body.pose("stand"), v(size_t(world.body.nv()), 0);
  // level and straight at x = 0.2, moving with 2 m/s
  const std::vector<double> at = {0.2, 0, 0.77, 1, 0, 0, 0};
  std::copy(at.begin(), at.end(), q.end() - 7);
  v[v.size() - 6] = 2;
  ASSERT_EQ(block, int(world.body.links.size()) - 1);
  d.start(q, v);
  while (d.time() < 0.6 && d.step(0.004)) {
  }
  ASSERT_EQ(d.status(), Status::ok) << d.status_text();

  const double mu = 0.2, g = 9.81, L = 0.3, h = 0.1, way = 0.6 - 0.2 - mu * h / 2;
  const double v1 = std::sqrt(4 - 2 * mu * g * way), t1 = (2 - v1) / (mu * g);
  double edge = -1, apart = -1;
  for (const ContactChange& c : d.contact_changes) {
    if (c.what == "edge" && edge < 0) edge = c.time;
    if (c.what == "apart" && apart < 0) apart = c.time;
  }
  EXPECT_NEAR(edge, t1, 1e-7);

  // s: the edge along the block from its centre; N over the mass, I over the mass
  const double I = (L * L + h * h) / 12, dt = 1e-6;
  double s = mu * h / 2, ds = -v1, theta = 0, w = 0, t = t1;
  for (;; t += dt) {
    const double N = (g * std::cos(theta) + (2 * ds - h * w / 2) * w) / (1 - s * (mu * h / 2 - s) / I);
    if (N <= 0 || s <= -L / 2) break;
    const double alpha = N * (mu * h / 2 - s) / I,
                 dds = h * alpha / 2 + s * w * w - g * std::sin(theta) + mu * N;
    theta += dt * (w + 0.5 * dt * alpha), s += dt * (ds + 0.5 * dt * dds), w += dt * alpha, ds += dt * dds;
  }
  EXPECT_NEAR(apart, t, 2e-5);
}

TEST(Walk, TwoSecondsOfFigures8And9KeepEveryEquationAndTheEnergy) {
  const Program program = load_program("walk");
  Director d(load_world("biped"));
  install(program, d);
  const Motion motion = d.run(2, 60);
  EXPECT_EQ(motion.status, Status::ok) << motion.status_text;
  EXPECT_LT(d.max_residual, 1e-8);
  EXPECT_LE(d.max_equations, 11);
  EXPECT_GE(d.phases.size(), 8u);
  EXPECT_LT(std::abs(d.unexplained()), 0.01 * d.account.torques);
}

}  // namespace
}  // namespace legwork
