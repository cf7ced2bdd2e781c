#include "search/chain.h"

#include <gtest/gtest.h>

#include "search/elites.h"

namespace legwork {
namespace {

const std::vector<Variable> square = {{"x", -1, 1, -0.8}, {"y", -1, 1, 0.9}};

double bowl(const std::vector<double>& p) {
  return 2 - (p[0] - 0.3) * (p[0] - 0.3) - (p[1] + 0.5) * (p[1] + 0.5);
}

double climb(ChainType type, std::uint64_t seed) {
  ChainOptions options;
  options.type = type;
  Chain chain(square, {-0.8, 0.9}, bowl({-0.8, 0.9}), options);
  Random random(seed);
  for (int i = 0; i < 1000; ++i) {
    const std::vector<double>& trial = chain.ask(random);
    for (size_t k = 0; k < 2; ++k) EXPECT_TRUE(trial[k] >= square[k].lower && trial[k] <= square[k].upper);
    chain.tell(bowl(trial));
  }
  return chain.best_score();
}

TEST(Chain, BothWaysReachTheTopOfABowlToWithinAStep) {
  EXPECT_GT(climb(ChainType::ascent, 1), 2 - 2 * 0.05 * 0.05 - 1e-9);
  EXPECT_GT(climb(ChainType::annealing, 1), 2 - 0.03);
}

TEST(Chain, AscentNeverKeepsALoss) {
  Chain chain(square, {0, 0}, 1, {});
  Random random(1);
  chain.ask(random);
  EXPECT_FALSE(chain.tell(0.9));
  chain.ask(random);
  EXPECT_TRUE(chain.tell(1.1));
  EXPECT_EQ(chain.best_score(), 1.1);
}

TEST(Chain, AnnealingKeepsLossesWhileItIsHot) {
  ChainOptions options;
  options.type = ChainType::annealing;
  options.temperature = 0.01;  // of the score: a loss of 1 % is kept with probability 1/e
  int hot = 0, cold = 0;
  for (int seed = 0; seed < 1000; ++seed) {
    Random random(std::uint64_t(seed) + 1);
    Chain chain(square, {0, 0}, 100, options);
    chain.ask(random);
    hot += chain.tell(99);
  }
  EXPECT_NEAR(hot, 1000 / 2.718281828, 50);
  Chain chain(square, {0, 0}, 100, options);
  Random random(1);
  for (int i = 0; i < 65 * 20; ++i)
    chain.ask(random), chain.tell(0);  // never kept, cools to 0.003 of the start
  for (int i = 0; i < 100; ++i) chain.ask(random), cold += chain.tell(99);
  EXPECT_EQ(cold, 0);
}

TEST(Elites, KeepTheBestOfEveryKind) {
  Elites elites(0.5);
  EXPECT_TRUE(elites.add({1, 1.0, {0, 0}}));
  EXPECT_FALSE(elites.add({2, 0.9, {0.1, 0}})) << "worse, and of the same kind";
  EXPECT_FALSE(elites.add({3, 1.0, {0.1, 0}})) << "as good, and later";
  EXPECT_TRUE(elites.add({4, 0.1, {1, 0}})) << "bad, but different";
  EXPECT_TRUE(elites.add({5, 2.0, {0.2, 0}})) << "better than its kind";
  ASSERT_EQ(elites.all().size(), 2u);
  EXPECT_EQ(elites.all()[0].number, 5u);
  EXPECT_EQ(elites.all()[1].number, 4u);
}

TEST(Elites, AreNeverCloserThanTheyMayBe) {
  Elites elites(0.2);
  Random random(9);
  for (int i = 0; i < 2000; ++i)
    elites.add({std::uint64_t(i), random.uniform(), {random.uniform(), random.uniform(), random.uniform()}});
  for (const Elite& a : elites.all())
    for (const Elite& b : elites.all())
      if (a.number != b.number) EXPECT_GE(kind_distance(a.kind, b.kind), 0.2);
  for (size_t i = 1; i < elites.all().size(); ++i)
    EXPECT_LE(elites.all()[i].score, elites.all()[i - 1].score);
}

}  // namespace
}  // namespace legwork
