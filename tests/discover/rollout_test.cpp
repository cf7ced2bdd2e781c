#include "discover/rollout.h"

#include <gtest/gtest.h>

#include <cmath>

#include <legwork/files.h>
#include "base/random.h"
#include "discover/discover.h"
#include "discover/equip.h"
#include "discover/seed.h"
#include "discover/words.h"

namespace legwork {
namespace {

Problem problem_of(const std::string& creature, double seconds, DiscoverOptions options = {},
                   const std::optional<FollowPath>& follow = {}) {
  World world = load_world(creature);
  world.body = equip(world.body).body;
  options.seconds = seconds;
  StepOptions step = choose_step(make_system(world));
  step.max_gain = 0.1;
  return make_problem(std::move(world), options, step, follow);
}

std::vector<Candidate> random_candidates(const Problem& p, int n) {
  std::vector<Candidate> all(static_cast<size_t>(n));
  for (int k = 0; k < n; ++k) {
    Random random(5, std::uint64_t(k));
    for (int i = 0; i < p.shape.weights(); ++i) all[k].weights.push_back(std::int8_t(random.index(5) - 2));
    if (k % 2 == 0) continue;
    all[k].parameters = nominal(p);
    for (size_t i = 0; i < all[k].parameters.size(); ++i) {
      const Variable& v = p.parameters[i].variable;
      all[k].parameters[i] = random.uniform(v.lower, v.upper);
    }
  }
  return all;
}

void expect_same(const Evaluation& a, const Evaluation& b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.score, b.score);
  EXPECT_EQ(a.distance, b.distance);
  EXPECT_EQ(a.period, b.period);
  EXPECT_EQ(a.descriptor, b.descriptor);
}

TEST(Problem, TheBounderHas240WeightsAnd44Numbers) {
  const Problem p = problem_of("bounder", 6);
  EXPECT_EQ(p.world.body.links.size(), 5u);
  EXPECT_EQ(p.shape.sensors, 8);
  EXPECT_EQ(p.shape.actuators, 4);
  EXPECT_EQ(p.shape.weights(), 240);
  EXPECT_EQ(p.parameters.size(), 44u);
}

TEST(Rollout, BatchScalarAndAnyNumberOfThreadsGiveTheSameBits) {
  for (const char* name : {"bounder", "fish", "cart"}) {
    SCOPED_TRACE(name);
    const Problem p = problem_of(name, 1);
    const std::vector<Candidate> candidates = random_candidates(p, 11);
    const std::vector<Evaluation> batch = Evaluator(p, {1, false})(candidates);
    const std::vector<Evaluation> threads = Evaluator(p, {3, false})(candidates);
    const std::vector<Evaluation> scalar = Evaluator(p, {2, true})(candidates);
    for (size_t i = 0; i < candidates.size(); ++i) {
      SCOPED_TRACE(i);
      expect_same(batch[i], threads[i]);
      expect_same(batch[i], scalar[i]);
    }
  }
}

TEST(Rollout, BodiesThatDifferInSizeAndMassGiveTheSameBitsInABatch) {
  DiscoverOptions options;
  options.tune_body = options.tune_springs = true;
  const Problem p = problem_of("bounder", 0.5, options);
  EXPECT_EQ(p.parameters.size(), 44u + 4 + 2 * 5) << "four springs that may grow, five links";
  const std::vector<Candidate> candidates = random_candidates(p, 5);
  const std::vector<Evaluation> batch = Evaluator(p, {1, false})(candidates),
                                scalar = Evaluator(p, {1, true})(candidates);
  for (size_t i = 0; i < candidates.size(); ++i) expect_same(batch[i], scalar[i]);
}

TEST(Rollout, TheRecordedMotionIsTheOneThatWasEvaluated) {
  const Problem p = problem_of("bounder", 2);
  const std::vector<Candidate> candidates = random_candidates(p, 8);
  const std::vector<Evaluation> batch = Evaluator(p, {1, false})(candidates);
  for (size_t i = 0; i < candidates.size(); ++i) {
    const Motion motion = record_motion(p, candidates[i]);
    if (batch[i].status != Status::ok) continue;
    const std::vector<double>& com = motion.channel("center of mass")->values;
    const double dx = com[com.size() - 3] - com[0], dy = com[com.size() - 2] - com[1];
    EXPECT_NEAR(std::hypot(dx, dy), batch[i].distance, 1e-12);
  }
}

TEST(Rollout, MetricsAreFormulasOfWhatHappened) {
  const Problem base = problem_of("bounder", 1);
  const std::vector<Candidate> candidates = random_candidates(base, 8);
  const std::vector<Evaluation> distance = Evaluator(base, {1, false})(candidates);
  DiscoverOptions options;
  options.metric = "2 * distance + seconds";
  const Problem formula = problem_of("bounder", 1, options);
  const std::vector<Evaluation> other = Evaluator(formula, {1, false})(candidates);
  for (size_t i = 0; i < candidates.size(); ++i)
    if (distance[i].status == Status::ok) EXPECT_NEAR(other[i].score, 2 * distance[i].score + 1, 1e-12);
  options.metric = "distanse";
  EXPECT_THROW(problem_of("bounder", 1, options), Error);
}

// The crawler lies on the ground; the bounder stands on its feet.
TEST(Rollout, WhatDragsItsTrunkDoesNotStand) {
  const auto drag = [](const std::string& creature) {
    DiscoverOptions options;
    options.metric = "drag";
    const Problem p = problem_of(creature, 0.5, options);
    const Candidate still{std::vector<std::int8_t>(size_t(p.shape.weights()), 0), {}};
    return Evaluator(p, {1, false})({still})[0].score;
  };
  EXPECT_NEAR(drag("crawler"), 1, 0.1);
  EXPECT_EQ(drag("bounder"), 0);
}

TEST(Rollout, PursuitIsTheMeanOverTheCurvesAndNotLookedAtOnceNothingIsGained) {
  const double seconds = 3;
  const Problem all = problem_of("crawler", seconds);
  ASSERT_EQ(all.follow.size(), 4u);
  const std::vector<Candidate> candidates = random_candidates(all, 24);
  const std::vector<Evaluation> mean = Evaluator(all, {1, false})(candidates);
  std::vector<std::vector<Evaluation>> each;
  for (const FollowPath& curve : all.follow) {
    each.push_back(Evaluator(problem_of("crawler", seconds, {}, curve), {1, false})(candidates));
  }
  int whole = 0;
  for (size_t i = 0; i < candidates.size(); ++i) {
    double sum = 0;
    size_t k = 0;
    do sum += each[k++][i].score / 4;
    while (k < 4 && sum > 0);
    EXPECT_NEAR(mean[i].score, sum, 1e-12);
    EXPECT_EQ(mean[i].descriptor, each[0][i].descriptor);
    whole += k == 4 && sum > 0;
  }
  EXPECT_GT(whole, 0);
}

// The integral of v . F: a body that is carried straight towards a fixed point gains the distance it covers.
TEST(Rollout, PursuitOfAStillPointIsWhatTheDistanceShrinksBy) {
  const Problem p = problem_of("crawler", 3, {}, FollowPath{{0}, {{3, 1, 0}}});
  for (const Candidate& c : random_candidates(p, 8)) {
    const Motion motion = record_motion(p, c);
    const std::vector<double>& com = motion.channel("center of mass")->values;
    const auto apart = [&](size_t at) { return std::hypot(3 - com[at], 1 - com[at + 1]); };
    EXPECT_NEAR(Evaluator(p, {1, true})({c}).front().score, apart(0) - apart(com.size() - 3), 2e-3);
  }
}

TEST(Rollout, EnergyFromNowhereIsRejected) {
  Problem p = problem_of("bounder", 1);
  const std::vector<Candidate> candidates = random_candidates(p, 4);
  // an explicit step far longer than the servos and the ground allow
  p.step.integrator = Integrator::euler;
  p.step.dt = 1.0 / 60;
  for (const Evaluation& e : Evaluator(p, {1, false})(candidates)) {
    EXPECT_EQ(e.status, Status::diverged);
    EXPECT_EQ(e.score, 0);
  }
}

TEST(Seed, ABodysOwnNetworksComeOverUnchangedAndASimplerOnesInPart) {
  const Problem p = problem_of("bounder", 1);
  for (const Candidate& own : random_candidates(p, 2)) {
    const Candidate same = carry_over(p, own, p);
    EXPECT_EQ(same.weights, own.weights);
    EXPECT_EQ(same.parameters, own.parameters);
    EXPECT_EQ(hidden_of(own.weights.size(), p.shape.sensors, p.shape.actuators), p.shape.hidden);
  }
  const Problem cart = problem_of("cart", 1);
  const Candidate other = carry_over(p, random_candidates(p, 2)[1], cart);
  EXPECT_EQ(int(other.weights.size()), cart.shape.weights());
  EXPECT_EQ(other.parameters.size(), cart.parameters.size());
  for (size_t i = 0; i < other.parameters.size(); ++i) {
    const Variable& v = cart.parameters[i].variable;
    EXPECT_TRUE(other.parameters[i] >= v.lower - 1e-9 && other.parameters[i] <= v.upper + 1e-9) << v.name;
  }
}

TEST(Equip, ABodyWithoutSensorsAndActuatorsGetsThem) {
  Creature c = load_creature("hexapod");
  c.sensors.clear(), c.actuators.clear();
  const Equipped e = equip(c);
  EXPECT_EQ(e.body.actuators.size(), size_t(c.nv() - 6));
  EXPECT_EQ(e.told.size(), 2u);
  int touch = 0, angle = 0;
  for (const Sensor& s : e.body.sensors)
    touch += s.type == SensorType::touch, angle += s.type == SensorType::angle;
  EXPECT_EQ(touch, int(c.legs.size()));
  EXPECT_EQ(angle, 2 * (c.nv() - 6));
  for (const Actuator& a : e.body.actuators) EXPECT_TRUE(a.ks > 0 && a.lower < a.upper) << a.name;
}

// Beyond half a turn a rotation vector jumps to the other side, and an actuator would push on for ever.
TEST(Equip, CommandsOfABallJointStayWithinHalfATurn) {
  const Creature c = equip(load_creature("ragdoll")).body;
  int balls = 0, dof = 0;
  for (const Link& link : c.links)
    for (const Joint& joint : link.joints) {
      double farthest = 0;
      for (const Actuator& a : c.actuators)
        if (a.dof >= dof && a.dof < dof + nv(joint))
          farthest += std::pow(std::max(std::fabs(a.lower), std::fabs(a.upper)), 2);
      if (joint.type == JointType::ball) {
        ++balls;
        EXPECT_LT(std::sqrt(farthest), 3.1) << link.name;
      }
      dof += nv(joint);
    }
  EXPECT_GT(balls, 4);
  const Problem p = problem_of("ragdoll", 1);
  for (const Evaluation& e : Evaluator(p, {1, false})(random_candidates(p, 1)))
    EXPECT_EQ(e.status, Status::ok);
}

TEST(Problem, ASpringThatGrowsRestsAsTheBodyStands) {
  DiscoverOptions options;
  options.tune_springs = true;
  const Problem p = problem_of("luxo", 1, options);
  std::vector<double> values = nominal(p);
  int springs = 0;
  for (size_t i = 0; i < values.size(); ++i)
    if (p.parameters[i].kind == ParameterKind::spring_stiffness) {
      EXPECT_EQ(values[i], 0);
      values[i] = p.parameters[i].variable.upper, ++springs;
    }
  ASSERT_EQ(springs, 2);
  const Creature body = express(p, values).body;
  const std::vector<double> stand = stand_positions(body);
  for (const Actuator& a : body.actuators) {
    const Spring& spring = body.dofs()[size_t(a.dof)]->spring;
    EXPECT_EQ(spring.type, SpringType::linear);
    EXPECT_EQ(spring.stiffness, p.world.body.actuators[0].ks);
    EXPECT_EQ(spring.rest, stand[size_t(a.dof)]);
  }
}

std::string verdict(Creature c) {
  try {
    equip(c);
    return "";
  } catch (const Error& e) {
    return e.what();
  }
}

TEST(Equip, ABodyThatCannotMoveIsToldWhy) {
  EXPECT_NE(verdict(load_creature("box")).find("has no joint that an actuator could move"),
            std::string::npos);
  EXPECT_NE(verdict(load_creature("pendulum")).find("cannot travel"), std::string::npos);
}

TEST(Words, ACandidateIsAWordThatReadsBackExactly) {
  const Problem p = problem_of("bounder", 1);
  for (const Candidate& c : random_candidates(p, 4)) {
    const Candidate back = parse_candidate(to_text(c), p);
    EXPECT_EQ(back.weights, c.weights);
    EXPECT_EQ(back.parameters, c.parameters);
  }
  EXPECT_THROW(parse_candidate("0123", p), Error);
  EXPECT_THROW(parse_candidate("012x", p), Error);
}

// Keeps records in memory, and stops the search after a given number of them.
struct Memory : Ledger {
  std::vector<Record> records;
  size_t most = 1000000;
  const Record* find(std::uint64_t number) override {
    for (const Record& r : records)
      if (r.number == number) return &r;
    return nullptr;
  }
  void keep(const std::vector<Record>& more) override {
    for (const Record& r : more) EXPECT_EQ(find(r.number), nullptr) << r.number << " was kept twice";
    records.insert(records.end(), more.begin(), more.end());
  }
  void keep_gaits(const std::vector<GaitRecord>&) override {}
};

TEST(Discover, AStoppedSearchGoesOnToTheSameResultForAnyThreads) {
  const Problem p = problem_of("cart", 1);
  DiscoverOptions options;
  options.random = 96, options.vary = 64, options.gaits = 4, options.tune = 3;
  const Findings whole = search_gaits(p, options, {.seed = 7, .threads = 1});
  Memory memory;
  const legwork::Run stopped{.seed = 7, .threads = 2, .stop = [&] { return memory.records.size() > 100; }};
  EXPECT_THROW(search_gaits(p, options, stopped, {}, &memory), Stopped);
  options.scalar = true;
  const Findings again = search_gaits(p, options, {.seed = 7, .threads = 2}, {}, &memory);
  ASSERT_EQ(again.gaits.size(), whole.gaits.size());
  ASSERT_GT(whole.gaits.size(), 0u);
  EXPECT_LT(again.simulated, whole.simulated);
  for (const FoundGait& g : whole.gaits)
    EXPECT_NEAR(g.half_step.distance, g.record.evaluation.distance, 0.2 * g.record.evaluation.distance);
  for (size_t i = 0; i < whole.gaits.size(); ++i) {
    EXPECT_EQ(to_text(again.gaits[i].record.candidate), to_text(whole.gaits[i].record.candidate));
    EXPECT_EQ(again.gaits[i].record.number, whole.gaits[i].record.number);
    EXPECT_EQ(again.gaits[i].robustness, whole.gaits[i].robustness);
    expect_same(again.gaits[i].record.evaluation, whole.gaits[i].record.evaluation);
  }
}

}  // namespace
}  // namespace legwork
