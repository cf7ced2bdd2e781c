// The second judge itself: its tree is ours, and a body stands, slides and falls there as it does here.

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>

#include <legwork/gait.h>
#include "base/random.h"
#include "creature/place.h"
#include "ground/terrain.h"
#include "motion/record.h"
#include "tests/scenes/generated_body.h"
#include "tests/scenes/mujoco_oracle.h"
#include "tests/scenes/mujoco_stage.h"

namespace legwork {
namespace {

constexpr double gravity = 9.81;

World world_of(const Creature& body, const Terrain& terrain = {}) {
  World world;
  world.body = body;
  world.terrain = terrain;
  return world;
}

bool has_ball_hips(const Creature& c) {
  return c.links[std::size_t(c.legs[0].foot)].parent >= 0 &&
         c.links[std::size_t(c.legs[0].hip)].joints[0].type == JointType::ball;
}

// The body on stiff springs that hold its legs as in "stand"; not for balls, whose springs rest at zero.
Creature on_springs(Creature body) {
  const double h = hip_height(body), weight = body.mass() * gravity, w = std::sqrt(gravity / h);
  const std::vector<double> q = body.pose("stand");
  std::size_t at = 0;
  for (Link& link : body.links)
    for (Joint& joint : link.joints) {
      if (joint.type == JointType::hinge || joint.type == JointType::universal)
        for (std::size_t k = 0; k < joint.dofs.size(); ++k) {
          joint.dofs[k].spring = {SpringType::linear, 20 * weight * h, 0, q[at + k]};
          joint.dofs[k].damper = 0.5 * weight * h / w;
        }
      at += std::size_t(nq(joint));
    }
  return body;
}

Vec3d centre_of_mass(const Creature& c, const std::vector<double>& q) {
  const std::vector<LinkFrame> at = place(c, q);
  Vec3d sum;
  for (std::size_t i = 0; i < c.links.size(); ++i) sum += at[i] * c.links[i].com * c.links[i].mass;
  return sum * (1 / c.mass());
}

// Our own physics after some time without torques, from "stand" as placed.
std::vector<double> ours_after(const World& world, double seconds) {
  const System<double> system = make_system(world);
  StepOptions step;
  step.dt = 0.001 * std::sqrt(hip_height(world.body) / gravity);
  Simulation<double> sim(system, step);
  sim.reset(world.body.pose("stand"));
  while (sim.state.time < seconds && sim.step()) {
  }
  EXPECT_EQ(sim.status(), Status::ok) << sim.explain();
  return sim.state.q;
}

void run(MujocoStage& stage, double seconds) {
  const std::vector<double> none(stage.v().size());
  while (stage.time() < seconds) ASSERT_TRUE(stage.step(none));
}

TEST(MujocoStage, AccelerationsInTheAirAreOurs) {
  Random random(5);
  for (int k = 0; k < 30; ++k) {
    const Creature body = generated_body(1, k);
    SCOPED_TRACE(body.about);
    World world = world_of(body, no_terrain());
    MujocoStage stage(world, {.passive = false});
    const double h = hip_height(body), w = std::sqrt(gravity / h), weight = body.mass() * gravity;
    std::vector<double> q = body.pose("stand"), v(std::size_t(body.nv())), tau(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
      v[i] = random.uniform(-1, 1) * w * (i < 3 ? h : 1);
      tau[i] = i < 6 ? 0 : random.uniform(-0.1, 0.1) * weight * h;
    }
    for (Link& link : world.body.links)
      for (Joint& joint : link.joints)
        for (Dof& dof : joint.dofs)
          dof.spring = {}, dof.damper = 0, dof.lower = -unlimited, dof.upper = unlimited;
    const System<double> system = make_system(world);
    Simulation<double> sim(system, {});
    sim.reset(q, v);
    sim.state.drive.tau = tau;
    sim.probe();
    stage.reset(q, v);
    EXPECT_LT(relative_error(sim.qdd, stage.accelerations(tau)), 1e-7);
  }
}

TEST(MujocoStage, ABodyOnSpringsStandsAsItDoesHere) {
  int tried = 0;
  for (int k = 0; k < 30; ++k) {
    const Creature body = on_springs(generated_body(1, k));
    if (has_ball_hips(body) || body.legs.size() < 3) continue;
    SCOPED_TRACE(body.about);
    const World world = world_of(body);
    const double h = hip_height(body), unit = std::sqrt(h / gravity);
    MujocoStage stage(world);
    run(stage, 7 * unit);
    // mean over some time: light feet tremble
    const std::vector<double> none(stage.v().size());
    Vec3d sum, of_legs, moment;
    int steps = 0;
    for (; stage.time() < 8 * unit; ++steps) {
      ASSERT_TRUE(stage.step(none));
      const std::vector<LinkFrame> at = place(body, stage.q());
      for (std::size_t i = 0; i < body.contacts.size(); ++i) {
        const ContactPoint& p = body.contacts[i];
        sum += stage.contact_forces()[i];
        moment += (at[std::size_t(p.link)] * p.pos) * stage.contact_forces()[i].z;
      }
      for (std::size_t leg = 0; leg < body.legs.size(); ++leg) of_legs += stage.leg_force(int(leg));
    }
    EXPECT_NEAR(sum.z / (steps * body.mass() * gravity), 1, 0.02);
    EXPECT_LT(norm(sum - of_legs), 1e-9 * norm(sum));
    // the centre of pressure lies under the centre of mass
    const Vec3d com = centre_of_mass(body, stage.q());
    EXPECT_NEAR(moment.x / sum.z, com.x, 0.02 * h);
    EXPECT_NEAR(moment.y / sum.z, com.y, 0.02 * h);
    EXPECT_LT(norm(centre_of_mass(body, ours_after(world, 8 * unit)) - com), 0.015 * h);
    ++tried;
  }
  EXPECT_GT(tried, 8);
}

TEST(MujocoStage, ABodyWithoutTorquesFallsAsItDoesHere) {
  for (const int k : {1, 3, 13, 14, 15}) {
    const Creature body = generated_body(1, k);
    SCOPED_TRACE(body.about);
    const World world = world_of(body);
    const double h = hip_height(body), seconds = 1.0 * std::sqrt(h / gravity);
    MujocoStage stage(world);
    run(stage, seconds);
    const std::vector<double> here = ours_after(world, seconds);
    const double start = centre_of_mass(body, body.pose("stand")).z;
    const double there = start - centre_of_mass(body, stage.q()).z,
                 sunk = start - centre_of_mass(body, here).z;
    EXPECT_GT(sunk, 0.1 * h);
    EXPECT_NEAR(there, sunk, 0.15 * sunk);
  }
}

// A body whose legs hold is a block: on a slope it stays below the angle of friction and slides above it.
TEST(MujocoStage, ABlockSlidesOnASlopeSteeperThanItsFriction) {
  const Creature body = on_springs(generated_body(1, 8));
  for (const double angle : {0.3, 0.6}) {
    World world = world_of(body, slope_terrain(-angle));
    world.contact.friction = std::tan(0.45);
    const double h = hip_height(body);
    std::vector<double> q = body.pose("stand");
    // turned with the slope about y, its soles on it
    q[3] = std::cos(angle / 2), q[5] = std::sin(angle / 2);
    q[0] = std::sin(angle) * q[2], q[2] *= std::cos(angle);
    MujocoStage stage(world);
    stage.reset(q);
    const double seconds = 3 * std::sqrt(h / gravity);
    run(stage, seconds);
    const double way = (stage.q()[0] - q[0]) / std::cos(angle);
    const double slides =
        0.5 * gravity * seconds * seconds * (std::sin(angle) - std::tan(0.45) * std::cos(angle));
    if (angle < 0.45)
      EXPECT_LT(std::fabs(way), 0.1 * h);
    else
      EXPECT_NEAR(way / slides, 1, 0.15);
  }
}

// Where the ground is as high there as here: a body dropped on it comes to rest with its lowest point on it.
TEST(MujocoStage, TheGroundIsWhereItIsHere) {
  const Creature body = on_springs(generated_body(1, 8));
  const double h = hip_height(body);
  for (const Terrain& terrain : {Terrain{}, slope_terrain(0.1), steps_terrain(0.2 * h, h),
                                 steps_terrain(-0.2 * h, h), rough_terrain(0.1 * h, h, 3)}) {
    SCOPED_TRACE(terrain.spec);
    for (const double x : {-3.1, 0.3, 4.2, 7.7}) {
      const World world = world_of(body, terrain);
      MujocoStage stage(world);
      std::vector<double> q = body.pose("stand");
      double lift = -unlimited;  // to the height where the first point touches
      q[0] += x * h;
      const std::vector<LinkFrame> at = place(body, q);
      for (const ContactPoint& p : body.contacts) {
        const GroundDepth depth = ground_depth(terrain, at[std::size_t(p.link)] * p.pos, p.radius);
        if (depth.normal.z > 0.5) lift = std::max(lift, depth.depth / depth.normal.z);
      }
      const auto touches = [&](double over) {
        std::vector<double> moved = q;
        moved[2] += lift + over * h;
        stage.reset(moved);
        double sum = 0;
        for (const Vec3d& f : stage.contact_forces()) sum += norm(f);
        return sum > 0;
      };
      EXPECT_FALSE(touches(0.02)) << x;
      EXPECT_TRUE(touches(-0.02)) << x;
    }
  }
}

TEST(MujocoStage, APushChangesTheMomentumByForceTimesTime) {
  const Creature body = generated_body(1, 8);
  World world = world_of(body, no_terrain());
  world.gravity = {};
  const double unit = std::sqrt(hip_height(body) / gravity);
  world.pushes.push_back({0, {0, body.mass() * gravity, 0}, 0.05 * unit, 0.1 * unit});
  MujocoStage stage(world, {.dt = 0.002 * unit});
  const double start = centre_of_mass(body, stage.q()).y;
  run(stage, 0.3 * unit);
  const double before = centre_of_mass(body, stage.q()).y, at = stage.time();
  run(stage, 0.5 * unit);
  const double speed = (centre_of_mass(body, stage.q()).y - before) / (stage.time() - at);
  EXPECT_NEAR(speed, gravity * 0.1 * unit, 1e-3 * speed);
  EXPECT_GT(before, start);
}

}  // namespace
}  // namespace legwork
