// Algorithms that call one another, each in axes of its own, and hands that take hold of things.

#include <gtest/gtest.h>

#include <cmath>

#include "direct/director.h"
#include "direct/program.h"
#include "dynamics/dynamics.h"
#include "formats/toml/program_toml.h"
#include "tests/direct/bodies.h"
#include "tests/scenes/error_of.h"

namespace legwork {
namespace {

// A block of 1 kg that slides along x, y and z and turns about z.
const char* block_toml = R"(
name = "block"
[[link]]
name = "frame"
joint = { fixed = true }
shape = { box = [0.1, 0.1, 0.1] }
touches = false
[[link]]
name = "block"
parent = "frame"
joints = [{ name = "x", slide = "x" }, { name = "y", slide = "y" }, { name = "z", slide = "z" }, { name = "turn", hinge = "z" }]
shape = { box = [0.1, 0.1, 0.1] }
mass = 1
touches = false
)";

// Goes `far` along its own x and faces there, then ends.
const char* go_toml = R"(
name = "go"
smoothness = 1
[constants]
far = { value = 1, unit = "m", about = "how far" }
bend = { value = 0, unit = "rad", about = "turn before it goes" }
[[phase]]
name = "go"
turn = "bend"
[phase.set]
x0 = "block.x"
y0 = "block.y"
[[phase.equation]]
name = "way"
of = "position block"
quintic = { to = ["x0 + far", "y0", 0], velocity = [0, 0, 0], time = 1 }
[[phase.equation]]
name = "face"
of = "orientation block z"
pd = { to = [0, 0, 0], time = 0.5, within = 1e-6 }
[[phase.next]]
when = "phase_time >= 1"
to = "done"
)";

struct Called {
  Scratch files;
  Program program;
  std::unique_ptr<Director> director;

  Called(const std::string& caller, double seconds) {
    files.write("go.toml", go_toml);
    program = load_program(files.write("caller.toml", caller));
    director = std::make_unique<Director>(world_of(block_toml));
    install(program, *director);
    director->start();
    while (director->time() < seconds - 1e-9)
      if (!director->step(std::min(0.004, seconds - director->time()))) break;
  }
  Vec3d at() const { return director->value(director->position("block")); }
};

TEST(Calls, EachPhaseCarriesOutAnotherAlgorithmInAxesOfItsOwn) {
  const std::string sides = R"(
name = "sides"
[[phase]]
name = "ahead"
call = { algorithm = "go", with = { far = 0.5 } }
[[phase.next]]
when = "done > 0.5"
to = "left"
[[phase]]
name = "left"
call = { algorithm = "go", heading = "pi/2", with = { far = "2*0.4" } }
[[phase.next]]
when = "done > 0.5"
to = "rest"
[[phase]]
name = "rest"
)";
  const Called first(sides, 1), both(sides, 2.5);
  EXPECT_LT(norm(first.at() - Vec3d(0.5, 0, 0)), 1e-6);
  EXPECT_LT(norm(both.at() - Vec3d(0.5, 0.8, 0)), 1e-6);
  EXPECT_NEAR(both.director->joint_angle("turn"), std::acos(0.0), 1e-5);
  // what was called is gone with its equations, and has left its mark in the timeline
  EXPECT_EQ(both.director->equations(), 0);
  std::string phases;
  for (const Director::PhaseChange& p : both.director->phases) phases += p.name + "; ";
  EXPECT_EQ(phases, "ahead; ahead: go; left; left: go; rest; ");
}

TEST(Calls, AnArgumentIsFollowedAndTheCallersEquationsStayInForce) {
  Scratch files;
  files.write("inner.toml", R"(
name = "inner"
[constants]
goal = 0
[[phase]]
name = "follow"
[[phase.equation]]
name = "way"
of = "angle x"
equals = "400*(goal - block.x) - 40*block.vx"
)");
  const Program program = load_program(files.write("caller.toml", R"(
name = "follow"
[[phase]]
name = "slowly"
[[phase.equation]]
name = "level"
of = "angle z"
pd = { to = 0.3, time = 0.5, within = 1e-6 }
[phase.call]
algorithm = "inner"
with = { goal = "0.25*time" }
)"));
  Director d(world_of(block_toml));
  install(program, d);
  d.start();
  while (d.time() < 2 - 1e-9) ASSERT_TRUE(d.step(std::min(0.004, 2 - d.time())));
  // the inner equation lags behind a ramp by its damping over its stiffness
  EXPECT_NEAR(d.joint_angle("x"), 0.25 * (2 - 40.0 / 400), 1e-4);
  EXPECT_NEAR(d.joint_angle("z"), 0.3, 1e-6);
  EXPECT_TRUE(d.has_equation("slowly: way"));
  EXPECT_TRUE(d.has_equation("level"));
}

TEST(Calls, AnAlgorithmTurnsItsOwnAxes) {
  const Called run(R"(
name = "bent"
[[phase]]
name = "go"
call = { algorithm = "go", with = { far = 1, bend = "pi/6" } }
)",
                   1);
  EXPECT_LT(norm(run.at() - Vec3d(std::sqrt(0.75), 0.5, 0)), 1e-6);
}

TEST(Calls, WhatDoesNotExistIsAnErrorBeforeAnythingMoves) {
  const auto error = [](const std::string& call) {
    return error_of([&] { Called("name = \"a\"\n[[phase]]\nname = \"p\"\ncall = " + call + "\n", 0); });
  };
  EXPECT_NE(
      error("{ algorithm = \"go\", with = { fat = 1 } }").find("'go' has no constant 'fat'; did you mean"),
      std::string::npos)
      << error("{ algorithm = \"go\", with = { fat = 1 } }");
  EXPECT_NE(error("{ algorithm = \"caller\" }").find("goes round in circles"), std::string::npos);
  EXPECT_NE(error("{ algorithm = \"go\", with = { far = \"width\" } }").find("'width' is neither a constant"),
            std::string::npos);
  EXPECT_FALSE(error("{ algorithm = \"nowhere\" }").empty());
}

// --- hands

// A hand of 2 kg that slides along x beside a parcel of 1 kg, both without weight.
const char* hand_toml = R"(
name = "hand"
[[link]]
name = "hand"
joint = { free = true, name = "hand" }
shape = { box = [0.1, 0.1, 0.1] }
mass = 2
[[link]]
name = "finger"
parent = "hand"
at = [0.05, 0, 0]
joint = { name = "finger", slide = "x", range = [-0.5, 0.5] }
shape = { box = [0.1, 0.1, 0.1], pos = [0.05, 0, 0] }
mass = 1
)";
const char* parcel_toml = R"(
name = "parcel"
[[link]]
name = "parcel"
shape = { box = [0.1, 0.1, 0.1] }
mass = 1
)";

World hand_and_parcel(double gap) {
  const Scratch files;
  files.write("hand.toml", hand_toml);
  files.write("parcel.toml", parcel_toml);
  return load_world(files.write("world.toml", R"(
name = "two"
terrain = "none"
gravity = [0, 0, 0]
body_contact = false
[[body]]
creature = "hand.toml"
prefix = ""
[[body]]
creature = "parcel.toml"
prefix = "the_"
at = [)" + std::to_string(0.2 + gap) + R"(, 0, 0]
)"));
}

TEST(Hands, WhatTheyHoldMovesWithThemAndTheWholeKeepsItsMomentum) {
  for (const Grade ground : {Grade::held, Grade::unilateral}) {
    SCOPED_TRACE(int(ground));
    Director d(hand_and_parcel(0.001), {.ground = ground});
    d.start();
    EXPECT_NEAR(d.value(d.center_of_mass()).x, (2 * 0 + 1 * 0.1) / 3, 1e-12);
    d.grasp("the_parcel", "finger");
    // now the parcel is part of what moves
    EXPECT_NEAR(d.value(d.center_of_mass()).x, (2 * 0 + 1 * 0.1 + 1 * 0.201) / 4, 1e-12);
    const Vec3d com = d.value(d.center_of_mass());
    const Vec3d apart = d.get_position("the_parcel") - d.get_position("finger");
    d.set_angle_with_quintic("push", "finger", 0.2, 0, 0.5);
    while (d.time() < 0.5 - 1e-9) ASSERT_TRUE(d.step(std::min(0.004, 0.5 - d.time()))) << d.status_text();
    EXPECT_LT(norm(d.get_position("the_parcel") - d.get_position("finger") - apart), 1e-9);
    EXPECT_LT(norm(d.value(d.center_of_mass()) - com), 1e-9);
    EXPECT_NEAR(d.joint_angle("finger"), 0.2, 1e-7);
    EXPECT_NEAR(d.get_position("hand").x, -0.1, 1e-7);  // 2 kg against 2 kg
    // let go on the way back: it goes on as it was
    d.set_angle_with_quintic("push", "finger", 0, 0, 0.5);
    while (d.time() < 0.75 - 1e-9) ASSERT_TRUE(d.step(std::min(0.004, 0.75 - d.time())));
    d.let_go("finger");
    const double speed = d.rate(d.point("the_parcel")).x;
    EXPECT_LT(speed, -0.3);
    while (d.time() < 0.9 - 1e-9) ASSERT_TRUE(d.step(std::min(0.004, 0.9 - d.time())));
    EXPECT_NEAR(d.rate(d.point("the_parcel")).x, speed, 1e-9);
  }
}

TEST(Hands, TakeOnlyWhatTheyReach) {
  Director d(hand_and_parcel(0.05));
  d.start();
  d.grasp("the_parcel", "finger");
  EXPECT_EQ(d.status(), Status::stopped);
  EXPECT_EQ(d.status_text(),
            "'finger' cannot take 'the_parcel' at 0 s: they are 0.05 m apart; bring the hand to it first");
  EXPECT_EQ(error_of([&] { d.let_go("finger"); }), "let_go 'finger': it holds nothing at 0 s");
}

}  // namespace
}  // namespace legwork
