// Wills (2008), appendix H: the tyrannosaurus step by step, to the printed numbers where the inputs are
// known.

#include <gtest/gtest.h>

#include <cmath>

#include <legwork/files.h>
#include "math/real.h"
#include "reach/find.h"

namespace legwork::reaching {
namespace {

constexpr double deg = pi / 180;

TEST(AppendixH, Step3TheSpaceOfTheDissertationMakesItsBoxes) {
  const BoxCounts c = box_counts({5.03, 0.57, 2.76}, 50);
  EXPECT_EQ(c.nx, 50);
  EXPECT_EQ(c.ny, 6);
  EXPECT_EQ(c.nz, 28);
  EXPECT_EQ(c.nx * c.ny * c.nz, 8400);
  EXPECT_NEAR(c.size, 0.10, 0.001);
}

TEST(AppendixH, Step3TheShippedTyrannosaurusMakesAlmostTheSameSpace) {
  // Where its feet point outward is not printed; turned by seven degrees the space is as wide as stated.
  const Girdle g = girdles_of(load_creature("tyrannosaurus"), "hind").at(0);
  const Space s = explore(g.limb, planted(g.limb, {7 * deg, -1}), make_grid(g.limb, 4 * deg, 0.05), 2);
  EXPECT_EQ(s.size(), 2882880u);
  const Boxes b = organise(s, 50, 2);
  const Vec3d extent = b.upper - b.lower;
  EXPECT_NEAR(extent.x, 5.03, 0.05 * 5.03);
  EXPECT_NEAR(extent.y, 0.57, 0.1);
  EXPECT_NEAR(extent.z, 2.76, 0.05 * 2.76);
  EXPECT_EQ(b.nz, 28);
}

TEST(AppendixH, Step4SiblingsLieAStepLessDualSupportAheadMirroredAndOfTheSameHeight) {
  Boxes b;
  b.lower = {-2.5, -0.285, -2.5};
  b.size = 0.1006;
  b.nx = 50, b.ny = 6, b.nz = 28;
  // 0.98 hip heights of 3.07 m with a duty factor of 0.6
  const Ways ways = ways_of(0.98 * 3.07, 0.6, StepOf::stance);
  EXPECT_NEAR(ways.half + ways.dual, 0.98 * 3.07, 1e-12);
  const int boxes = int(std::lround(ways.half / b.size));
  const int from = b.index(6, 1, 11), to = sibling_box(b, from, ways.half);
  EXPECT_EQ(to, b.index(6 + boxes, 4, 11));
  EXPECT_EQ(sibling_box(b, b.index(45, 1, 11), ways.half), -1) << "ahead of the space there is none";
}

TEST(AppendixH, Step5TheCandidateHas26Bits) {
  EXPECT_EQ(bits_for(11145), 14);
  EXPECT_EQ(bits_for(3665), 12);
}

TEST(AppendixH, Step7ThePrintedStringMeansThePrintedEntries) {
  const char* printed =
      "00100011001100"
      "111010101110";
  BitString bits;
  for (int i = 0; printed[i]; ++i)
    if (printed[i] == '1') bits.flip(i);
  EXPECT_EQ(scaled_index(bits.field(0, 14), 14, 11145), 1531u);
  EXPECT_EQ(scaled_index(bits.field(14, 12), 12, 3665), 3362u);
}

TEST(AppendixH, Step6TheErrorIsTheWeightedSumOfItsTerms) {
  // pitch 5, yaw 2, others 1; angles and joints times the step; centimetres
  const RootPose rd{{0.3, -0.02, 0.05}, {0.01, -0.02, 0.03}}, rlu{{0.8, 0.01, -0.03}, {-0.02, 0.01, 0.02}};
  const Measure m{Weights(), 2, 0.01};
  const ErrorTerms t = gait_terms(rd, rlu, {0.1, -0.2}, {0.4, -0.1}, m);
  EXPECT_NEAR(t.pitch, 0.03 * 200, 1e-12);
  EXPECT_NEAR(t.yaw, 0.03 * 200, 1e-12);
  EXPECT_NEAR(t.roll, 0.05 * 200, 1e-12);
  EXPECT_NEAR(t.lateral, 3, 1e-12);
  EXPECT_NEAR(t.vertical, 4 + 4, 1e-12);
  EXPECT_NEAR(t.fdof, 0.4 * 200, 1e-12);
  EXPECT_NEAR(t.weighted(m.weights), 5 * 6 + 2 * 6 + 10 + 3 + 8 + 80, 1e-12);
  EXPECT_NEAR(fitness_of(595.51), 1.67642e-3, 1e-8);
}

}  // namespace
}  // namespace legwork::reaching
