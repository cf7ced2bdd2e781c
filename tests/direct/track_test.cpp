#include "direct/track.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "direct/track_balance.h"
#include "dynamics/dynamics.h"
#include "formats/bvh/bvh_motion.h"
#include "math/real.h"
#include "modes/modes.h"
#include "tests/direct/bodies.h"

namespace legwork {
namespace {

// A motion of a body whose configuration is known at every time.
Motion motion_of(const World& world, double seconds, double rate,
                 const std::function<void(double, std::vector<double>&)>& pose) {
  Motion motion;
  motion.creature = world.body, motion.terrain = world.terrain;
  for (int f = 0; f <= int(std::lround(seconds * rate)); ++f) {
    std::vector<double> q = world.body.pose("stand");
    pose(f / rate, q);
    motion.time.push_back(f / rate);
    motion.q.insert(motion.q.end(), q.begin(), q.end());
    motion.v.insert(motion.v.end(), size_t(world.body.nv()), 0.0);
  }
  return motion;
}

const char* block_toml = R"(
name = "block"
[[link]]
name = "block"
at = [0, 0, 0.1]
mass = 5
shape = { box = [0.4, 0.3, 0.2] }
)";

const char* pendulum_toml = R"(
name = "bob"
[[link]]
name = "arm"
at = [0, 0, 2]
joint = { name = "pivot", hinge = "y" }
mass = 2
com = [0, 0, -0.5]
inertia = [0.1, 0.1, 0.01]
)";

// A block that hangs 5 cm over the ground, or stands 2 mm in it.
TEST(Track, TheSourceKnowsHowHighAndHowDeepItsLowestPointsAre) {
  const World world = world_of(block_toml);
  const auto at_height = [&](double z) {
    return TrackSource(motion_of(world, 0.5, 60, [z](double, std::vector<double>& q) { q[2] = 0.1 + z; }));
  };
  const TrackSource hangs = at_height(0.05), stands = at_height(-0.002);
  for (const Vec3d& low : hangs.clearances[0].x) EXPECT_NEAR(low.z, 0.05, 1e-12);
  EXPECT_EQ(hangs.supports[0].sink, 0);
  EXPECT_NEAR(stands.supports[0].sink, 0.002, 1e-12);
}

// Firm joints resist only what the equations did not intend: a body that stands as intended does not change.
TEST(Track, FirmJointsChangeNothingWhereTheGroundDoesAsMeant) {
  const World world = load_world("quadruped");
  std::vector<double> ends[2];
  for (const double firmness : {0.0, 1e-3}) {
    DirectorOptions options;
    options.ground = Grade::unilateral, options.firmness = firmness;
    Director director(world, options);
    director.initialize = [](Director& d) {
      for (const std::string& foot : d.links_of("feet")) d.hold(foot);
      d.add_smoothness_cost(1, 0.3);
      d.orient_with_pd("trunk", "root", {}, 0.5);
    };
    const Motion stood = director.run(0.3, 60);
    ASSERT_EQ(stood.status, Status::ok) << stood.status_text;
    ends[firmness > 0] = std::vector<double>(stood.q.end() - world.body.nq(), stood.q.end());
  }
  for (size_t i = 0; i < ends[0].size(); ++i) EXPECT_NEAR(ends[0][i], ends[1][i], 1e-6);
}

TEST(Track, AStandingBodyTakesItsWeightWithThePressureUnderItsCentreOfMass) {
  const World world = world_of(block_toml);
  const Motion motion = motion_of(world, 1, 60, [](double, std::vector<double>& q) { q[0] = 0.3; });
  const TrackSource source(motion, 1, 0.035);
  ASSERT_EQ(source.supports.size(), 1u);
  for (const Demand& d : find_demands(source, world)) {
    EXPECT_NEAR(d.force[0].z, 5 * 9.81, 1e-3);
    EXPECT_NEAR(norm(d.wanted - Vec3d(0, 0, 5 * 9.81)), 0, 1e-9);
    ASSERT_TRUE(d.has_pressure);
    EXPECT_NEAR(d.pressure.x, 0.3, 1e-9);
    EXPECT_NEAR(d.pressure.y, 0, 1e-9);
    EXPECT_NEAR(d.margin, 0.15, 1e-9);
    EXPECT_EQ(d.reason, Missing::nothing);
  }
}

TEST(Track, AFallAlongAParabolaTakesNothing) {
  const World world = world_of(block_toml);
  const Motion motion = motion_of(world, 0.5, 60, [](double t, std::vector<double>& q) {
    q[0] = 2 * t, q[2] = 1 + 3 * t - 0.5 * 9.81 * t * t;
  });
  const TrackSource source(motion, 1, 0.035);
  for (const Demand& d : find_demands(source, world)) {
    EXPECT_NEAR(norm(d.wanted), 0, 1e-7);
    EXPECT_EQ(d.reason, Missing::nothing);
    EXPECT_TRUE(d.down.empty());
  }
}

TEST(Track, ABodyThatHoversMissesItsWeight) {
  const World world = world_of(block_toml);
  const Motion motion = motion_of(world, 0.5, 60, [](double, std::vector<double>& q) { q[2] = 1; });
  const TrackSource source(motion, 1, 0.035);
  const std::vector<Demand> demands = find_demands(source, world);
  const std::vector<Shortfall> s = find_shortfalls(demands, 5 * 9.81, 0.2);
  ASSERT_EQ(s.size(), 1u);
  EXPECT_EQ(s[0].reason, Missing::air);
  EXPECT_NEAR(s[0].force, 5 * 9.81, 1e-6);
  EXPECT_DOUBLE_EQ(s[0].to, 0.5);
}

TEST(Track, BrakingHardNeedsTheFrictionThatNewtonSays) {
  const World world = world_of(block_toml);
  for (const double a : {2.0, 12.0}) {
    const Motion motion = motion_of(
        world, 0.1, 240, [&](double t, std::vector<double>& q) { q[0] = 0.5 * a * (t - 0.05) * (t - 0.05); });
    const TrackSource source(motion, 1, 0.035);
    const Demand d = find_demands(source, world)[12];
    EXPECT_NEAR(d.friction, a / 9.81, 1e-6);
    // the force acts at the ground, 0.1 m below the centre: the pressure moves back by a h / g
    EXPECT_NEAR(d.pressure.x - source.center_of_mass.x[12].x, -a * 0.1 / 9.81, 1e-6);
    EXPECT_EQ(d.reason, a / 9.81 < 0.8 ? Missing::nothing : Missing::friction);
    if (a > 8) {
      // the nearest force inside the pyramid (whose sides lie cos(22.5 deg) inside the cone): a projection
      const double mu = 0.8 * std::cos(pi / 8);
      EXPECT_NEAR(norm(d.missing), 5 * (a - mu * 9.81) / std::sqrt(1 + mu * mu), 1e-3);
    }
  }
}

TEST(Track, APressureOutsideTheFeetIsMeasured) {
  // 5 m/s^2 on a tall block: its centre at 0.6 m
  std::string text = block_toml;
  text.replace(text.find("0.4, 0.3, 0.2"), 13, "0.4, 0.3, 1.2");
  text.replace(text.find("0, 0, 0.1"), 9, "0, 0, 0.6");
  const World tall = world_of(text);
  const Motion motion = motion_of(
      tall, 0.1, 240, [](double t, std::vector<double>& q) { q[0] = 0.5 * 5 * (t - 0.05) * (t - 0.05); });
  const TrackSource source(motion, 1, 0.035);
  const Demand d = find_demands(source, tall)[12];
  EXPECT_NEAR(d.margin, 0.2 - 5 * 0.6 / 9.81, 1e-6);
  EXPECT_EQ(d.reason, Missing::pressure);
}

TEST(Track, TheForceOfAHopAddsUpToItsMomentum) {
  // crouch, push off, fly, land: z is a smooth curve on the ground and a parabola in the air
  const World world = world_of(block_toml);
  const double T = 0.3, v0 = 1.5, g = 9.81;
  const Motion motion = motion_of(world, T + 0.2, 240, [&](double t, std::vector<double>& q) {
    // the link is the whole body, so that its feet are in the air when it is: let the ground carry a stance
    // of a millimetre
    q[2] = t < T ? 0.1 + 1e-3 : 0.1 + 1e-3 + v0 * (t - T) - 0.5 * g * (t - T) * (t - T);
  });
  const TrackSource source(motion, 1, 0.02);
  double impulse = 0;
  const std::vector<Demand> demands = find_demands(source, world);
  for (size_t i = 1; i < demands.size(); ++i)
    impulse +=
        0.5 * (demands[i].wanted.z + demands[i - 1].wanted.z) * (demands[i].time - demands[i - 1].time);
  // from rest to the speed of flight: m (v0 - g t) + m g (T + t)
  EXPECT_NEAR(impulse, 5 * (v0 - g * 0.2) + 5 * g * (T + 0.2), 0.02 * 5 * v0);
}

TEST(Track, APendulumTakesTheTorqueOfItsEquation) {
  const World world = world_of(pendulum_toml);
  const double A = 0.6, k = 5;
  const Motion motion =
      motion_of(world, 1, 240, [&](double t, std::vector<double>& q) { q[0] = A * std::sin(k * t); });
  const TrackSource source(motion, 1, 0.01);
  const std::vector<Demand> demands = find_demands(source, world);
  for (size_t f = 5; f + 5 < demands.size(); ++f) {
    const double t = demands[f].time, angle = A * std::sin(k * t), accel = -A * k * k * std::sin(k * t);
    const double torque = (0.1 + 2 * 0.25) * accel + 2 * 9.81 * 0.5 * std::sin(angle);
    EXPECT_NEAR(demands[f].tau[0], torque, 0.02);
  }
}

TEST(Track, AMotionThroughBvhComesBackByItsNames) {
  const World world = load_world("dog");
  const Motion motion = motion_of(world, 0.2, 60, [&](double t, std::vector<double>& q) {
    for (size_t i = 7; i < q.size(); ++i) q[i] += 0.05 * std::sin(9 * t + double(i));
    q[0] = 0.4 * t;
    const Model<double> model = make_model(world.body);
    normalize_positions(model, q.data());
  });
  const Scratch scratch;
  write_bvh(motion, scratch / "dog.bvh");
  const Mapped back = map_bvh(read_bvh(scratch / "dog.bvh"), world.body, "dog.bvh");
  EXPECT_TRUE(back.missing.empty());
  EXPECT_TRUE(back.left_over.empty());
  ASSERT_EQ(back.motion.q.size(), motion.q.size());
  // quaternions of either sign are one turn
  const Model<double> model = make_model(world.body);
  std::vector<double> d(size_t(model.nv));
  for (int f = 0; f < motion.frames(); ++f) {
    difference_positions(model, &motion.q[size_t(f) * model.nq], &back.motion.q[size_t(f) * model.nq],
                         d.data());
    for (const double x : d) EXPECT_NEAR(x, 0, 1e-5);
  }
}

TEST(Track, JointsOfNoCommonNameAreAnErrorThatNamesBoth) {
  const World block = world_of(arm_toml), other = world_of(pendulum_toml);
  const Motion motion = motion_of(other, 0.1, 60, [](double, std::vector<double>&) {});
  EXPECT_THROW(
      {
        try {
          map_motion(motion, block.body);
        } catch (const Error& e) {
          EXPECT_STREQ(
              e.what(),
              "direct: track: the motion is of 'bob' and no joint of 'arm' has its name and kind in it (the "
              "motion's: pivot ...; the body's: base, shoulder, elbow ...); give the body that moves in the "
              "file, or rename joints");
          throw;
        }
      },
      Error);
}

TEST(Track, AStandingBodyThatIsPerformedStaysWhereItIs) {
  const World world = load_world("biped");
  const Motion motion = motion_of(world, 0.5, 60, [](double, std::vector<double>&) {});
  const TrackSource source(motion, 1, 0.035);
  DirectorOptions options;
  options.ground = Grade::unilateral;
  const Tracked t = track(world, source, options, 0.5);
  EXPECT_EQ(t.motion.status, Status::ok);
  EXPECT_TRUE(t.shortfalls.empty());
  double upright = 0;
  for (size_t s = 0; s < world.body.contacts.size(); ++s)
    upright +=
        t.motion.contact_force[(size_t(t.motion.frames() - 1) * world.body.contacts.size() + s) * 3 + 2];
  EXPECT_NEAR(upright / t.weight, 1, 0.01);
  for (const Deviation& d : t.deviations) EXPECT_LT(d.center, 0.002);
}

// A roach's toes weigh next to nothing: torques meant to press them on the ground fling them where the ground
// does otherwise, unless their joints resist (DirectorOptions::firmness; without it an ankle runs away).
TEST(Track, ToesOfNextToNoWeightAreNotFlung) {
  const World world = load_world("roach");
  ModesOptions walk;
  walk.action = "walk", walk.seconds = 0.2;
  const TrackSource source(make_modes_motion(world, walk).motion);
  DirectorOptions options;
  options.ground = Grade::unilateral;
  const Tracked t = track(world, source, options, source.seconds());
  EXPECT_EQ(t.motion.status, Status::ok) << t.motion.status_text;
  EXPECT_NEAR(t.motion.duration(), 0.2, 1e-9);
}

TEST(Track, ThePlannedCentreObeysThePendulumOverThePressure) {
  // two feet that take turns: the pressure jumps from one to the other, the planned centre swings between
  // them
  World world = load_world("biped");
  const Motion motion = motion_of(world, 2, 120, [](double, std::vector<double>&) {});
  TrackSource source(motion);
  ASSERT_EQ(source.supports.size(), 2u);
  source.supports[0].stances.clear(), source.supports[1].stances.clear();
  for (int i = 0; i < 4; ++i)
    source.supports[size_t(i % 2)].stances.push_back({0.5 * i, 0.5 * i + 0.5, true, true, {}, 0, 0});
  const std::vector<Demand> demands = find_demands(source, world);
  const Curve plan = plan_center(source, demands, 9.81);
  const size_t near = 12;  // frames: what comes or went within 0.25 sqrt(height / g) counts, too
  for (size_t k = near; k + near < demands.size(); ++k) {
    if (demands[k - near].down != demands[k + near].down || demands[k].down != demands[k + near].down)
      continue;
    const double h = 1.0 / 120;
    const Vec3d a = (plan.x[k + 1] - plan.x[k] * 2.0 + plan.x[k - 1]) * (1 / (h * h));
    EXPECT_NEAR(a.y, plan.a[k].y, 0.02);
    // the pressure that this acceleration needs lies under the one standing foot
    const double w2 = 9.81 / plan.x[k].z, p = plan.x[k].y - a.y / w2;
    EXPECT_EQ(p < 0, world.body.legs[size_t(demands[k].down[0])].side == Side::right);
  }
  double most = 0;
  for (const Vec3d& x : plan.x) most = std::max(most, std::abs(x.y));
  EXPECT_LT(most, 0.1);  // a body left to itself would be metres away after four changes
}

// Feet that take turns, each up for a quarter of a second: what the controller is told of them.
TEST(Track, FootfallsAreTheSourcesStances) {
  const World world = load_world("biped");
  const Motion motion = motion_of(world, 2, 120, [](double t, std::vector<double>& q) { q[0] += 0.5 * t; });
  TrackSource source(motion);
  source.supports[0].stances = {{0, 0.5, false, true, {}, 0, 0}, {0.75, 2, true, false, {}, 0, 0}};
  source.supports[1].stances = {{0, 2, false, false, {}, 0, 0}};
  ASSERT_TRUE(performs_by_balance(world, source));
  const System<double> system = make_system(world);
  const LeggedBody body = make_legged_body(system, {});
  const SourceFootfalls footfalls(source, body);
  EXPECT_TRUE(footfalls.stands(0, 0.4));
  EXPECT_FALSE(footfalls.stands(0, 0.6));
  EXPECT_TRUE(footfalls.stands(0, 3));  // a motion that has ended stands on
  EXPECT_DOUBLE_EQ(footfalls.next_change(0, 0.1), 0.5);
  EXPECT_DOUBLE_EQ(footfalls.next_change(0, 0.5), 0.75);
  EXPECT_FALSE(std::isfinite(footfalls.next_change(0, 1)));
  // the whole body slides along: a foothold is where the foot is in the middle of its stance
  EXPECT_NEAR(footfalls.place(0, 0.6).x - footfalls.place(0, 0.1).x, 0.5 * (1.375 - 0.25), 1e-6);
  EXPECT_NEAR(footfalls.path(3).x - footfalls.path(1).x, 1, 1e-6);
  EXPECT_NEAR(footfalls.heading(1.3), 0, 1e-9);
}

TEST(Track, TwiceTheTempoTakesFourTimesTheAcceleration) {
  const World world = world_of(block_toml);
  const Motion motion = motion_of(world, 1, 60, [](double t, std::vector<double>& q) { q[2] = 1 + t * t; });
  const TrackSource once(motion, 1, 0.035), twice(motion, 2, 0.035);
  EXPECT_NEAR(once.center_of_mass.a[20].z, 2, 1e-8);
  EXPECT_NEAR(twice.center_of_mass.a[20].z, 8, 1e-8);
  EXPECT_DOUBLE_EQ(twice.seconds(), 0.5);
}

}  // namespace
}  // namespace legwork
