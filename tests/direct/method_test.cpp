// The method piece by piece against closed forms: controllers of figure 7, kinds of quantities, closed loops,
// elastic tendons, joint friction, torque limits.

#include <gtest/gtest.h>

#include <cmath>

#include "direct/director.h"
#include "direct/law.h"
#include "direct/program.h"
#include "dynamics/dynamics.h"
#include "formats/toml/program_toml.h"
#include "tests/direct/bodies.h"

namespace legwork {
namespace {

// Two blocks of 1 kg and 2 kg that slide along all three axes, each by itself.
const char* sliders_toml = R"(
name = "sliders"
[[link]]
name = "frame"
at = [0, 0, 2]
joint = { fixed = true }
shape = { box = [0.1, 0.1, 0.1] }
touches = false
[[link]]
name = "one"
parent = "frame"
joints = [{ name = "one_x", slide = "x" }, { name = "one_y", slide = "y" }, { name = "one_z", slide = "z" }]
shape = { box = [0.1, 0.1, 0.1] }
mass = 1
touches = false
[[link]]
name = "two"
parent = "frame"
joints = [{ name = "two_x", slide = "x" }, { name = "two_y", slide = "y" }, { name = "two_z", slide = "z" }]
shape = { box = [0.1, 0.1, 0.1] }
mass = 2
touches = false
[[label]]
name = "corner"
link = "one"
pos = [0.05, 0.05, 0.05]
)";

// A rod of 0.5 m on a hinge (or ball) at its upper end, hanging, 2 kg in its middle with the moments of a
// thin rod.
std::string rod_toml(const std::string& joint) {
  return R"(
name = "rod"
[[link]]
name = "frame"
at = [0, 0, 2]
joint = { fixed = true }
shape = { box = [0.05, 0.05, 0.05] }
touches = false
[[link]]
name = "rod"
parent = "frame"
joint = { name = "swing", )" +
         joint + R"( }
shape = { capsule = 0.01, to = [0, 0, -0.5] }
mass = 2
com = [0, 0, -0.25]
inertia = [0.0416666666666667, 0.0416666666666667, 0.001]
touches = false
)";
}
constexpr double rod_moment = 2 * 0.25 / 3,
                 rod_weight = 2 * 9.81 * 0.25;  // about the hinge; times sin(angle)

double rest_of(double t, double tau) { return (1 + t / tau) * std::exp(-t / tau); }
double smooth(double s) { return s * s * s * (10 + s * (-15 + 6 * s)); }

void run_to(Director& d, double end) {
  while (d.time() < end - 1e-9) ASSERT_TRUE(d.step(std::min(0.004, end - d.time()))) << d.status_text();
}

TEST(Controllers, PositionAndPointByPdLeaveWhatTheirClosedFormSays) {
  Director d(world_of(sliders_toml));
  d.start();
  const Vec3d from = d.value(d.position("two")), corner = d.get_position("corner"), way(0.3, -0.2, 0.1);
  d.position_with_pd("go", "two", from + way, 0.5);
  d.position_point_with_pd("corner", "corner", corner + way, 0.5);
  run_to(d, 0.4);
  const Vec3d gone = way * (1 - rest_of(0.4, paper_tau(0.5)));
  EXPECT_LT(norm(d.value(d.position("two")) - (from + gone)), 1e-6);
  EXPECT_LT(norm(d.get_position("corner") - (corner + gone)), 1e-6);
}

TEST(Controllers, PositionAndPointByQuinticFollowThePolynomial) {
  Director d(world_of(sliders_toml));
  d.start();
  const Vec3d from = d.value(d.position("two")), corner = d.get_position("corner"), way(0.3, -0.2, 0.1);
  d.position_with_quintic("go", "two", from + way, {}, 0.5);
  d.position_point_with_quintic("corner", "corner", corner + way, {0.4, 0, 0}, 0.5);
  run_to(d, 0.2);
  EXPECT_LT(norm(d.value(d.position("two")) - (from + way * smooth(0.4))), 1e-8);
  run_to(d, 0.5);
  EXPECT_LT(norm(d.value(d.position("two")) - (from + way)), 1e-8);
  EXPECT_LT(norm(d.get_position("corner") - (corner + way)), 1e-8);
  EXPECT_LT(norm(d.rate(d.point("corner")) - Vec3d(0.4, 0, 0)), 1e-6);
}

TEST(Controllers, OrientationByPdAndByQuinticTurnsAboutOneAxis) {
  const Vec3d turn = Vec3d(0.5, 0.7, -0.3);
  Director pd(world_of(rod_toml("ball = true")));
  pd.start();
  pd.orient_with_pd("turn", "rod", turn, 0.5);
  run_to(pd, 0.4);
  EXPECT_LT(norm(pd.value(pd.orientation("rod")) - turn * (1 - rest_of(0.4, paper_tau(0.5)))), 1e-6);
  Director quintic(world_of(rod_toml("ball = true")));
  quintic.start();
  const Vec3d rate(0.2, 0.1, 0.4);
  quintic.orient_with_quintic("turn", "rod", turn, rate, 0.5);
  run_to(quintic, 0.5);
  EXPECT_LT(norm(quintic.value(quintic.orientation("rod")) - turn), 1e-7);
  EXPECT_LT(norm(quintic.rate(quintic.orientation("rod")) - rate), 1e-5);
}

TEST(Quantities, AWeightedSumIsOneEquationAndTheCostSharesIt) {
  Director d(world_of(sliders_toml));
  d.start();
  const Quantity between = 0.25 * d.position("one") + 0.75 * d.position("two");
  d.add_cost("one", d.position("one"), 1);
  d.add_cost("two", d.position("two"), 1);
  d.add_equation("between", between.along("x"), [](const Director&) { return Vec3d(2, 0, 0); });
  ASSERT_TRUE(d.solve()) << d.status_text();
  // the least sum of squares with a/4 + 3b/4 = 2
  EXPECT_NEAR(d.acceleration(d.position("one")).x, 2 * 0.25 / 0.625, 1e-5);
  EXPECT_NEAR(d.acceleration(d.position("two")).x, 2 * 0.75 / 0.625, 1e-5);
  EXPECT_NEAR(d.acceleration(between).x, 2, 1e-12);
}

TEST(Quantities, ATorqueMayBeSetAndDrivesThePendulum) {
  Director d(world_of(rod_toml("hinge = 'y'")));
  d.start(std::vector<double>{0.6});
  d.add_equation("motor", d.torque("swing"), [](const Director&) { return Vec3d(1.5, 0, 0); });
  ASSERT_TRUE(d.solve()) << d.status_text();
  EXPECT_NEAR(d.acceleration(d.angle("swing")).x, (1.5 - rod_weight * std::sin(0.6)) / rod_moment, 1e-10);
}

// A box of 3 kg stands on the ground and moves a mass of 1 kg on a vertical slide so that the ground
// carries 1.2 times the weight.
TEST(Quantities, TheForceOfTheGroundMayBeSet) {
  World world = world_of(R"(
name = "jack"
[[link]]
name = "box"
at = [0, 0, 0.1]
shape = { box = [0.4, 0.4, 0.2] }
mass = 3
[[link]]
name = "load"
parent = "box"
at = [0, 0, 0.3]
joint = { name = "lift", slide = "z" }
shape = { box = [0.1, 0.1, 0.1] }
mass = 1
touches = false
)");
  DirectorOptions options;
  options.ground = Grade::unilateral;
  Director d(world, options);
  d.start();
  const double weight = 4 * 9.81;
  d.add_equation("press", d.force("box").along("z"),
                 [=](const Director&) { return Vec3d(0, 0, 1.2 * weight); });
  run_to(d, 0.1);
  EXPECT_NEAR(d.acceleration(d.force("box")).z, 1.2 * weight, 1e-6);
  EXPECT_NEAR(d.acceleration(d.angle("lift")).x, 0.2 * weight, 1e-6);
  EXPECT_NEAR(d.rate(d.angle("lift")).x, 0.02 * weight, 1e-6);
}

TEST(Quantities, AngularMomentumChangesOnlyByWhatIsOutside) {
  World world = world_of(arm_toml);
  world.gravity = {};
  Director d(world);
  d.start();
  d.add_equation("spin", d.angular_momentum().along("y"), [](const Director&) { return Vec3d(0, 1, 0); });
  EXPECT_FALSE(d.step(0.004));
  EXPECT_NE(d.status_text().find("'spin' cannot hold, it misses by 1"), std::string::npos) << d.status_text();
  // the moment of inertia of the rod with the frame's 0.125 kg at its hinge: its own, and that of the reduced
  // mass
  Director rod(world_of(rod_toml("hinge = 'y'")));
  rod.start();
  rod.add_equation("spin", rod.angular_momentum().along("y"),
                   [](const Director&) { return Vec3d(0, 0.1, 0); });
  ASSERT_TRUE(rod.solve()) << rod.status_text();
  EXPECT_NEAR(rod.acceleration(rod.angle("swing")).x, 0.1 / (2.0 / 48 + 2 * 0.125 / 2.125 * 0.0625), 1e-9);
}

// The crank turns evenly; rocker and coupler must meet where two circles do.
TEST(ClosedLoops, AFourBarFollowsTheCircles) {
  World world = load_world("fourbar");
  world.gravity = {};
  Director d(world);
  d.start();
  const double from = d.joint_angle("crank");
  d.set_angle_with_quintic("turn", "crank", from + 1.2, 0, 0.6);
  run_to(d, 0.6);
  EXPECT_NEAR(d.joint_angle("crank"), from + 1.2, 1e-7);
  const Vec3d hub = d.value(d.point("rocker", {})), tip = d.value(d.point("coupler", {})),
              pin = d.value(d.point("rocker", {0.30, 0, 0}));
  EXPECT_LT(norm(pin - d.value(d.point("coupler", {0.35, 0, 0}))), 1e-6);
  const Vec3d across = hub - tip;
  const double apart = norm(across), along = (0.35 * 0.35 - 0.30 * 0.30 + apart * apart) / (2 * apart),
               aside = std::sqrt(0.35 * 0.35 - along * along);
  const Vec3d e = across * (1 / apart), up = cross(e, Vec3d(0, 1, 0));
  const Vec3d one = tip + e * along + up * aside, other = tip + e * along - up * aside;
  EXPECT_LT(std::min(norm(pin - one), norm(pin - other)), 1e-6);
  EXPECT_LT(d.max_residual, 1e-8);
  EXPECT_NEAR(d.unexplained(), 0, 1e-5);
}

TEST(Passive, AnElasticTendonSwingsItsLoadWithItsOwnPeriod) {
  World world = world_of(std::string(sliders_toml) + R"(
[[attachment]]
name = "tendon"
link = "two"
other = "frame"
other_pos = [1, 0, 0]
stiffness = 50
rest = 0.8
)");
  world.gravity = {};
  Director d(world);
  d.start();
  for (const char* dof : {"two_x", "two_y", "two_z"}) d.set_passive(dof);
  run_to(d, 0.5);
  // 0.2 m stretched at first, along x: 0.2 (1 - cos(sqrt(50/2) t))
  EXPECT_NEAR(d.joint_angle("two_x"), 0.2 * (1 - std::cos(5 * 0.5)), 1e-6);
  EXPECT_NEAR(d.unexplained(), 0, 1e-6);
}

// A rod that falls from the side: its range ends 20 degrees beyond the lowest point, on springs.
TEST(Passive, AJointWithoutAMotorEndsAtItsRange) {
  Director d(world_of("angles = 'deg'\n" + rod_toml("hinge = 'y', range = [-100, 20]")));
  d.start(std::vector<double>{-1.5});
  d.set_passive("swing");
  double farthest = -2;
  while (d.time() < 3 - 1e-9) {
    ASSERT_TRUE(d.step(0.004)) << d.status_text();
    farthest = std::max(farthest, d.joint_angle("swing"));
  }
  EXPECT_GT(farthest, 0.349);
  EXPECT_LT(farthest, 0.349 + 0.35);
  // with its motor back, it is as free as its equations
  Director::Settings settings = d.settings();
  settings.actuated.assign(settings.actuated.size(), 1);
  d.restore(settings);
  d.set_angle_with_pd("hold", "swing", 0, 0.3);
  while (d.time() < 4.5 - 1e-9) ASSERT_TRUE(d.step(0.004)) << d.status_text();
  EXPECT_NEAR(d.joint_angle("swing"), 0, 1e-6);
}

// Coulomb's friction, rounded off below 0.01 rad/s: v' = -(T/I) v / (v + 0.01).
TEST(Passive, JointFrictionStopsARodAsCoulombSays) {
  World world = world_of(rod_toml("hinge = 'y'"));
  world.gravity = {};
  Director d(world);
  d.start({}, std::vector<double>{3});
  d.set_passive("swing");
  d.set_joint_friction("swing", 0.5);
  run_to(d, 0.8);
  const double v = d.rate(d.angle("swing")).x;
  EXPECT_NEAR(v - 3 + 0.01 * std::log(v / 3), -0.5 / rod_moment * 0.8, 1e-8);
}

// Asked for more than the motor gives: with a weight the equation gives way and the torque stays at its
// limit.
TEST(Limits, AWeightedEquationGivesWayToATorqueLimit) {
  for (const double asked : {50.0, -50.0}) {
    SCOPED_TRACE(asked);
    Director d(world_of(rod_toml("hinge = 'y'")));
    d.start(std::vector<double>{0.6});
    d.set_torque_limit("swing", 2);
    Law law;
    law.value = [=](const Director&) { return Vec3d(asked, 0, 0); };
    d.add_equation("swing", d.angle("swing"), law, 100);
    ASSERT_TRUE(d.solve()) << d.status_text();
    const double limit = asked > 0 ? 2 : -2;
    EXPECT_NEAR(d.tau()[0], limit, 1e-8);
    EXPECT_NEAR(d.qdd()[0], (limit - rod_weight * std::sin(0.6)) / rod_moment, 1e-7);
  }
}

// Hard: refused, and what is missed is the difference between what was asked and what the limit can give.
TEST(Limits, AHardEquationBeyondATorqueLimitIsRefusedWithTheLeastViolation) {
  Director d(world_of(rod_toml("hinge = 'y'")));
  d.start(std::vector<double>{0.6});
  d.set_torque_limit("swing", 2);
  d.add_equation("swing", d.angle("swing"), [](const Director&) { return Vec3d(50, 0, 0); });
  EXPECT_FALSE(d.solve());
  const double missed = 50 - (2 - rod_weight * std::sin(0.6)) / rod_moment;
  const std::string text = d.status_text(), key = "misses by at least ";
  ASSERT_NE(text.find(key), std::string::npos) << text;
  EXPECT_NEAR(std::stod(text.substr(text.find(key) + key.size())), missed, 1e-3) << text;
}

}  // namespace
}  // namespace legwork
