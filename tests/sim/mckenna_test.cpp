// The checks of his simulator that McKenna lists in section 5.1 (A dynamic model of locomotion for computer
// animation, 1990).

#include <gtest/gtest.h>

#include <cmath>

#include "bodies.h"

namespace legwork {
namespace {

using namespace bodies;

World falling(Creature c) {
  World world = in_air(std::move(c));
  world.gravity = {0, 0, -9.8};
  return world;
}

TEST(McKenna, ABodyFallsWithNinePointEight) {
  const System<double> system = make_system(falling(tumbler()));
  Simulation<double> sim(system, steps(Integrator::rk4, 1e-3));
  sim.probe();
  EXPECT_NEAR(sim.qdd[2], -9.8, 1e-12);
  for (int i = 0; i < system.model.nv; ++i)
    if (i != 2) EXPECT_NEAR(sim.qdd[i], 0, 1e-11) << i;
}

TEST(McKenna, ARotatingBodyFallsInAStraightLine) {
  const System<double> system = make_system(falling(tumbler()));
  Simulation<double> sim(system, steps(Integrator::rk4, 1e-3));
  std::vector<double> v(system.model.nv);
  for (int i = 0; i < system.model.nv; ++i) v[i] = 3 * std::sin(2.1 * i + 1);
  sim.reset(system.world.body.pose(""), v);
  const Vec3d c0 = center_of_mass(system.model, sim.w);
  const Vec3d v0 = momentum(system.model, sim.w).lin * (1 / total_mass(system.model));
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(sim.step());
  const Vec3d c = center_of_mass(system.model, sim.w);
  EXPECT_NEAR(c.x, c0.x + v0.x, 1e-8);
  EXPECT_NEAR(c.y, c0.y + v0.y, 1e-8);
  EXPECT_NEAR(c.z, c0.z + v0.z - 4.9, 1e-8);
}

TEST(McKenna, AFreeBodyMovesStraightAndTurnsEvenly) {
  // equal moments of inertia: the turn is constant
  const System<double> system = make_system(in_space(ball()));
  Simulation<double> sim(system, steps(Integrator::rk4, 1e-3));
  sim.reset(system.world.body.pose(""), {0.3, -0.2, 0.9, 2, -3, 1});
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(sim.step());
  const double expected_v[] = {0.3, -0.2, 0.9, 2, -3, 1};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(sim.state.v[i], expected_v[i], 1e-12);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(sim.state.q[i], expected_v[i], 1e-12);
  const double w = std::sqrt(14.0), s = std::sin(w / 2) / w;
  EXPECT_NEAR(sim.state.q[3], std::cos(w / 2), 1e-10);
  EXPECT_NEAR(sim.state.q[4], 2 * s, 1e-10);
  EXPECT_NEAR(sim.state.q[5], -3 * s, 1e-10);
  EXPECT_NEAR(sim.state.q[6], 1 * s, 1e-10);
}

TEST(McKenna, AFrameFarFromItsBodyMakesNoDifference) {
  const Vec3d offset(40, -25, 60);
  const Vec3d size(0.4, 0.3, 0.2), spin(2, -3, 1), velocity(0.5, 0.1, 2);
  const System<double> near = make_system(falling(box(size))), far = make_system(falling(box(size, offset)));
  Simulation<double> a(near, steps(Integrator::rk4, 1e-3)), b(far, steps(Integrator::rk4, 1e-3));
  a.reset({0, 0, 0, 1, 0, 0, 0}, {velocity.x, velocity.y, velocity.z, spin.x, spin.y, spin.z});
  // the frame's origin sits at the offset and moves with the turning body
  const Vec3d origin = velocity + cross(spin, offset);
  b.reset({offset.x, offset.y, offset.z, 1, 0, 0, 0}, {origin.x, origin.y, origin.z, spin.x, spin.y, spin.z});
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(a.step());
    ASSERT_TRUE(b.step());
  }
  const Vec3d ca = center_of_mass(near.model, a.w), cb = center_of_mass(far.model, b.w);
  EXPECT_NEAR(norm(ca - cb), 0, 1e-7);
  for (int i = 3; i < 7; ++i) EXPECT_NEAR(a.state.q[i], b.state.q[i], 1e-8);
}

TEST(McKenna, AnEndBodyInMotionPullsTheLinkageAlongItsAxis) {
  // three bars in a line on a free root; only the last joint moves
  Creature c = chain(3);
  c.links[0].joints = {joint(JointType::free)};
  name_dofs(c);
  const System<double> system = make_system(in_space(c));
  Simulation<double> sim(system, steps(Integrator::rk4, 1e-3));
  std::vector<double> v(system.model.nv, 0);
  v[7] = 5;
  sim.reset(c.pose(""), v);
  sim.probe();
  // the last bar's centripetal force m w^2 L/2 = 12.5 N pulls all three (3 kg) downward along the line:
  // the other two, and the joint of the third, accelerate by 12.5 / 3
  const double along = -1 * 25 * 0.5 / 3;
  EXPECT_NEAR(sim.qdd[2], along, 1e-11);
  for (int i = 0; i < system.model.nv; ++i)
    if (i != 2) EXPECT_NEAR(sim.qdd[i], 0, 1e-11) << i;
}

}  // namespace
}  // namespace legwork
