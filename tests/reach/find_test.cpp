#include "reach/find.h"

#include <gtest/gtest.h>

#include <cmath>

#include <legwork/files.h>
#include "base/meter.h"
#include "math/real.h"
#include "reach/genetic_jobs.h"

namespace legwork::reaching {
namespace {

constexpr double deg = pi / 180;

Problem problem(const std::string& creature, const std::string& limb, double resolution, double step,
                int boxes = 30) {
  const Creature c = load_creature(creature);
  Problem p;
  p.measure.step = step;
  p.ways = ways_of(step, 0.6, StepOf::stance);
  p.trunk_tolerance = 8 * deg;
  for (Girdle& girdle : girdles_of(c, limb)) {
    GirdleProblem g;
    g.girdle = girdle;
    g.foot = planted(g.girdle.limb, {});
    g.space = explore(g.girdle.limb, g.foot, make_grid(g.girdle.limb, resolution * deg, 0.1), 2);
    g.boxes = organise(g.space, boxes, 2);
    g.constrained = constrain(g.space, g.boxes, p.ways.half, 5 * deg, 2);
    g.candidates = make_candidates(g.girdle.limb, g.space, g.boxes, g.constrained, p.ways, p.measure);
    p.girdles.push_back(std::move(g));
  }
  for (size_t k = 1; k < p.girdles.size(); ++k)
    p.girdles[k].trunk = make_trunk(c, p.girdles[0].girdle, p.girdles[k].girdle, 11);
  constrain_by_trunk(p);
  return p;
}

Found find_genetic(const Problem& p, const GeneticOptions& options, const Run& run) {
  Meter meter(run, "searching", 1);
  return best_of(p, {search_genetic(p, options, run, 0, meter)});
}

TEST(Find, TheExactOptimumOfABipedIsThatOfBruteForce) {
  const Problem p = problem("triceratops", "hind", 9, 0.55);
  const Candidates& c = p.girdles[0].candidates;
  ASSERT_GT(c.back.size(), 10u);
  double best = 1e300;
  for (const std::uint32_t rd : c.back) {
    const auto [from, to] = c.partners(rd);
    for (std::uint32_t rlu = from; rlu < to; ++rlu) best = std::min(best, c.error(rd, rlu));
  }
  const Found exact = find_exact(p, {}, 60);
  EXPECT_TRUE(exact.proven);
  EXPECT_DOUBLE_EQ(exact.choice.error, best);
  EXPECT_DOUBLE_EQ(exact.bound, exact.fitness);
}

TEST(Find, TheExactSearchIsNeverBelowTheGenetic) {
  for (const char* name : {"apatosaurus", "triceratops", "wills_dog"}) {
    const Problem p = problem(name, "hind", 8, 0.3);
    ASSERT_TRUE(has_gait(p.girdles[0].candidates)) << name;
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      GeneticOptions o;
      o.population = 60, o.iterations = 60;
      const Found genetic = find_genetic(p, o, {.seed = seed});
      const Found exact = find_exact(p, genetic.choice, 60);
      EXPECT_GE(exact.fitness, genetic.fitness) << name << " " << seed;
      EXPECT_LE(genetic.fitness, exact.bound);
      EXPECT_TRUE(exact.proven);
    }
  }
}

TEST(Find, OfSeveralSearchesTheBestCountsAndEachReadsBackAsItWas) {
  const Problem p = problem("apatosaurus", "hind", 8, 0.3);
  GeneticOptions o;
  o.population = 20, o.iterations = 10, o.searches = 4;
  const legwork::Run run;
  Meter meter(run, "searching", 1);
  std::vector<GeneticResult> all;
  double best = 0;
  long evaluations = 0;
  for (int i = 0; i < o.searches; ++i) {
    all.push_back(search_genetic(p, o, run, i, meter));
    best = std::max(best, all.back().fitness), evaluations += all.back().evaluations;
  }
  EXPECT_NE(all[0].best_by_iteration, all[1].best_by_iteration) << "other random numbers";
  const Found found = best_of(p, all);
  EXPECT_EQ(found.fitness, best);
  EXPECT_EQ(found.nodes, evaluations);
  for (const GeneticResult& result : all) {
    GeneticResult read;
    ASSERT_TRUE(parse_search(search_text(result), p, o.iterations, read));
    EXPECT_EQ(read.best, result.best);
    EXPECT_EQ(read.fitness, result.fitness);
    EXPECT_EQ(read.evaluations, result.evaluations);
    EXPECT_EQ(read.best_by_iteration, result.best_by_iteration);
    GeneticResult flattered = result;
    flattered.fitness *= 1.01;
    EXPECT_FALSE(parse_search(search_text(flattered), p, o.iterations, read)) << "not the gait's fitness";
    EXPECT_FALSE(parse_search(search_text(result) + " 3", p, o.iterations, read));
    EXPECT_FALSE(parse_search(search_text(result), p, o.iterations + 1, read));
  }
  EXPECT_EQ(parse_search_job(search_job({2, 7})).search, 7);
  EXPECT_EQ(parse_search_job(search_job({2, 7})).widened, 2);
  EXPECT_ANY_THROW(parse_search_job("seven"));
}

TEST(Find, TheExactOptimumOfAQuadrupedIsThatOfBruteForce) {
  const Problem p = problem("apatosaurus", "", 13, 0.5, 16);
  const Candidates& first = p.girdles[0].candidates;
  ASSERT_FALSE(first.back.empty());
  const Found exact = find_exact(p, {}, 120);
  // every pair of the first girdle with every pair of the second that the decoder could name
  const GirdleProblem& g = p.girdles[1];
  std::vector<char> back(g.candidates.size());
  for (const std::uint32_t i : g.candidates.back) back[i] = 1;
  TrunkReach at_rd(g.trunk, g.candidates, g.boxes, p.trunk_tolerance, &back);
  TrunkReach at_rlu(g.trunk, g.candidates, g.boxes, p.trunk_tolerance);
  double best = 1e300;
  for (const std::uint32_t rd : first.back) {
    const auto [from, to] = first.partners(rd);
    for (std::uint32_t rlu = from; rlu < to; ++rlu) {
      RootPose later = root_at(first.pose[rd], first.pose[rlu], p.duty, p.ipsilateral + p.duty - 0.5);
      later.at.x += p.ways.dual;
      const auto& list = at_rd.list(root_at(first.pose[rd], first.pose[rlu], p.duty, p.ipsilateral));
      for (const std::uint32_t a : list)
        for (const std::uint32_t b : at_rlu.list(later))
          if (std::abs(g.candidates.slice[b] - g.candidates.slice[a] - g.candidates.dual_slices) <= 1)
            best = std::min(best, first.error(rd, rlu) + g.candidates.error(a, b));
    }
  }
  if (best > 1e299) {
    EXPECT_FALSE(exact.choice.valid());
  } else {
    EXPECT_TRUE(exact.proven);
    EXPECT_NEAR(exact.choice.error, best, 1e-9 * best);
  }
}

TEST(Find, ABudgetThatRunsOutStillCertifiesABound) {
  const Problem p = problem("apatosaurus", "", 10, 0.5);
  GeneticOptions o;
  o.population = 50, o.iterations = 30;
  const Found genetic = find_genetic(p, o, {});
  const Found exact = find_exact(p, genetic.choice, 0);
  EXPECT_GE(exact.bound, genetic.fitness);
  EXPECT_GE(exact.fitness, genetic.fitness);
  const Found longer = find_exact(p, genetic.choice, 3);
  EXPECT_LE(longer.bound, exact.bound * (1 + 1e-12));
}

TEST(Find, ABudgetThatRunsOutEndsTheSearchAtTheSamePairEveryTime) {
  const Problem p = problem("apatosaurus", "", 10, 0.5);
  for (const double budget : {0.0, 1e-5, 1e-4, 1e-3}) {
    const Found one = find_exact(p, {}, budget), two = find_exact(p, {}, budget);
    EXPECT_EQ(one.nodes, two.nodes) << budget;
    EXPECT_EQ(one.choice.error, two.choice.error) << budget;
    EXPECT_EQ(one.bound, two.bound) << budget;
  }
  EXPECT_LT(find_exact(p, {}, 1e-5).nodes, find_exact(p, {}, 60).nodes);
}

TEST(Find, TheRootMovesThroughItsEventsAndTheirImages) {
  const RootPose rd{{-0.5, 0.02, 0.01}, {0.1, 0.2, 0.3}}, rlu{{-0.4, 0.01, 0.03}, {0.0, 0.1, -0.1}};
  EXPECT_NEAR(root_at(rd, rlu, 0.6, 0).turns.yaw, 0.2, 1e-12);
  EXPECT_NEAR(root_at(rd, rlu, 0.6, 0.1).turns.roll, -0.1, 1e-12);
  EXPECT_NEAR(root_at(rd, rlu, 0.6, 0.5).at.y, -0.02, 1e-12);
  EXPECT_NEAR(root_at(rd, rlu, 0.6, 0.6).turns.yaw, -0.1, 1e-12);
  EXPECT_NEAR(root_at(rd, rlu, 0.6, 0.3).at.x, -0.5, 1e-12) << "set back to RD's";
}

}  // namespace
}  // namespace legwork::reaching
