#include "math/real.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace legwork {
namespace {

// Distance in units of the last place of the correctly rounded value (long double is exact enough here).
double ulps(double value, long double exact) {
  const double rounded = double(exact);
  const double unit = std::nextafter(std::abs(rounded), INFINITY) - std::abs(rounded);
  return double(std::abs((long double)value - exact) / unit);
}

TEST(Real, SineAndCosineAreWithinThreeUnitsInTheLastPlace) {
  Random random(1, 0);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const double reach = i % 2 ? 10 : 1e6;
    const double x = random.uniform(-reach, reach);
    double s, c;
    sin_cos(x, s, c);
    worst = std::max({worst, ulps(s, sinl(x)), ulps(c, cosl(x))});
  }
  RecordProperty("worst_ulp_x100", int(100 * worst));
  EXPECT_LT(worst, 3);
}

TEST(Real, ExponentialIsWithinTwoUnitsInTheLastPlace) {
  Random random(2, 0);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const double x = random.uniform(-650, 650) * (i % 2 ? 1 : 0.01);
    worst = std::max(worst, ulps(legwork::exp(x), expl(x)));
  }
  EXPECT_LT(worst, 2);
}

TEST(Real, ExponentialSaturatesInsteadOfOverflowing) {
  EXPECT_EQ(legwork::exp(1e9), legwork::exp(700.0));
  EXPECT_TRUE(std::isfinite(legwork::exp(1e300)));
}

TEST(Real, ArctangentIsWithinFiveUnitsInTheLastPlaceInAllQuadrants) {
  Random random(3, 0);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1) * (i % 2 ? 1 : 1e-6);
    worst = std::max(worst, ulps(legwork::atan2(y, x), atan2l(y, x)));
  }
  EXPECT_LT(worst, 5);
  EXPECT_EQ(legwork::atan2(0.0, 0.0), 0);
  EXPECT_EQ(legwork::atan2(0.0, -1.0), pi);
}

TEST(Real, EveryBatchLaneHasTheBitsOfTheScalar) {
  Random random(4, 0);
  for (int i = 0; i < 20000; ++i) {
    Batch x, y;
    for (int k = 0; k < batch_lanes; ++k) x.set(k, random.uniform(-50, 50)), y.set(k, random.uniform(-3, 3));
    Batch s, c;
    sin_cos(x, s, c);
    const Batch e = legwork::exp(x), a = legwork::atan2(y, x), root = sqrt(abs(x));
    for (int k = 0; k < batch_lanes; ++k) {
      double ss, cc;
      sin_cos(x[k], ss, cc);
      ASSERT_EQ(s[k], ss);
      ASSERT_EQ(c[k], cc);
      ASSERT_EQ(e[k], legwork::exp(x[k]));
      ASSERT_EQ(a[k], legwork::atan2(y[k], x[k]));
      ASSERT_EQ(root[k], std::sqrt(std::fabs(x[k])));
    }
  }
}

}  // namespace
}  // namespace legwork
