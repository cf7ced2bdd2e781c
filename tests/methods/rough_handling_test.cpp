// Bodies handled roughly: a fixed part of what build/bench/torture does at length.

#include "tests/scenes/rough_handling.h"

#include <gtest/gtest.h>

#include <legwork/files.h>
#include <legwork/methods.h>

namespace legwork {
namespace {

constexpr double most_gain = 0.02;

TEST(RoughHandling, NoShippedBodyDivergesOrGainsEnergyAtItsDefaults) {
  for (int i = 0; i < 60; ++i) {
    const Fall fall = random_fall(1, i);
    const Verdict verdict = handle(fall);
    EXPECT_TRUE(verdict.finite) << command(fall);
    EXPECT_FALSE(verdict.diverged) << command(fall) << ": " << verdict.status;
    EXPECT_LE(verdict.gain, most_gain) << command(fall);
  }
}

TEST(RoughHandling, ArmsThatWhirlAndRingsThatTumbleKeepTheirEnergy) {
  const std::vector<Fall> falls = {
      {"biped_armed", "plane", 1.11, {}, {0.129, 1.235, 3.702}},
      {"biped_armed", "rough:0.03,0.4", 0.137, {}, {-0.855, 0.577, -1.944}},
      {"ragdoll", "slope:20deg", 1.193, {}, {-6.163, -0.758, -0.968}},
      {"ragdoll", "rough:0.03,0.4", 0.388, {}, {2.498, -3.269, -2.167}},
      {"loop_creature", "plane", 1.301, {}, {-1.684, -0.463, -1.526}},
      {"loop_creature", "bumps:0.02,0.1", 0.664, {}, {-3.013, 1.505, 2.846}},
      {"roach", "rough:0.1,0.3", 1.246, {}, {-2.088, -2.034, -1.876}},
  };
  for (const Fall& fall : falls) {
    const Verdict verdict = handle(fall);
    EXPECT_FALSE(verdict.diverged) << command(fall) << ": " << verdict.status;
    EXPECT_LE(verdict.gain, most_gain) << command(fall);
  }
}

TEST(RoughHandling, WhatStandsOnASlideIsNotDroppedInsideAHill) {
  for (const char* body : {"twolink", "threelink", "fourlink", "cart"}) {
    const World world = load_world(body, {.terrain = "rough:0.1,0.3"});
    const Value energy = *drop(world).account.values.find("energy");
    EXPECT_LE(*energy.find("end")->number(), *energy.find("start")->number()) << body;
  }
}

TEST(RoughHandling, OddBodiesEndInNumbersAndAStatusThatIsExplained) {
  int diverged = 0, refused = 0;
  for (int i = 0; i < 40; ++i) {
    const Ordeal result = ordeal(1, i);
    const std::string& status = result.verdict.status;
    EXPECT_TRUE(result.verdict.finite) << result.body;
    if (result.verdict.diverged)
      EXPECT_NE(status.find("; try "), status.npos) << result.body << ": " << status;
    if (result.refused) EXPECT_NE(status.find("; "), status.npos) << result.body << ": " << status;
    diverged += result.verdict.diverged, refused += result.refused;
  }
  EXPECT_LE(diverged, 2);  // links a million times as heavy as others
  EXPECT_LE(refused, 1);   // a leg of one joint
}

}  // namespace
}  // namespace legwork
