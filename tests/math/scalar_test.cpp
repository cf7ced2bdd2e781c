#include "math/scalar.h"

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

TEST(Scalar, LogarithmsCubeRootAndLengthAreWithinTwoUnitsInTheLastPlace) {
  Random random(5, 0);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
    const double any = std::ldexp(1 + x / 2, int(1000 * y)), near_one = 1 + x * (i % 2 ? 0.5 : 1e-3);
    const double small = x * (i % 3 == 0 ? 0.9 : i % 3 == 1 ? 1e-5 : 1e-12);
    worst =
        std::max({worst, ulps(legwork::log(any), logl(any)), ulps(legwork::log(near_one), logl(near_one))});
    worst =
        std::max({worst, ulps(legwork::log1p(small), log1pl(small)), ulps(legwork::log1p(any), log1pl(any))});
    worst = std::max({worst, ulps(legwork::cbrt(any), cbrtl(any)), ulps(legwork::hypot(x, y), hypotl(x, y))});
  }
  EXPECT_LT(worst, 2);
}

TEST(Scalar, TangentAndArccosineAreWithinSixUnitsInTheLastPlaceAndPowersWithinTen) {
  Random random(6, 0);
  double worst = 0, worst_power = 0;
  for (int i = 0; i < 200000; ++i) {
    const double x = random.uniform(-1, 1), base = random.uniform(0.05, 1);
    worst = std::max({worst, ulps(legwork::tan(1.5 * x), tanl(1.5 * x)), ulps(legwork::acos(x), acosl(x))});
    worst_power = std::max({worst_power, ulps(legwork::pow(base, 5), powl(base, 5)),
                            ulps(legwork::pow(base, 2.4), powl(base, (long double)(2.4)))});
  }
  EXPECT_LT(worst, 6);
  EXPECT_LT(worst_power, 10);
}

TEST(Scalar, FunctionsKeepTheirValuesAtTheEnds) {
  EXPECT_EQ(legwork::log(1.0), 0);
  EXPECT_EQ(legwork::log(0.0), -INFINITY);
  EXPECT_EQ(legwork::log(INFINITY), INFINITY);
  EXPECT_TRUE(std::isnan(legwork::log(-1.0)));
  EXPECT_EQ(legwork::log1p(0.0), 0);
  EXPECT_EQ(legwork::cbrt(-8.0), -2);
  EXPECT_EQ(legwork::cbrt(0.0), 0);
  EXPECT_EQ(legwork::cbrt(0x1p-1074), 0x1p-358);
  EXPECT_EQ(legwork::acos(1.0), 0);
  EXPECT_EQ(legwork::acos(-1.0), pi);
  EXPECT_EQ(legwork::acos(1.1), 0);
  EXPECT_EQ(legwork::pow(-2.0, 3), -8);
  EXPECT_EQ(legwork::pow(2.0, -2), 0.25);
  EXPECT_EQ(legwork::pow(0.0, 0.3), 0);
}

}  // namespace
}  // namespace legwork
