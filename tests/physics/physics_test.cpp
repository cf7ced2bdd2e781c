// Physics step by step: the bits of the methods, changes by hand, batches.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include <legwork/legwork.h>
#include "tests/scenes/error_of.h"
#include "tests/scenes/same.h"

namespace legwork {
namespace {

using Rows = std::span<const double>;

TEST(Physics, HasTheBitsOfADrop) {
  const World world = load_world("hexapod");
  const Result dropped = drop(world, {.seconds = 0.5});
  Physics physics(world);
  const size_t nq = size_t(physics.nq()), nv = size_t(physics.nv());
  physics.reset(Rows(dropped.motion.q).first(nq), Rows(dropped.motion.v).first(nv));
  for (int f = 1; f < dropped.motion.frames(); ++f) {
    ASSERT_TRUE(physics.step(physics.frame_steps()));
    expect_same_bits(physics.q(), Rows(dropped.motion.q).subspan(size_t(f) * nq, nq));
    expect_same_bits(physics.v(), Rows(dropped.motion.v).subspan(size_t(f) * nv, nv));
  }
}

TEST(Physics, ARecordIsAMotionWhoseGaitCanBeMeasured) {
  Physics physics(load_world("dog"));
  physics.record();
  for (int f = 0; f < 20; ++f) physics.step(physics.frame_steps()), physics.record();
  const Motion motion = physics.motion();
  EXPECT_EQ(motion.frames(), 21);
  EXPECT_EQ(motion.status, Status::ok);
  EXPECT_NO_THROW(measure_gait(motion));
}

TEST(Physics, StandsOnTheGroundAfterAReset) {
  Physics physics(load_world("dog"));
  const double weight = physics.world().body.mass() * 9.81;
  for (int i = 0; i < 50; ++i) physics.step();
  double up = 0;
  const Rows force = physics.contact_force();
  for (size_t i = 2; i < force.size(); i += 3) up += force[i];
  EXPECT_GT(up, 0.2 * weight);
  EXPECT_LT(up, 5 * weight);
}

TEST(Physics, AChangeByHandIsWorkAndNoEnergyFromNowhere) {
  World world = load_world("box");
  Physics physics(world);
  physics.step(10);
  const double before = physics.energy().work;
  physics.q()[2] += 50;
  physics.v()[0] = 30;
  const double mass = world.body.mass(), given = mass * (9.81 * 50 + 0.5 * 30 * 30);
  EXPECT_NEAR(physics.energy().work - before, given, 0.01 * given);
  EXPECT_TRUE(physics.step(100)) << physics.status_text();
  EXPECT_EQ(physics.status(), Status::ok);
}

TEST(Physics, ACopyGoesItsOwnWay) {
  Physics physics(load_world("hexapod"));
  physics.step(30);
  Physics copy = physics;
  physics.step(50), copy.step(50);
  expect_same_bits(physics.q(), copy.q());
  copy.v()[2] = 3;
  physics.step(50), copy.step(50);
  EXPECT_NE(physics.q()[2], copy.q()[2]);
}

TEST(Physics, ATorqueOnAPendulumIsItsAccelerationTimesItsInertia) {
  const World world = load_world("pendulum");
  Physics physics(world);
  const Dynamics dynamics(world);
  physics.reset(world.body.pose(""));
  physics.torque()[0] = 0.3;
  const std::vector<double> q(physics.q().begin(), physics.q().end()),
      v(physics.v().begin(), physics.v().end());
  const std::vector<double> tau(physics.torque().begin(), physics.torque().end());
  const std::vector<double> expected = dynamics.forward(q, v, tau);
  EXPECT_NEAR(physics.acceleration()[0], expected[0], 0.02 * std::fabs(expected[0]) + 1e-6);
}

TEST(Physics, NumbersThatAreNotFiniteAreRefusedAndCanBeMended) {
  Physics physics(load_world("dog"));
  physics.q()[8] = std::nan("");
  EXPECT_EQ(error_of([&] { physics.step(); }), "q[8]: nan is not finite");
  physics.reset();
  EXPECT_TRUE(physics.step());
  physics.torque()[0] = INFINITY;
  EXPECT_EQ(error_of([&] { physics.step(); }), "torque[0]: inf is not finite");
  EXPECT_NE(error_of([&] { physics.reset("sit_downn"); }), "");
  EXPECT_NE(error_of([&] { physics.push(999, {}, 1); }), "");
}

TEST(Physics, ADivergedWorldIsAStatusUntilItIsReset) {
  Physics physics(load_world("hexapod"));
  for (double& t : physics.torque().subspan(6)) t = 1e9;
  EXPECT_FALSE(physics.step(100));
  EXPECT_EQ(physics.status(), Status::diverged);
  EXPECT_NE(physics.status_text(), "");
  EXPECT_FALSE(physics.step());
  physics.reset();
  EXPECT_TRUE(physics.step());
}

// Bodies that are driven differently, some of them started anew half-way, beside a Physics for each.
void expect_batch_equals_single(const World& world, int count, int threads) {
  PhysicsBatch batch(world, count, threads);
  std::vector<Physics> single(static_cast<size_t>(count), Physics(world));
  const size_t nv = size_t(batch.nv()), nq = size_t(batch.nq()), nu = size_t(batch.nu());
  const auto drive = [&](double scale) {
    for (size_t i = 0; i < size_t(count); ++i) {
      for (size_t k = 6; k < nv; ++k)
        batch.torque()[i * nv + k] = single[i].torque()[k] = scale * std::sin(double(i + k));
      for (size_t k = 0; k < nu; ++k) batch.target()[i * nu + k] += 0.01, single[i].target()[k] += 0.01;
    }
  };
  const auto compare = [&] {
    for (size_t i = 0; i < size_t(count); ++i) {
      expect_same_bits(batch.q().subspan(i * nq, nq), single[i].q());
      expect_same_bits(batch.v().subspan(i * nv, nv), single[i].v());
      EXPECT_EQ(batch.time()[i], single[i].time());
    }
  };
  const double weight = world.body.mass() * 9.81 * 0.001;
  drive(weight);
  batch.step(40);
  for (Physics& p : single) p.step(40);
  compare();
  const std::vector<int> which = {0, count - 1, count / 2};
  batch.reset(which);
  for (const int i : which) single[size_t(i)] = Physics(world);
  drive(-weight);
  batch.step(60);
  for (Physics& p : single) p.step(60);
  compare();
}

TEST(PhysicsBatch, EveryBodyHasTheBitsOfItsOwnPhysicsAlsoAfterSomeStartAnew) {
  expect_batch_equals_single(load_world("hexapod"), 19, 2);
  expect_batch_equals_single(load_world("bounder"), 9, 1);
}

TEST(PhysicsBatch, WorldsThatCannotBeBatchedAreMovedOneByOne) {
  expect_batch_equals_single(load_world("hexapod", {.push = {"0,0,5@0.01+0.05"}}), 5, 2);
}

TEST(PhysicsBatch, ABodyThatDivergesStaysAndTheOthersGoOn) {
  const World world = load_world("hexapod");
  PhysicsBatch batch(world, 8);
  const size_t nv = size_t(batch.nv()), nq = size_t(batch.nq());
  for (size_t k = 6; k < nv; ++k) batch.torque()[3 * nv + k] = 1e9;
  batch.step(10);
  EXPECT_EQ(batch.status(3), Status::diverged);
  EXPECT_EQ(batch.status(2), Status::ok);
  const std::vector<double> stays(batch.q().begin() + long(3 * nq), batch.q().begin() + long(4 * nq));
  batch.step(10);
  expect_same_bits(batch.q().subspan(3 * nq, nq), stays);
  const std::vector<int> three = {3};
  batch.reset(three);
  EXPECT_EQ(batch.status(3), Status::ok);
}

TEST(PhysicsBatch, BadArgumentsAreNamed) {
  EXPECT_NE(error_of([] { PhysicsBatch(load_world("box"), 0); }), "");
  PhysicsBatch batch(load_world("box"), 2);
  const std::vector<int> none = {2};
  EXPECT_EQ(error_of([&] { batch.reset(none); }), "body 2: is not one of the 2");
  batch.torque()[7] = std::nan("");
  EXPECT_EQ(error_of([&] { batch.step(); }), "torque[1, 1]: nan is not finite");
}

}  // namespace
}  // namespace legwork
