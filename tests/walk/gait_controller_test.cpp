#include "walk/gait_controller.h"

#include <gtest/gtest.h>

#include <cmath>

namespace legwork {
namespace {

// Three pairs, front to back: 0 1 left and right fore, 2 3 mid, 4 5 hind.
std::vector<GaitLeg> pairs(int count) {
  std::vector<GaitLeg> legs;
  for (int i = 0; i < 2 * count; ++i) {
    GaitLeg leg;
    leg.right = i % 2 == 1;
    leg.along = -double(i / 2);
    legs.push_back(leg);
  }
  rank_legs(legs);
  return legs;
}

// Times at which each leg begins a step.
std::vector<std::vector<double>> steps(const std::vector<GaitLeg>& legs, Pace pace, double seconds,
                                       const GaitRules& rules = {}, double dt = 1e-4) {
  GaitState state = start_gait(legs, pace);
  std::vector<LegEvent> events(legs.size());
  std::vector<std::vector<double>> out(legs.size());
  const std::vector<LegFeeling> feelings(legs.size());
  for (int i = 0; i * dt < seconds; ++i) {
    step_gait(legs, pace, rules, feelings, dt, state, events);
    for (size_t k = 0; k < legs.size(); ++k)
      if (events[k] == LegEvent::step) out[k].push_back((i + 1) * dt);
  }
  return out;
}

double phase_of(const std::vector<std::vector<double>>& times, int leg, int reference, double cycle) {
  const double d = (times[size_t(leg)].back() - times[size_t(reference)].back()) / cycle;
  return d - std::floor(d);
}

TEST(GaitController, TopSpeedIsTheTripod) {
  const Pace pace{0.05, 0.05, 1};
  const auto times = steps(pairs(3), pace, 2);
  const double opposite[] = {0, 0.5, 0.5, 0, 0, 0.5};  // of lf, rf, lm, rm, lh, rh against lf
  for (int leg = 0; leg < 6; ++leg) {
    const double phase = phase_of(times, leg, 0, pace.cycle());
    const double d = std::fabs(phase - opposite[leg]);
    EXPECT_LT(std::min(d, 1 - d), 0.005) << leg;
  }
}

TEST(GaitController, SlowlyAWaveRunsFromBehindEachStepAfterTheOther) {
  const Pace pace{0.05, 0.05, 3};
  const auto times = steps(pairs(3), pace, 3);
  // lh, lm, lf, rh, rm, rf: a step time apart, all through the cycle
  const int order[] = {4, 2, 0, 5, 3, 1};
  for (int k = 0; k < 6; ++k) {
    const double phase = phase_of(times, order[k], 4, pace.cycle());
    EXPECT_NEAR(std::remainder(phase - k / 6.0, 1.0), 0, 0.005) << k;
  }
}

TEST(GaitController, FrequencyIsTheMastersForAnyNumberOfLegs) {
  for (const int count : {1, 2, 4, 5}) {
    const Pace pace{0.1, 0.1, 1.7};
    for (const auto& leg : steps(pairs(count), pace, 5)) {
      ASSERT_GE(leg.size(), 3u);
      EXPECT_NEAR((leg.back() - leg[0]) / double(leg.size() - 1), pace.cycle(), 2e-4);
    }
  }
}

TEST(GaitController, ALostMiddleLegLetsForeAndHindOfItsSideAlternate) {
  std::vector<GaitLeg> legs = pairs(3);
  legs[2].there = legs[3].there = false;
  rank_legs(legs);
  const Pace pace{0.05, 0.05, 1};
  const auto times = steps(legs, pace, 2, {false, 20});
  EXPECT_TRUE(times[2].empty());
  EXPECT_NEAR(phase_of(times, 4, 0, pace.cycle()), 0.5, 0.02);
  EXPECT_NEAR(phase_of(times, 1, 0, pace.cycle()), 0.5, 0.02);
}

TEST(GaitController, ALoadedLegWaitsAndABentOneStepsAtOnce) {
  const std::vector<GaitLeg> legs = pairs(3);
  const Pace pace{0.05, 0.05, 2};
  GaitState state = start_gait(legs, pace);
  std::vector<LegEvent> events(6);
  std::vector<LegFeeling> feelings(6);
  feelings[0].loaded = true;
  int loaded_steps = 0;
  for (int i = 0; i < 10000; ++i) {
    step_gait(legs, pace, {}, feelings, 1e-4, state, events);
    loaded_steps += events[0] == LegEvent::step;
  }
  EXPECT_EQ(loaded_steps, 0);
  EXPECT_EQ(state.mode[0], LegMode::ready);
  feelings[0].loaded = false;
  step_gait(legs, pace, {}, feelings, 1e-4, state, events);
  EXPECT_EQ(events[0], LegEvent::step);
  // another one, in stance and not due: bent back
  int other = 0;
  while (state.mode[size_t(other)] != LegMode::stance) ++other;
  feelings[size_t(other)].bent_back = true;
  step_gait(legs, pace, {}, feelings, 1e-4, state, events);
  EXPECT_EQ(events[size_t(other)], LegEvent::step);
}

TEST(GaitController, NeighboursInhibitEachOther) {
  const std::vector<GaitLeg> legs = pairs(3);
  const Pace pace{0.05, 0.02, 1};  // a leg delay shorter than a step: neighbours would overlap
  GaitState state = start_gait(legs, pace);
  std::vector<LegEvent> events(6);
  const std::vector<LegFeeling> feelings(6);
  for (int i = 0; i < 20000; ++i) {
    step_gait(legs, pace, {true, 0}, feelings, 1e-4, state, events);
    for (size_t k = 0; k < 6; ++k) {
      if (events[k] != LegEvent::step) continue;
      for (const int other : {legs[k].ahead, legs[k].behind, legs[k].across})
        if (other >= 0) EXPECT_NE(state.mode[size_t(other)], LegMode::step);
    }
  }
}

}  // namespace
}  // namespace legwork
