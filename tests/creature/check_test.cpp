#include "creature/check.h"

#include <gtest/gtest.h>

#include <functional>

#include "creature/complete.h"
#include "creature/shape.h"
#include "tests/creature/example_creatures.h"

namespace legwork {
namespace {

// The text of what check throws for a sound creature after `spoil`.
std::string verdict(const std::function<void(Creature&)>& spoil) {
  Creature c = half_strider();
  complete(c);
  spoil(c);
  try {
    check(c);
  } catch (const Error& e) {
    return e.what();
  }
  return "sound";
}

TEST(Check, ASoundCreaturePasses) {
  EXPECT_EQ(verdict([](Creature&) {}), "sound");
}

TEST(Check, NamesMustBeUnique) {
  EXPECT_EQ(verdict([](Creature& c) { c.links[2].name = "body"; }),
            "strider.toml:16: link 'body': another link (line 3) has the same name; rename one of them");
  EXPECT_EQ(
      verdict([](Creature& c) { c.links[2].joints[0].name = "rf_thigh"; }),
      "strider.toml:16: joint 'rf_thigh': another joint (line 10) has the same name; rename one of them");
  EXPECT_EQ(
      verdict([](Creature& c) { c.links[2].joints[0].dofs[0].name = "rf_thigh"; }),
      "strider.toml:16: degree of freedom 'rf_thigh': another degree of freedom (line 10) has the same name; "
      "rename one of them");
  EXPECT_EQ(verdict([](Creature& c) { c.legs[1].name = "rf"; }),
            "strider.toml:22: leg 'rf': another leg (line 22) has the same name; rename one of them");
  EXPECT_EQ(verdict([](Creature& c) { c.links[1].name = ""; }),
            "strider.toml:10: link '': has no name; give it one");
  EXPECT_EQ(verdict([](Creature& c) { c.links[1].name = "leg\t1"; }),
            "strider.toml:10: link 'leg\t1': its name holds a control character; use letters, digits and _");
}

TEST(Check, ParentsMustMakeATree) {
  EXPECT_EQ(verdict([](Creature& c) { c.links[1].parent = 2; }),
            "strider.toml:10: link 'rf_thigh': is its own ancestor (rf_thigh -> rf_shank -> rf_thigh); "
            "attach one of "
            "them elsewhere");
  EXPECT_EQ(verdict([](Creature& c) { c.links[1].parent = 3; }),
            "strider.toml:10: link 'rf_thigh': comes before its parent 'rh_thigh'; put the parent first");
  EXPECT_EQ(verdict([](Creature& c) { c.links[1].parent = 99; }),
            "strider.toml:10: link 'rf_thigh': its parent is link number 99 of 5; name a link");
  EXPECT_EQ(verdict([](Creature& c) { c.links.clear(); }),
            "strider.toml: creature 'strider': has no links; give it at least one");
}

TEST(Check, AxesNeedDirectionAndUnitLength) {
  EXPECT_EQ(verdict([](Creature& c) { c.links[1].joints[0].axes[0] = {}; }),
            "strider.toml:10: joint 'rf_thigh': axis [0, 0, 0] has no direction; did you mean [0, 1, 0]?");
  EXPECT_EQ(
      verdict([](Creature& c) {
        c.links[1].joints[0].axes[0] = {0, 2, 0};
      }),
      "strider.toml:10: joint 'rf_thigh': axis [0, 2, 0] is not of unit length; did you mean [0, 1, 0]?");
  EXPECT_EQ(verdict([](Creature& c) { c.links[1].joints[0].axes.clear(); }),
            "strider.toml:10: joint 'rf_thigh': a hinge joint has 1 axis, not 0; add or remove");
  EXPECT_EQ(verdict([](Creature& c) {
              Joint& j = c.links[1].joints[0];
              j.type = JointType::universal;
              j.axes = {{0, 1, 0}, {0, -1, 0}};
            }),
            "strider.toml:10: joint 'rf_thigh': its two axes [0, 1, 0] and [0, -1, 0] are the same line; "
            "turn one of "
            "them");
}

TEST(Check, MassMustBePossible) {
  EXPECT_EQ(verdict([](Creature& c) { c.links[1].mass = -2; }),
            "strider.toml:10: link 'rf_thigh': mass -2 is negative; give kg");
  EXPECT_EQ(verdict([](Creature& c) { c.links[2].mass = 0, c.links[2].inertia = {}; }),
            "strider.toml:16: link 'rf_shank': moves, but neither it nor any link beyond it has mass; give "
            "it a shape "
            "with a density, or a mass");
  EXPECT_EQ(verdict([](Creature& c) { c.links[1].mass = 0, c.links[1].inertia = {}; }), "sound");
  EXPECT_EQ(verdict([](Creature& c) { c.links[2].mass = 0; }),
            "strider.toml:16: link 'rf_shank': has inertia but no mass; give its mass in kg");
  EXPECT_EQ(verdict([](Creature& c) {
              c.links[2].inertia = {}, c.links[2].com = {0, 0.1, 0};
            }),
            "strider.toml:16: joint 'rf_shank': its motion moves no mass (all of it lies on the axis, or "
            "another joint "
            "makes the same motion); give the link an inertia, or the joint an armature");
  EXPECT_EQ(verdict([](Creature& c) {
              c.links[2].inertia = {}, c.links[2].com = {0, 0.1, 0};
              c.links[2].joints[0].dofs[0].armature = 1e-6;
            }),
            "sound");
}

TEST(Check, TwoJointsOfOneMotionAreFound) {
  EXPECT_EQ(verdict([](Creature& c) {
              Joint twin = c.links[2].joints[0];
              twin.name = twin.dofs[0].name = "twin";
              c.links[2].joints.push_back(twin);
              c.poses.clear();
            }),
            "strider.toml:16: joint 'rf_shank': its motion moves no mass (all of it lies on the axis, or "
            "another joint "
            "makes the same motion); give the link an inertia, or the joint an armature");
}

TEST(Check, InertiaMustBeThatOfABody) {
  EXPECT_EQ(
      verdict([](Creature& c) { c.links[0].inertia = Sym3d::diagonal(1, 1, 3); }),
      "strider.toml:3: link 'body': inertia violates the triangle inequality, as no real body can: its "
      "principal "
      "moments are [1, 1, 3] kg m^2 and the largest exceeds the sum of the others; check the units and the "
      "order");
  EXPECT_EQ(verdict([](Creature& c) { c.links[0].inertia = Sym3d::diagonal(1, -1, 1); }),
            "strider.toml:3: link 'body': inertia is not positive: its principal moments are [-1, 1, 1] kg "
            "m^2; check "
            "the signs");
  EXPECT_EQ(verdict([](Creature& c) { c.links[0].inertia = Sym3d::diagonal(1, 1, 2); }), "sound");  // a plate
}

TEST(Check, RangesGoUp) {
  EXPECT_EQ(verdict([](Creature& c) {
              Dof& d = c.links[1].joints[0].dofs[0];
              d.lower = 1, d.upper = -1;
            }),
            "strider.toml:10: joint 'rf_thigh': range [1, -1] is upside down; did you mean [-1, 1]?");
  EXPECT_EQ(verdict([](Creature& c) {
              Dof& d = c.links[1].joints[0].dofs[0];
              d.lower = d.upper = 0.5;
            }),
            "strider.toml:10: joint 'rf_thigh': range [0.5, 0.5] leaves no room to move; widen it, or make "
            "the joint "
            "fixed");
  EXPECT_EQ(verdict([](Creature& c) { c.links[1].joints[0].dofs[0].lower = NAN; }),
            "strider.toml:10: joint 'rf_thigh': range is not a number; give two numbers");
}

TEST(Check, NumbersMustBeFinite) {
  const std::string shank = "strider.toml:16: link 'rf_shank': ";
  EXPECT_EQ(verdict([](Creature& c) { c.links[2].pos.x = NAN; }),
            shank + "its position [nan, 0, -0.15] is not finite; give finite numbers");
  EXPECT_EQ(verdict([](Creature& c) { c.links[2].mass = INFINITY; }),
            shank + "its mass is inf; give a finite number");
  EXPECT_EQ(verdict([](Creature& c) { c.links[2].inertia.xy = NAN; }),
            shank + "its inertia is nan; give a finite number");
  EXPECT_EQ(verdict([](Creature& c) { c.links[2].shapes[0].size.x = NAN; }),
            shank + "its shape's size [nan, 0.15, 0] is not finite; give finite numbers");
  EXPECT_EQ(verdict([](Creature& c) { c.links[2].joints[0].anchor.z = NAN; }),
            "strider.toml:16: joint 'rf_shank': anchor [0, 0, nan] is not finite; give finite numbers");
  EXPECT_EQ(verdict([](Creature& c) { c.links[2].joints[0].dofs[0].spring.rest = NAN; }),
            "strider.toml:16: joint 'rf_shank': spring rest is nan; give a finite number");
  EXPECT_EQ(verdict([](Creature& c) { c.poses[0].q[8] = NAN; }),
            "strider.toml: pose 'stand': a coordinate is nan; give a finite number");
  EXPECT_EQ(verdict([](Creature& c) { c.legs[0].sole.x = NAN; }),
            "strider.toml:22: leg 'rf': its sole [nan, 0, -0.162] is not finite; give finite numbers");
  EXPECT_EQ(verdict([](Creature& c) { c.dt = NAN; }),
            "strider.toml: creature 'strider': time step is nan; give a finite number");
}

TEST(Check, NothingThatResistsIsNegative) {
  const std::string who = "strider.toml:10: joint 'rf_thigh': ";
  const auto with = [](double Dof::*field) {
    return verdict([=](Creature& c) { c.links[1].joints[0].dofs[0].*field = -3; });
  };
  EXPECT_EQ(with(&Dof::damper), who + "damper -3 is negative; give 0 or more");
  EXPECT_EQ(with(&Dof::armature), who + "armature -3 is negative; give 0 or more");
  EXPECT_EQ(with(&Dof::limit_stiffness), who + "limit stiffness -3 is negative; give 0 or more");
  EXPECT_EQ(with(&Dof::limit_damping), who + "limit damping -3 is negative; give 0 or more");
  EXPECT_EQ(verdict([](Creature& c) { c.links[1].joints[0].dofs[0].spring.stiffness = -3; }),
            who + "spring stiffness -3 is negative; give 0 or more");
  EXPECT_EQ(verdict([](Creature& c) { c.links[1].joints[0].dofs[0].spring.type = SpringType::exponential; }),
            who + "its exponential spring has sharpness 0 and never pulls; give a sharpness, such as 5");
  EXPECT_EQ(
      verdict([](Creature& c) { c.links[1].shapes[0].density = -3; }),
      "strider.toml:10: link 'rf_thigh': its density -3 is negative; give kg/m^3, such as 1000 for water");
  EXPECT_EQ(verdict([](Creature& c) { c.links[1].shapes[0].size.x = 0; }),
            "strider.toml:10: link 'rf_thigh': its capsule's radius 0 is not positive; give a length in m");
}

TEST(Check, MeshesMustHoldTogether) {
  const auto with = [](const std::function<void(Mesh&)>& spoil) {
    return verdict([&](Creature& c) {
      Shape& s = c.links[0].shapes[0];
      s.mesh = surface(s);
      s.type = ShapeType::mesh;
      spoil(s.mesh);
    });
  };
  const std::string who = "strider.toml:3: link 'body': ";
  EXPECT_EQ(with([](Mesh& m) { m.triangles.clear(); }), who + "its mesh is empty; give it triangles");
  EXPECT_EQ(with([](Mesh& m) { m.triangles[0][1] = -1; }),
            who + "its mesh has a triangle with vertex -1 of 8; export it again");
  EXPECT_EQ(with([](Mesh&) {}),
            who +
                "its mesh is flat, so its convex hull is no solid to touch; give it thickness, or "
                "contact = false");
}

TEST(Check, LegsReferToOneChain) {
  EXPECT_EQ(
      verdict([](Creature& c) { c.legs[0].foot = 4; }),
      "strider.toml:22: leg 'rf': its foot 'rh_shank' does not hang on its hip 'rf_thigh'; name links of one "
      "chain");
  EXPECT_EQ(
      verdict([](Creature& c) { c.legs[0].hip = -1; }),
      "strider.toml:22: leg 'rf': its hip is missing or no link of the creature; name one of its links");
  EXPECT_EQ(
      verdict([](Creature& c) { c.legs[0].knee = 3; }),
      "strider.toml:22: leg 'rf': its knee 'rh_thigh' is not between hip and foot; name a link of the chain");
  EXPECT_EQ(verdict([](Creature& c) { c.legs[0].knee = 2; }), "sound");
}

TEST(Check, PosesFitTheCreature) {
  EXPECT_EQ(verdict([](Creature& c) { c.poses[0].q.pop_back(); }),
            "strider.toml: pose 'stand': has 10 coordinates, the creature 11; give one for each");
  EXPECT_EQ(
      verdict([](Creature& c) { c.poses[0].q[3] = 2; }),
      "strider.toml: pose 'stand': the rotation of joint 'body' has a quaternion of length 2, which is no "
      "rotation; normalise it");
}

TEST(Check, KeyframedJointsNeedPathsThatMove) {
  const auto with = [](const std::function<void(Joint&)>& spoil) {
    return verdict([&](Creature& c) {
      Joint& joint = c.links[1].joints[0];
      joint.type = JointType::keyframed;
      joint.axes.clear();
      joint.paths.resize(1);
      joint.paths[0].max[1] = 0.5;
      spoil(joint);
    });
  };
  const std::string who = "strider.toml:10: joint 'rf_thigh': ";
  EXPECT_EQ(with([](Joint&) {}), "sound");
  EXPECT_EQ(with([](Joint& j) { j.paths[0].max[1] = 0; }),
            who + "a path whose min and max keyframes are all zero does not move; give offsets from neutral");
  EXPECT_EQ(with([](Joint& j) { j.paths.clear(); }),
            who + "a keyframed joint without paths; give each degree of freedom its min and max keyframes");
}

TEST(Check, EverythingHeldOrMeasuredExists) {
  const std::string missing = " is missing or no link of the creature; name one of its links";
  EXPECT_EQ(verdict([](Creature& c) {
              Loop loop;
              loop.name = "bar";
              loop.link = 9;
              c.loops = {loop};
            }),
            "strider.toml: loop 'bar': its link" + missing);
  EXPECT_EQ(verdict([](Creature& c) {
              Loop loop;
              loop.name = "bar";
              loop.link = loop.other = 1;
              c.loops = {loop};
            }),
            "strider.toml: loop 'bar': holds a link to itself; name two different links");
  EXPECT_EQ(verdict([](Creature& c) {
              Sensor s;
              s.name = "eye";
              s.type = SensorType::eye;
              c.sensors = {s};
            }),
            "strider.toml: sensor 'eye': its link" + missing);
  EXPECT_EQ(
      verdict([](Creature& c) {
        Actuator a;
        a.name = "hip";
        a.dof = 10;
        c.actuators = {a};
      }),
      "strider.toml: actuator 'hip': its joint is missing or no degree of freedom of the creature; name one");
  EXPECT_EQ(verdict([](Creature& c) {
              Attachment a;
              a.name = "wire";
              a.rest = 2;
              a.break_length = 1;
              c.attachments = {a};
            }),
            "strider.toml: attachment 'wire': break length 1 is not above the rest length 2; it would break "
            "at once");
  EXPECT_EQ(verdict([](Creature& c) { c.contacts[0].radius = -1; }),
            "strider.toml: contact point 'body.1': radius -1 is negative; give 0 or more");
}

TEST(Check, AFreeJointStandsAlone) {
  EXPECT_EQ(verdict([](Creature& c) {
              c.links[1].joints[0] = example_joint(JointType::free);
              complete(c);
              c.poses.clear();
            }),
            "strider.toml:10: joint 'rf_thigh': a free joint must be the only joint of a link without a "
            "parent; use "
            "ball or slide joints here");
}

}  // namespace
}  // namespace legwork
