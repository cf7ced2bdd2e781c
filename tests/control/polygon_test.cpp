#include "control/polygon.h"

#include <gtest/gtest.h>

#include <cmath>

namespace legwork {
namespace {

TEST(Polygon, OfASquareKnowsInsideAndOutside) {
  Polygon square;
  for (const Vec2& p : {Vec2{0, 0}, Vec2{2, 0}, Vec2{1, 1}, Vec2{2, 2}, Vec2{0, 2}}) square.add(p);
  square.close(0);
  EXPECT_EQ(square.hull().size(), 4u);
  EXPECT_DOUBLE_EQ(square.margin({1, 1}), 1);
  EXPECT_DOUBLE_EQ(square.margin({1, 0.25}), 0.25);
  EXPECT_DOUBLE_EQ(square.margin({5, 6}), -5);
  const Vec2 corner = square.nearest({3, 4}), inside = square.nearest({0.5, 1.5});
  EXPECT_EQ(corner.x, 2);
  EXPECT_EQ(corner.y, 2);
  EXPECT_EQ(inside.x, 0.5);
  EXPECT_EQ(inside.y, 1.5);
}

TEST(Polygon, OfTwoPointsIsALineAndOfOneAPoint) {
  Polygon line, point;
  line.add({0, 0}), line.add({2, 2}), point.add({1, 3});
  line.close(0), point.close(0.5);
  EXPECT_DOUBLE_EQ(line.nearest({2, 0}).x, 1);
  EXPECT_DOUBLE_EQ(line.margin({2, 0}), -std::sqrt(2));
  EXPECT_EQ(point.nearest({7, 7}).y, 3);
}

TEST(Polygon, IsDrawnInAtItsCornersButNeverByMoreThanHalf) {
  Polygon line;
  line.add({-1, 0}), line.add({1, 0});
  line.close(0.25);
  EXPECT_DOUBLE_EQ(line.nearest({9, 0}).x, 0.75);
  line.clear();
  line.add({-1, 0}), line.add({1, 0});
  line.close(5);
  EXPECT_DOUBLE_EQ(line.nearest({9, 0}).x, 0.5);
}

}  // namespace
}  // namespace legwork
