// Wills (2008), figure 91 and the constrained counts: with a fixed tolerance of a little less than a degree
// the dinosaurs' forelimbs keep as many samples as the dissertation states.

#include <gtest/gtest.h>

#include <cmath>

#include <legwork/files.h>
#include "math/real.h"
#include "reach/find.h"

namespace legwork::reaching {
namespace {

constexpr double deg = pi / 180;

// How many samples of a limb can walk at a step of 0.34 hip heights.
double can_walk(const std::string& body, double resolution, double epsilon) {
  const Creature creature = load_creature(body);
  const Girdle g = girdles_of(creature, "fore").at(0);
  const Space space = explore(g.limb, planted(g.limb, {}), make_grid(g.limb, resolution * deg, 0.05), 2);
  const Boxes boxes = organise(space, 50, 2);
  const Ways ways = ways_of(0.34 * hip_height(creature), 0.6, StepOf::stance);
  return double(constrain(space, boxes, ways.half, epsilon * deg, 2).sample.size());
}

TEST(Tolerance, AFixedOneGivesTheStatedCountsOfTheForelimbs) {
  EXPECT_NEAR(can_walk("apatosaurus", 4, 0.75) / 406377, 1, 0.03);
  EXPECT_NEAR(can_walk("triceratops", 4, 0.85) / 43580, 1, 0.03);
  EXPECT_NEAR(can_walk("apatosaurus", 6, 0.9) / 7719, 1, 0.03);
}

}  // namespace
}  // namespace legwork::reaching
