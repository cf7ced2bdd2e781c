// Heuristics and actions: what is chosen, why, and what is said where labels are missing.

#include "modes/select.h"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include <legwork/files.h>
#include "math/real.h"
#include "modes/modes.h"
#include "modes/option_text.h"
#include "tests/scenes/error_of.h"

namespace legwork {
namespace {

ModalResult modes_of(const std::string& creature, const std::string& action, const std::string& stiffness,
                     double spine) {
  ModesOptions options;
  options.action = action, options.stiffness = stiffness, options.spine = spine, options.hz = 2;
  return find_modes(load_world(creature), options);
}

TEST(Selection, ATwistOfTheDogsSpineIsNotForLocomotion) {
  const ModalResult r = modes_of("dog", "trot", "20", 5);
  bool twist = false;
  for (int i = r.modes.rigid; i < r.modes.rigid + 12; ++i)
    twist |= r.shapes[size_t(i)].rejected == "a twist of the spine";
  EXPECT_TRUE(twist);
  for (const ModeUse& use : r.uses) EXPECT_EQ(r.shapes[size_t(use.mode)].rejected, "") << use.mode;
}

TEST(Selection, PhasesAreMultiplesOfNinetyDegrees) {
  for (const char* action : {"walk", "trot", "amble", "gallop"})
    for (const ModeUse& use : modes_of("dog", action, "20", 5).uses) {
      const double quarters = use.phase / (pi / 2);
      EXPECT_NEAR(quarters, std::round(quarters), 1e-9) << action << " mode " << use.mode;
    }
}

// The phasors of the feet, whichever modes were chosen.
TEST(Selection, TrotMovesDiagonalLegsTogether) {
  const ModalResult r = modes_of("dog", "trot", "20", 5);
  ASSERT_EQ(r.limbs.legs.size(), 4u);  // left hind, right hind, left fore, right fore
  const auto turn = [&](int a, int b) {
    const double d = leg_swing(r.shapes, r.uses, 2, a).phase - leg_swing(r.shapes, r.uses, 2, b).phase;
    return std::cos(d);
  };
  EXPECT_GT(turn(0, 3), 0.8);
  EXPECT_GT(turn(1, 2), 0.8);
  EXPECT_LT(turn(0, 1), -0.8);
  EXPECT_LT(turn(2, 3), -0.8);
}

TEST(Selection, KneesFoldWhileTheFootGoesForward) {
  for (const char* creature : {"human", "dog"}) {
    SCOPED_TRACE(creature);
    const ModalResult r = modes_of(creature, "walk", "100", 5);
    for (size_t l = 0; l < r.limbs.legs.size(); ++l) {
      // product of bend and forward velocity over a cycle
      double sum = 0;
      for (int i = 0; i < 100; ++i) {
        double bend = 0, velocity = 0;
        for (const ModeUse& use : r.uses) {
          const double a = 2 * pi * i / 100 + use.phase;
          bend += use.amplitude * r.shapes[size_t(use.mode)].bend[l] * std::sin(a);
          velocity += use.amplitude * r.shapes[size_t(use.mode)].foot[l].x * std::cos(a);
        }
        sum += bend * velocity;
      }
      EXPECT_GT(sum, 0) << l;
    }
  }
}

TEST(Selection, StrideScalesTheSwing) {
  ModesOptions options;
  options.action = "walk", options.hz = 2;
  const World world = load_world("human");
  const ModalResult one = find_modes(world, options);
  options.stride = 0.5;
  const ModalResult half = find_modes(world, options);
  EXPECT_NEAR(
      leg_swing(half.shapes, half.uses, 2, 0).amplitude / leg_swing(one.shapes, one.uses, 2, 0).amplitude,
      0.5, 0.1);
}

std::string error_of(const World& world, const std::string& action) {
  ModesOptions options;
  options.action = action, options.stiffness = "10";
  return legwork::error_of([&] { find_modes(world, options); });
}

std::string error_of(const std::string& creature, const std::string& action) {
  return error_of(load_world(creature), action);
}

TEST(Selection, WhatIsNotLabelledIsAskedFor) {
  World bare = load_world(LEGWORK_SOURCE_DIR "/tests/data/ant.xml");
  bare.body.legs.clear();
  const std::string ant = error_of(bare, "walk");
  for (const char* line : {"name = \"rf\"", "name = \"lh\"", "knee = ", "base = \"FILE\""})
    EXPECT_NE(ant.find(line), std::string::npos) << ant;
  EXPECT_NE(error_of("tumbler", "walk").find("nothing that looks like a leg"), std::string::npos);
  EXPECT_NE(error_of("human", "trot").find("has one pair of legs"), std::string::npos);
  EXPECT_NE(error_of("dog", "push-cart").find("r_hand"), std::string::npos);
}

TEST(Options, AModeIsReadWithWhatIsMissing) {
  Modes modes;
  modes.frequency.assign(10, 1.0);
  modes.rigid = 6;
  const ModeUse use = parse_mode("7=0.5,90", 2, modes);
  EXPECT_EQ(use.mode, 7);
  EXPECT_NEAR(use.phase, pi / 2, 1e-15);
  EXPECT_EQ(use.hz, 2);
  EXPECT_EQ(use.beta, 0);
  const std::string advice = "; write N=ALPHA,PHASE,HZ,BETA, such as 6=0.5,90,2";
  const auto error = [&](const char* text) { return legwork::error_of([&] { parse_mode(text, 2, modes); }); };
  EXPECT_EQ(error("7"), "modes: mode: '7' is not understood" + advice);
  EXPECT_EQ(error("7=a"), "modes: mode: '7=a': 'a' is no number" + advice);
  EXPECT_EQ(error("7=1,2,3,4,5"), "modes: mode: '7=1,2,3,4,5' has more than four numbers" + advice);
  EXPECT_EQ(error("x=1"), "modes: mode: 'x=1': 'x' is no number; write a mode's number first, such as 6");
  EXPECT_EQ(error("12=1"),
            "modes: mode: '12=1': there is no mode 12; they are numbered 0 to 9, elastic from 6 on");
}

TEST(Options, AHoldNamesWhatItHoldsAndSaysWhatIsMissing) {
  const Creature c = load_creature("human");
  const std::vector<double> q = c.pose("stand");
  const Limbs limbs = find_limbs(c, q);
  const std::vector<Hold> holds = parse_holds({"head", "hands", "feet", "point:l_foot"}, c, limbs, q);
  ASSERT_EQ(holds.size(), 5u) << "a hold for each foot";
  EXPECT_EQ(rows_of(holds[0]), 3) << "a head does not turn";
  EXPECT_EQ(rows_of(holds[1]), 5) << "hands turn about their bar";
  EXPECT_EQ(rows_of(holds[2]), 3);
  EXPECT_EQ(holds[4].link, c.link("l_foot"));
  EXPECT_EQ(rows_of(holds[4]), 3);
  const auto error = [&](const char* text) {
    return legwork::error_of([&] { parse_holds({text}, c, limbs, q); });
  };
  EXPECT_EQ(
      error("nose"),
      "modes: hold: 'nose' is not understood; write head, hands, feet, point:LINK, turn:LINK or frame:LINK");
  EXPECT_EQ(error("turn:l_fot"),
            "modes: hold: 'turn:l_fot': 'human' has no link 'l_fot'; did you mean 'l_foot'?");
}

TEST(Labels, OfABodyWithoutLegsEveryLimbThatLooksLikeOneIsOffered) {
  World world = load_world("strider");
  world.body.legs.clear();
  ModesOptions options;
  options.action = "walk";
  try {
    find_modes(world, options);
    FAIL();
  } catch (const Error& e) {
    const std::string text = e.what();
    for (const std::string leg : {"rf", "lf", "rh", "lh"})
      EXPECT_TRUE(std::regex_search(
          text, std::regex("name = \"" + leg + "\"\n  hip = \"" + leg + "_thigh\"\n  knee = \"" + leg +
                           "_shank\"\n  foot = \"" + leg + "_shank\"")))
          << text;
  }
}

TEST(Stiffness, OfSingleJointsAndOfTheSpine) {
  const Creature c = load_creature("dog");
  std::vector<double> k = uniform_stiffness(c, 20);
  multiply_spine(c, 5, k);
  EXPECT_EQ(k[size_t(c.dof("neck_1.y"))], 100);
  EXPECT_EQ(k[size_t(c.dof("rh_hock"))], 20);
  set_joint_stiffness(c, "rh_*=x4", k);
  EXPECT_EQ(k[size_t(c.dof("rh_hock"))], 80);
  const auto error = [&](const char* text) {
    return legwork::error_of([&] { set_joint_stiffness(c, text, k); });
  };
  EXPECT_EQ(error("rh_hock"),
            "modes: joint_stiffness: 'rh_hock' is not understood; write NAME=200 or NAME=x3");
  EXPECT_EQ(error("rh_hock=-3"),
            "modes: joint_stiffness: 'rh_hock=-3': less than 0 pushes away; write NAME=200 or NAME=x3");
  EXPECT_EQ(error("rh_hok=3"),
            "modes: joint_stiffness: 'rh_hok=3': 'dog' has no joint 'rh_hok'; did you mean 'rh_hock'?");
}

}  // namespace
}  // namespace legwork
