#include "search/genetic.h"

#include <gtest/gtest.h>

#include <cmath>

namespace legwork {
namespace {

double ones(const BitString& b) {
  return (std::popcount(b.words[0]) + std::popcount(b.words[1]) + std::popcount(b.words[2])) / 192.0;
}

TEST(Genetic, FindsTheStringOfOnes) {
  GeneticOptions o;
  o.population = 200, o.iterations = 400;
  const GeneticResult r = evolve(40, ones, o, {.seed = 7});
  EXPECT_EQ(r.fitness, 40 / 192.0);
  EXPECT_EQ(r.best_by_iteration.size(), 400u);
  for (size_t i = 1; i < r.best_by_iteration.size(); ++i)
    EXPECT_GE(r.best_by_iteration[i], r.best_by_iteration[i - 1]);
}

TEST(Genetic, SameSeedGivesTheSameBitsAndAnotherSeedOthers) {
  GeneticOptions o;
  o.population = 30, o.iterations = 5;
  EXPECT_EQ(evolve(60, ones, o, {.seed = 3}).best, evolve(60, ones, o, {.seed = 3}).best);
  EXPECT_FALSE(evolve(60, ones, o, {.seed = 3}).best == evolve(60, ones, o, {.seed = 4}).best);
}

TEST(Genetic, ChoosingTheWorseOfTwoFindsLessThanChoosingTheBetter) {
  GeneticOptions o;
  o.population = 100, o.iterations = 100;
  const double better = evolve(64, ones, o, {.seed = 1}).fitness;
  o.tournament = 0;
  EXPECT_LT(evolve(64, ones, o, {.seed = 1}).fitness, better);
}

TEST(Genetic, HillClimbingNeverGoesDown) {
  GeneticOptions o;
  o.population = 16, o.iterations = 300, o.crossover = 0, o.mutation = 1;
  o.selection = Selection::best;
  const GeneticResult r = evolve(16, ones, o, {.seed = 2});
  EXPECT_EQ(r.fitness, 16 / 192.0) << "on a single hill it reaches the top";
  EXPECT_GT(r.fitness, r.best_by_iteration.front());
}

TEST(Genetic, WithoutMutationAndCrossoverNothingNewAppears) {
  GeneticOptions o;
  o.population = 50, o.iterations = 50, o.crossover = 0, o.mutation = 0;
  const GeneticResult r = evolve(50, ones, o, {.seed = 5});
  EXPECT_EQ(r.best_by_iteration.front(), r.best_by_iteration.back());
  EXPECT_EQ(r.evaluations, 50);
}

TEST(Genetic, MutationChangesTheShareOfCandidatesThatIndependentBitsWould) {
  // In a generation of copies only the changed ones are evaluated: a share of 1 - (1 - 0.5/40)^40.
  GeneticOptions o;
  o.population = 4000, o.iterations = 2, o.crossover = 0, o.mutation = 0.5, o.selection = Selection::best;
  const GeneticResult r = evolve(40, ones, o, {.seed = 11});
  const double share = double(r.evaluations - 4000) / 4000;
  EXPECT_NEAR(share, 1 - std::pow(1 - 0.5 / 40, 40), 0.03);
}

TEST(Genetic, FieldsReadTheFirstBitAsTheMostSignificant) {
  BitString b;
  b.flip(2), b.flip(6), b.flip(7), b.flip(10), b.flip(11);
  EXPECT_EQ(b.field(0, 14), 0b00100011001100u);
  EXPECT_EQ(b.field(6, 2), 3u);
}

TEST(Genetic, BitsNumberAllThings) {
  EXPECT_EQ(bits_for(1), 0);
  EXPECT_EQ(bits_for(2), 1);
  EXPECT_EQ(bits_for(11145), 14);
  EXPECT_EQ(bits_for(3665), 12);
  EXPECT_EQ(bits_for(4096), 12);
}

}  // namespace
}  // namespace legwork
