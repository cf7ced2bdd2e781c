// Tasks for learners, and rollouts.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include <legwork/legwork.h>
#include "tests/scenes/same.h"

namespace legwork {
namespace {

using Rows = std::span<const double>;

std::vector<double> actions_of(int rows, size_t width, int step) {
  std::vector<double> actions;
  for (int i = 0; i < rows; ++i)
    for (size_t k = 0; k < width; ++k) actions.push_back(std::sin(0.3 * step + double(k) + i));
  return actions;
}

TEST(Environment, TheSameSeedGivesTheSameBitsForAnyNumberOfThreads) {
  const World world = load_world("dog");
  Environment one(world, {}, 11, 1), two(world, {}, 11, 2);
  one.reset({}, 5), two.reset({}, 5);
  expect_same_bits(one.observation(), two.observation());
  for (int n = 0; n < 20; ++n) {
    const std::vector<double> actions = actions_of(11, one.actions().size(), n);
    one.step(actions), two.step(actions);
    expect_same_bits(one.observation(), two.observation());
    expect_same_bits(one.reward(), two.reward());
  }
  two.reset({}, 6);
  EXPECT_NE(one.observation()[20], two.observation()[20]);
}

TEST(Environment, BodiesOfABatchStartDifferentlyAndAnEpisodeIsNotRepeated) {
  Environment env(load_world("dog"), {}, 3);
  const size_t n = env.observations().size();
  const std::vector<double> first(env.observation().begin(), env.observation().end());
  bool differ = false;
  for (size_t k = 0; k < n; ++k) differ = differ || first[k] != first[n + k];
  EXPECT_TRUE(differ);
  env.reset();
  EXPECT_NE(first, std::vector<double>(env.observation().begin(), env.observation().end()));
}

TEST(Environment, AWalkIsPaidForItsDistanceInHipHeights) {
  Environment env(load_world("bounder"), {.effort = 0});
  double paid = 0;
  for (int n = 0; n < 60 && !env.terminated()[0]; ++n) {
    env.step(actions_of(1, env.actions().size(), n));
    paid += env.reward()[0];
  }
  const double height = hip_height(env.world().body);
  if (height > 0) EXPECT_NEAR(paid * height, env.distance()[0], 1e-9);
  EXPECT_GT(std::fabs(env.distance()[0]), 1e-3);
}

TEST(Environment, ADogThatStandsStillIsTruncatedAndOneThatIsPushedOverIsTerminated) {
  Environment env(load_world("dog"), {.task = TaskOptions::Task::stand, .seconds = 0.5});
  std::vector<double> still(env.actions().size(), 0.0);
  int n = 0;
  for (; n < 100 && !env.truncated()[0] && !env.terminated()[0]; ++n) env.step(still);
  EXPECT_EQ(n, 15);
  EXPECT_TRUE(env.truncated()[0]);
  EXPECT_GT(env.reward()[0], 0);

  Environment falls(load_world("dog", {.push = {"0,900,0@0.1+0.2"}}), {.seconds = 20});
  for (n = 0; n < 600 && !falls.terminated()[0]; ++n) falls.step(still);
  EXPECT_TRUE(falls.terminated()[0]);
  const std::vector<double> stays(falls.observation().begin(), falls.observation().end());
  falls.step(still);
  EXPECT_EQ(falls.reward()[0], 0);
  expect_same_bits(falls.observation(), stays);
}

TEST(Environment, ActionsAtTheEndsAreTheEndsOfTheActuatorsRange) {
  Environment env(load_world("bounder"), {.noise = 0});
  const auto& actuator = env.world().body.actuators[0];
  EXPECT_EQ(env.actions()[0].lower, actuator.lower);
  EXPECT_EQ(env.actions()[0].upper, actuator.upper);
}

TEST(Environment, BadArgumentsAreErrors) {
  Environment env(load_world("bounder"));
  EXPECT_THROW(env.step(std::vector<double>{1}), Error);
  EXPECT_THROW(env.step(std::vector<double>(env.actions().size(), std::nan(""))), Error);
  EXPECT_THROW(Environment(load_world("bounder"), {.hz = -1}), Error);
  EXPECT_THROW(Environment(load_world("bounder"), {}, 0), Error);
  EXPECT_THROW(Environment(load_world("table")), Error);
}

TEST(Rollout, HasTheBitsOfPhysicsForAnyNumberOfThreads) {
  World world = load_world("dog");
  world.body = equipped(world.body);
  const int count = 13, steps = 12;
  const size_t nu = world.body.actuators.size();
  std::vector<double> controls;
  for (int i = 0; i < count * steps; ++i)
    for (size_t k = 0; k < nu; ++k) {
      const Actuator& a = world.body.actuators[k];
      controls.push_back(0.5 * (a.lower + a.upper) +
                         0.1 * (a.upper - a.lower) * std::sin(double(i) + double(k)));
    }
  const Rollouts one = rollout(world, controls, count, steps, {}, {}, {.threads = 1}),
                 two = rollout(load_world("dog"), controls, count, steps, {}, {}, {.threads = 2});
  expect_same_bits(one.states, two.states);
  expect_same_bits(one.rewards, two.rewards);
  World timed = world;
  timed.rate = 30;
  for (const int i : {0, 7, 12}) {
    Physics physics(timed);
    for (int n = 0; n < steps; ++n) {
      for (size_t k = 0; k < nu; ++k)
        physics.target()[k] = controls[(size_t(i) * steps + size_t(n)) * nu + k];
      physics.step(physics.frame_steps());
      const Rows state =
          Rows(one.states)
              .subspan((size_t(i) * steps + size_t(n)) * size_t(one.nq + one.nv), size_t(one.nq + one.nv));
      expect_same_bits(physics.q(), state.first(size_t(one.nq)));
      expect_same_bits(physics.v(), state.last(size_t(one.nv)));
    }
  }
}

TEST(Rollout, TorquesAndStartsAreTheCallers) {
  const World world = load_world("box");
  std::vector<double> controls(2 * 3 * 6, 0.0), start;
  const std::vector<double> q = world.body.pose("");
  for (const double height : {5.0, 9.0}) {
    start.insert(start.end(), q.begin(), q.end());
    start[start.size() - q.size() + 2] = height;
    start.resize(start.size() + 6, 0.0);
  }
  const Rollouts out = rollout(world, controls, 2, 3, {.hz = 100, .torques = true}, start);
  const size_t width = size_t(out.nq + out.nv);
  EXPECT_NEAR(out.states[2], 5, 0.01);
  EXPECT_NEAR(out.states[3 * width + 2], 9, 0.01);
  EXPECT_NEAR(out.states[2 * width + size_t(out.nq) + 2], -9.81 * 0.03, 1e-9);
}

TEST(Rollout, BadArgumentsAreErrorsAndAStopStops) {
  const World world = load_world("bounder");
  const size_t nu = world.body.actuators.size();
  std::vector<double> controls(4 * nu, 0.0);
  EXPECT_THROW(rollout(world, controls, 4, 2), Error);
  EXPECT_THROW(rollout(world, controls, 4, 1, {}, std::vector<double>{1, 2}), Error);
  controls[1] = INFINITY;
  EXPECT_THROW(rollout(world, controls, 4, 1), Error);
  controls[1] = 0;
  struct Run run;
  run.stop = [] { return true; };
  EXPECT_THROW(rollout(world, controls, 4, 1, {}, {}, run), Stopped);
}

TEST(CreatureText, ReadsBackAsTheSameBody) {
  const Creature dog = load_creature("dog");
  const std::string text = creature_text(dog);
  EXPECT_EQ(creature_text(parse_creature(text, "dog again")), text);
  const World world = world_of(parse_creature(text, "dog again"), {.terrain = "slope:5deg"});
  EXPECT_EQ(world.terrain.type, TerrainType::slope);
}

}  // namespace
}  // namespace legwork
