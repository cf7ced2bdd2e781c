// Compiled rollouts against batches, bit for bit.

#include "discover/compiled_rollout.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include <legwork/files.h>
#include "base/hash.h"
#include "base/random.h"
#include "discover/equip.h"
#include "discover/evaluate.h"
#include "discover/gpu_rollout.h"
#include "discover/trials.h"

namespace legwork {
namespace {

Problem problem_of(const std::string& creature, double seconds, DiscoverOptions options = {}) {
  World world = load_world(creature);
  world.body = equip(world.body).body;
  options.seconds = seconds;
  StepOptions step = choose_step(make_system(world), world.integrator, world.dt);
  step.max_gain = 0.1;
  return make_problem(std::move(world), options, step);
}

// Every other one with numbers of its own.
std::vector<Candidate> candidates_of(const Problem& p, int n) {
  std::vector<Candidate> all(std::size_t(n), Candidate{});
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k].weights = random_weights(p.shape, 5, k);
    if (k % 2 == 0) continue;
    Random random(6, k);
    all[k].parameters = nominal(p);
    for (std::size_t i = 0; i < all[k].parameters.size(); ++i)
      all[k].parameters[i] = random.uniform(p.parameters[i].variable.lower, p.parameters[i].variable.upper);
  }
  return all;
}

std::string text_of(const std::vector<Evaluation>& all) {
  std::string text;
  for (const Evaluation& e : all) text += Trials::result_text(e) + "\n";
  return text;
}

// Compares all that compilers make with what batches give, and returns its hash.
std::string compare(const Problem& p, int n, const std::vector<std::string>& compilers = {"gcc", "clang"}) {
  const std::vector<Candidate> all = candidates_of(p, n);
  const std::string expected = text_of(Evaluator(p, {1, false, {}, false})(all));
  for (const std::string& compiler : compilers) {
    setenv("LEGWORK_CC", compiler.c_str(), 1);
    Evaluator compiled(p, {1, false});
    compiled.compile();
    EXPECT_EQ(compiled.how().rfind("by compiled code", 0), 0u) << compiler << ": " << compiled.how();
    EXPECT_EQ(text_of(compiled(all)), expected) << compiler;
  }
  unsetenv("LEGWORK_CC");
  return hex(hash_of(expected));
}

TEST(CompiledRollout, HasTheBitsOfBatchesFromBothCompilersForTheTenOfTableOne) {
  const std::map<std::string, std::string> golden = {
      {"bounder", "7fc699d0fd005be8"}, {"crawler", "dd2d41622bcea0ff"},   {"fish", "693e8377f5fb7ac7"},
      {"luxo", "c16bcee203160dfd"},    {"cart", "e29362691ecb065b"},      {"walker", "720fad4931e7cb40"},
      {"twolink", "0c1822d54ea58e6a"}, {"threelink", "2137ae8d46b13937"}, {"fourlink", "96fb592cf2b44852"},
      {"star", "5bbf3b7d5a5f0fcc"}};
  for (const auto& [name, hash] : golden) {
    SCOPED_TRACE(name);
    EXPECT_EQ(compare(problem_of(name, 1.5), 8), hash);
  }
}

TEST(CompiledRollout, BodiesThatDifferInSizeAndMassAreNumbersOfOneCode) {
  DiscoverOptions options;
  options.tune_body = options.tune_springs = true;
  compare(problem_of("bounder", 1, options), 11, {"gcc"});
}

TEST(CompiledRollout, FallsEndARolloutAndCurvesAreSummed) {
  DiscoverOptions options;
  options.metric = "upright";
  compare(problem_of("walker", 3, options), 16, {"gcc"});
  options.metric = "distance / (1 + energy) + apart + turns";
  compare(problem_of("star", 3, options), 8, {"gcc"});
  DiscoverOptions pursuit;
  pursuit.metric = "pursuit";
  compare(problem_of("crawler", 3, pursuit), 16, {"gcc"});
}

TEST(CompiledRollout, WhatCannotBeCompiledRunsInBatchesAndSaysWhy) {
  Problem rough = problem_of("cart", 0.5);
  rough.world.terrain = parse_terrain("steps:0.05,0.3");
  const std::vector<Candidate> all = candidates_of(rough, 3);
  Evaluator evaluator(rough, {1, false});
  evaluator.compile();
  EXPECT_EQ(evaluator.how(), "in batches, since ground that is not a plane cannot be compiled");
  EXPECT_EQ(text_of(evaluator(all)), text_of(Evaluator(rough, {1, false, {}, false})(all)));
}

TEST(CompiledRollout, WithoutACompilerBatchesDoIt) {
  setenv("LEGWORK_CC", "none", 1);
  const Problem p = problem_of("cart", 0.5);
  Evaluator evaluator(p, {1, false});
  evaluator.compile();
  unsetenv("LEGWORK_CC");
  EXPECT_EQ(evaluator.how(), "in batches, since there is no C compiler (cc, gcc or clang)");
  const std::vector<Candidate> all = candidates_of(p, 3);
  EXPECT_EQ(text_of(evaluator(all)), text_of(Evaluator(p, {1, false, {}, false})(all)));
}

TEST(CompiledRollout, WithoutAGraphicsProcessorTheProcessorDoesIt) {
  std::string why;
  if (!find_gpu(why).name.empty()) GTEST_SKIP() << "there is one";
  const Problem p = problem_of("cart", 0.5);
  Evaluator evaluator(p, {1, false, {}, true, true});
  EXPECT_EQ(evaluator.how(),
            "not on a graphics processor, since no graphics processor is found; here in batches");
  EXPECT_EQ(evaluator(candidates_of(p, 3)).size(), 3u);
}

TEST(CompiledRollout, TheTextForAGraphicsProcessorNamesNothingOfTheLibrary) {
  const Problem p = problem_of("cart", 0.5);
  const std::string source = gpu_source(p, record_rollout(p));
  EXPECT_EQ(source.find("#include \"legwork"), std::string::npos);
  EXPECT_EQ(source.find("std::"), std::string::npos);
  EXPECT_NE(source.find("static __device__ long legwork_find_cycle"), std::string::npos);
}

}  // namespace
}  // namespace legwork
