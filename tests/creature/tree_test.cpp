// The parent of each link.

#include "creature/tree.h"

#include <gtest/gtest.h>

#include "creature/place.h"
#include "tests/creature/example_creatures.h"

namespace legwork {
namespace {

TEST(Tree, ALinkHangsOnItselfAndOnAllAboveIt) {
  const Creature c = half_strider();
  const int body = c.link("body"), thigh = c.link("rf_thigh"), shank = c.link("rf_shank");
  EXPECT_TRUE(is_below(c, shank, shank));
  EXPECT_TRUE(is_below(c, shank, thigh));
  EXPECT_TRUE(is_below(c, shank, body));
  EXPECT_FALSE(is_below(c, thigh, shank));
  EXPECT_FALSE(is_below(c, shank, c.link("rh_thigh")));
  EXPECT_EQ(root_of(c, shank), body);
  EXPECT_EQ(root_of(c, body), body);
}

TEST(Tree, DegreesOfFreedomBeginWhereThoseOfTheLinksBeforeEnd) {
  const Creature c = half_strider();
  const std::vector<int> begins = dof_begins(c);
  ASSERT_EQ(begins.size(), c.links.size() + 1);
  EXPECT_EQ(begins[0], 0);
  EXPECT_EQ(begins[1], 6) << "the body moves freely";
  EXPECT_EQ(begins.back(), c.nv());
}

TEST(Place, AFrameTimesItsInverseIsNone) {
  LinkFrame a;
  a.R = matrix(normalized(Quatd{1, 0.2, -0.5, 0.3})), a.p = {1, 2, 3};
  const LinkFrame one = a * inverse(a);
  EXPECT_LT(norm(one.p), 1e-14);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(one.R(i, j), i == j, 1e-14);
  const Vec3d p{0.5, -1, 2};
  EXPECT_LT(norm(inverse(a) * (a * p) - p), 1e-14);
}

}  // namespace
}  // namespace legwork
