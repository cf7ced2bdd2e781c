// The account of a method, the measure of a gait and the motion itself say the same of feet on the ground.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <legwork/legwork.h>
#include "creature/place.h"
#include "math/vec.h"
#include "tests/scenes/error_of.h"

namespace legwork::test {
namespace {

// The deepest that a contact point of any link lay under level ground, by nothing but the frames.
double deepest(const Motion& motion) {
  double depth = 0;
  const std::size_t nq = std::size_t(motion.creature.nq());
  for (int f = 0; f < motion.frames(); ++f) {
    const std::vector<double> q(motion.q.begin() + long(std::size_t(f) * nq),
                                motion.q.begin() + long(std::size_t(f + 1) * nq));
    const std::vector<LinkFrame> frames = place(motion.creature, q);
    for (const ContactPoint& c : motion.creature.contacts) {
      const Vec3d p = frames[std::size_t(c.link)].p + frames[std::size_t(c.link)].R * c.pos;
      depth = std::max(depth, c.radius - p.z);
    }
  }
  return depth;
}

struct Cell {
  std::string method, creature;
  std::vector<std::pair<std::string, std::string>> options;
};

class Agreement : public testing::TestWithParam<Cell> {};

TEST_P(Agreement, OfAccountMeasureAndFrames) {
  const Cell& cell = GetParam();
  const std::unique_ptr<Method> method = make_method(cell.method);
  for (const auto& [name, value] : cell.options) method->options().find(name)->set({value}, {}, name);
  const Result result = method->run(load_world(cell.creature));
  ASSERT_TRUE(result.gait);
  EXPECT_NEAR(result.gait->penetration, deepest(result.motion), 1e-9);
  double slip = 0;
  for (const LegGait& leg : result.gait->legs) slip = std::max(slip, leg.slip);
  EXPECT_EQ(result.gait->slip, slip);
  // what the account says of feet is what is measured on the motion
  if (const Value* slide = result.account.values.find("slide")) EXPECT_EQ(*slide->number(), slip);
  if (const Value* sink = result.account.values.find("sink"))
    EXPECT_EQ(*sink->number(), result.gait->penetration);
}

std::vector<Cell> cells() {
  std::vector<Cell> all;
  for (const char* body : {"dog", "quadruped", "human", "biped", "strider", "hexapod", "tyrannosaurus",
                           "wills_dog", "apatosaurus", "triceratops", "wills_reptile", "newt"})
    all.push_back({"modes", body, {{"action", "walk"}}});
  for (const char* body : {"dog", "human", "hexapod", "pentapod", "octopod"})
    all.push_back({"walk", body, {{"seconds", "1.5"}}});
  all.push_back({"direct", "biped", {{"algorithm", "walk"}, {"seconds", "3"}}});
  for (const char* body : {"strider", "triceratops", "wills_dog"})
    all.push_back({"reach",
                   body,
                   {{"resolution", "8"}, {"cache", "off"}, {"population", "100"}, {"iterations", "20"}}});
  return all;
}

INSTANTIATE_TEST_SUITE_P(OfShippedBodies, Agreement, testing::ValuesIn(cells()),
                         [](const auto& cell) { return cell.param.method + "_" + cell.param.creature; });

}  // namespace
}  // namespace legwork::test
