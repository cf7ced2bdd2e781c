#include "creature/assemble.h"

#include <gtest/gtest.h>

#include <cmath>

#include "creature/check.h"
#include "creature/complete.h"
#include "creature/mirror.h"
#include "creature/place.h"
#include "tests/creature/example_creatures.h"

namespace legwork {
namespace {

Creature strider() {
  Creature c = half_strider();
  mirror(c);
  complete(c);
  Actuator a;
  a.name = "knee";
  a.dof = c.dof("lh_shank");
  c.actuators = {a};
  Loop loop;
  loop.name = "pin";
  loop.link = 1;
  loop.other_pos = {0.1, 0, 0};
  c.loops = {loop};
  c.poses.push_back({"sit", c.pose("stand")});
  c.poses.back().q[7] = 1;
  return c;
}

TEST(Assemble, PartsKeepTheirShapeAndMoveToTheirPlace) {
  const double half = std::sqrt(0.5);
  const Creature one = strider();
  Creature simple = one;
  simple.poses = {{"stand", one.pose("stand")}};
  const Creature all = assemble({{one, "a_", {1, 0, 0}, {}, false},
                                 {one, "b_", {0, 2, 0}, {half, 0, 0, half}, false},
                                 {simple, "c_", {}, {}, true}});
  check(all);
  const int n = int(one.links.size());
  EXPECT_EQ(all.links.size(), 3u * n);
  EXPECT_EQ(all.nv(), 2 * one.nv() + one.nv() - 6);
  EXPECT_EQ(all.link("b_lf_shank"), n + one.link("lf_shank"));
  EXPECT_EQ(all.actuators[1].dof, all.dof("b_lh_shank"));
  EXPECT_EQ(all.actuators[2].dof, all.dof("c_lh_shank"));
  EXPECT_EQ(all.legs.size(), 12u);
  EXPECT_LT(norm(all.loops[1].other_pos - Vec3d(0, 2.1, 0)), 1e-15);

  const std::vector<LinkFrame> before = place(one, one.pose("stand")), after = place(all, all.pose("stand"));
  const Mat3d turn = matrix(Quatd(half, 0, 0, half));
  for (int i = 0; i < n; ++i) {
    EXPECT_LT(norm(after[i].p - (before[i].p + Vec3d(1, 0, 0))), 1e-14);
    EXPECT_LT(norm(after[n + i].p - (turn * before[i].p + Vec3d(0, 2, 0))), 1e-14);
    EXPECT_LT(norm(after[n + i].R.column(0) - turn * before[i].R.column(0)), 1e-14);
    EXPECT_LT(norm(after[2 * n + i].p - before[i].p), 1e-14);
  }
  // a pose that one part lacks: it stands
  ASSERT_EQ(all.pose("sit").size(), size_t(all.nq()));
  EXPECT_EQ(all.pose("sit")[7], 1);
  EXPECT_EQ(all.pose("sit")[2 * one.nq()], 0);
}

TEST(Assemble, TheSmallestStepAndTheFirstIntegratorCount) {
  Creature a = strider(), b = strider();
  a.dt = 1e-3, a.integrator = "rk4";
  b.dt = 1e-4, b.integrator = "euler";
  b.name = "other";
  const Creature all = assemble({{a, "a_"}, {b, "b_"}});
  EXPECT_EQ(all.dt, 1e-4);
  EXPECT_EQ(all.integrator, "rk4");
  ASSERT_EQ(all.warnings.size(), 1u);
  EXPECT_EQ(all.warnings[0], "'other' asks for the integrator euler, but the world uses rk4");
}

TEST(Assemble, EqualPrefixesAreFoundByCheck) {
  const Creature all = assemble({{strider(), ""}, {strider(), ""}});
  EXPECT_THROW(check(all), Error);
}

}  // namespace
}  // namespace legwork
