#include "evolve/population.h"

#include <gtest/gtest.h>

#include <set>

namespace legwork::evolution {
namespace {

Member member(std::uint64_t number, int born, double score, int legs = 4) {
  Plan plan;
  plan.legs = legs;
  return {number, born, score, plan};
}

TEST(Population, EveryPlanKeepsItsBest) {
  Population population(3);
  population.add({member(0, 0, 1, 2), member(1, 0, 5, 4), member(2, 0, 3, 4)}, 0);
  ASSERT_EQ(population.best().size(), 2u);
  EXPECT_EQ(population.best()[0].number, 1u);
  EXPECT_EQ(population.best()[1].number, 0u);
  EXPECT_FALSE(population.has(2)) << "as old as the better one";
}

TEST(Population, TheYoungAreProtectedForAWhile) {
  Population population(3);
  population.add({member(0, 0, 10)}, 0);
  population.add({member(1, 1, 2)}, 1);
  EXPECT_TRUE(population.has(1)) << "worse, but younger";
  population.add({member(2, 1, 4)}, 2);  // the same body, searched further
  EXPECT_TRUE(population.has(2));
  EXPECT_FALSE(population.has(1)) << "its child is better and as young";
  population.add({}, 3);
  EXPECT_TRUE(population.has(2));
  population.add({}, 4);
  EXPECT_FALSE(population.has(2)) << "three generations were not enough";
  EXPECT_TRUE(population.has(0)) << "the best stays for ever";
}

TEST(Population, ParentsComeOfEveryPlanAndMoreOftenOfTheBetter) {
  Population population(3);
  population.add({member(0, 0, 1, 2), member(1, 0, 5, 4), member(2, 0, 3, 6)}, 0);
  int chosen[3] = {};
  for (std::uint64_t i = 0; i < 300; ++i) {
    Random random(1, i);
    ++chosen[population.choose(random).number];
  }
  EXPECT_GT(chosen[0], 10);
  EXPECT_GT(chosen[2], chosen[0]);
  EXPECT_GT(chosen[1], chosen[2]);
}

}  // namespace
}  // namespace legwork::evolution
