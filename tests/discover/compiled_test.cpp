// Compiled rollouts against batches, bit for bit.

#include "discover/compiled_rollout.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include <legwork/files.h>
#include "base/hash.h"
#include "base/random.h"
#include "discover/equip.h"
#include "discover/evaluate.h"
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

void compare(const Problem& p, int n) {
  const std::vector<Candidate> all = candidates_of(p, n);
  Evaluator batch(p, {1, false, {}, false}), compiled(p, {1, false});
  compiled.compile();
  ASSERT_EQ(compiled.how().rfind("by compiled code", 0), 0u) << compiled.how();
  const std::vector<Evaluation> expected = batch(all), found = compiled(all);
  int diverged = 0, fell = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    diverged += expected[i].status == Status::diverged, fell += expected[i].status == Status::fell;
    EXPECT_EQ(Trials::result_text(found[i]), Trials::result_text(expected[i])) << i;
  }
  std::printf("%d rollouts, %d diverged, %d fell\n", n, diverged, fell);
}

TEST(CompiledRollout, HasTheBitsOfBatches) {
  for (const char* name :
       {"bounder", "crawler", "fish", "luxo", "cart", "walker", "twolink", "threelink", "fourlink", "star"}) {
    SCOPED_TRACE(name);
    compare(problem_of(name, 2), 16);
  }
}

}  // namespace
}  // namespace legwork
