#include "base/random.h"

#include <Random123/philox.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace legwork {
namespace {

TEST(Random, PhiloxAgreesWithRandom123) {
  r123::Philox4x32 reference;
  std::uint64_t word = 1;
  const auto next = [&] {
    word = word * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<std::uint32_t>(word >> 32);
  };
  for (int trial = 0; trial < 1000; ++trial) {
    const std::array<std::uint32_t, 4> counter = {next(), next(), next(), next()};
    const std::array<std::uint32_t, 2> key = {next(), next()};
    const auto expected = reference({{counter[0], counter[1], counter[2], counter[3]}}, {{key[0], key[1]}});
    const auto got = philox(counter, key);
    for (int i = 0; i < 4; ++i) ASSERT_EQ(got[i], expected[i]);
  }
}

TEST(Random, PhiloxGivesThePublishedAnswerForZero) {
  const std::array<std::uint32_t, 4> expected = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), expected);
}

TEST(Random, SeedStreamAndPositionDecideTheNumber) {
  Random a(7, 3), b(7, 3), other_stream(7, 4), other_seed(8, 3);
  int same_stream = 0, same_seed = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto x = a.bits();
    EXPECT_EQ(x, b.bits());
    same_stream += x == other_stream.bits();
    same_seed += x == other_seed.bits();
  }
  EXPECT_EQ(same_stream, 0);
  EXPECT_EQ(same_seed, 0);
}

TEST(Random, UniformFillsItsIntervalEvenly) {
  Random random(1);
  constexpr int n = 200000;
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    const double x = random.uniform(-2, 4);
    ASSERT_GE(x, -2);
    ASSERT_LT(x, 4);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / n, 1, 5 * std::sqrt(3.0 / n));
  EXPECT_NEAR(squares / n, 4, 5 * 4 / std::sqrt(n));  // variance 3 + mean^2
}

TEST(Random, UniformOfAnEmptyIntervalIsItsEnd) { EXPECT_EQ(Random(1).uniform(2.5, 2.5), 2.5); }

TEST(Random, NormalHasTheMomentsOfTheStandardNormal) {
  Random random(1, 2);
  constexpr int n = 400000;
  double moment[5] = {};
  for (int i = 0; i < n; ++i) {
    const double x = random.normal();
    double power = 1;
    for (int k = 1; k <= 4; ++k) moment[k] += (power *= x) / n;
  }
  // five standard errors: the variance of x^k is E x^2k - (E x^k)^2
  EXPECT_NEAR(moment[1], 0, 5 * std::sqrt(1.0 / n));
  EXPECT_NEAR(moment[2], 1, 5 * std::sqrt(2.0 / n));
  EXPECT_NEAR(moment[3], 0, 5 * std::sqrt(15.0 / n));
  EXPECT_NEAR(moment[4], 3, 5 * std::sqrt(96.0 / n));
}

TEST(Random, QuantileInvertsTheNormalDistribution) {
  const auto distribution = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  for (double p = 0x1p-53; p < 0.5; p *= 1.01) {
    const double x = normal_quantile(p);
    // d(log p)/dx grows like |x|: the error of x is amplified by that much
    EXPECT_NEAR(distribution(x) / p, 1, 4e-15 * (1 + x * x)) << "p = " << p;
    EXPECT_NEAR(normal_quantile(1 - p), -x, 1e-15 / p);  // 1 - p is rounded
  }
  EXPECT_EQ(normal_quantile(0.5), 0);
}

TEST(Random, IndexIsUnbiased) {
  Random random(3);
  constexpr int n = 7, draws = 140000;
  std::vector<int> count(n);
  for (int i = 0; i < draws; ++i) {
    const int k = random.index(n);
    ASSERT_GE(k, 0);
    ASSERT_LT(k, n);
    ++count[k];
  }
  double chi_square = 0;
  for (const int c : count) chi_square += std::pow(c - draws / n, 2) / (draws / n);
  EXPECT_LT(chi_square, 22.46);  // 6 degrees of freedom, 0.1 %
}

TEST(Random, IndexOfOneIsZero) { EXPECT_EQ(Random(9).index(1), 0); }

}  // namespace
}  // namespace legwork
