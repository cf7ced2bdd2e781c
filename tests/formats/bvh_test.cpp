#include "formats/bvh/bvh.h"

#include <gtest/gtest.h>

#include <cmath>

#include <legwork/files.h>
#include "dynamics/dynamics.h"
#include "formats/file.h"
#include "formats/shipped.h"
#include "motion/resample.h"
#include "tests/scenes/error_of.h"
#include "tests/scenes/example_motion.h"
#include "tests/scenes/scratch.h"

namespace legwork {
namespace {

// The example without its second body.
Motion one_body(int frames, double dt = 0.01) {
  Motion all = example_motion(frames, dt), one = all;
  one.creature.links.resize(7);
  const int nq = one.creature.nq(), nv = one.creature.nv();
  one.q.clear(), one.v.clear(), one.tau.clear();
  for (int f = 0; f < frames; ++f) {
    const auto from = all.q.begin() + f * all.creature.nq();
    one.q.insert(one.q.end(), from, from + nq);
    one.v.insert(one.v.end(), nv, 0.0), one.tau.insert(one.tau.end(), nv, 0.0);
  }
  return one;
}

// Where a link turns about its joints, if that is one point; else its origin.
Vec3d turning_point(const Link& link) {
  for (const Joint& joint : link.joints) {
    const bool turns =
        joint.type == JointType::hinge || joint.type == JointType::ball || joint.type == JointType::universal;
    if (!turns || !(joint.anchor == link.joints[0].anchor)) return {};
  }
  return link.joints.empty() ? Vec3d{} : link.joints[0].anchor;
}

// Every joint of the file is where the dynamics put the point about which its link turns, turned as the link.
void expect_same_places(const Motion& motion, const Bvh& bvh, const Motion& frames, double unit) {
  const Model<double> model = make_model(motion.creature);
  Workspace<double> w(model), rest(model);
  update_positions(model, motion.creature.pose("").data(), rest);
  ASSERT_EQ(bvh.frames, frames.frames());
  for (int f = 0; f < bvh.frames; ++f) {
    update_positions(model, frames.q.data() + std::size_t(f) * model.nq, w);
    const BvhPose pose = pose_at(bvh, f, unit);
    for (int link = 0; link < model.nlink; ++link) {
      const std::string& name = motion.creature.links[link].name;
      const int joint = bvh.joint(name);
      ASSERT_GE(joint, 0) << name;
      const Vec3d turns_at = turning_point(motion.creature.links[link]);
      ASSERT_NEAR(norm(pose.p[joint] - point_position(w, link, turns_at)), 0, 1e-5)
          << name << " at frame " << f;
      const Mat3d turned = w.R[link] * transpose(rest.R[link]);
      for (int i = 0; i < 3; ++i)
        ASSERT_NEAR(norm(pose.R[joint].column(i) - turned.column(i)), 0, 1e-6) << name << " at frame " << f;
    }
  }
}

TEST(Bvh, JointsComeBackWhereTheyWereInSpace) {
  const Scratch scratch;
  for (const Motion& motion : {one_body(60), example_motion(60)})
    for (const double unit : {1.0, 0.01}) {
      write_bvh(motion, scratch / "a.bvh", {100, unit});
      const Bvh bvh = read_bvh(scratch / "a.bvh");
      EXPECT_DOUBLE_EQ(bvh.frame_time, 0.01);
      expect_same_places(motion, bvh, motion, unit);
    }
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"a.bvh"});
}

TEST(Bvh, EveryShippedBodyComesBackWhereItWas) {
  const Scratch scratch;
  for (const ShippedCreature& c : shipped_creatures()) {
    SCOPED_TRACE(c.name);
    const Motion motion = swing(load_creature(c.path));
    write_bvh(motion, scratch / "a.bvh");
    expect_same_places(motion, read_bvh(scratch / "a.bvh"), motion, 1);
  }
}

TEST(Bvh, PositionsAddedToTheOffsetGiveTheSamePlacesAsPositionsThatReplaceIt) {
  const Scratch scratch;
  write_bvh(example_motion(2), scratch / "a.bvh");
  for (const BvhJoint& joint : read_bvh(scratch / "a.bvh").joints)
    if (joint.channels.size() == 6) {
      EXPECT_EQ(norm(joint.offset), 0) << joint.name;
    }
}

TEST(Bvh, HierarchyOffsetsAndChannelsAreThoseOfTheBody) {
  const Scratch scratch;
  write_bvh(one_body(2), scratch / "a.bvh");
  const Bvh bvh = read_bvh(scratch / "a.bvh");
  std::vector<std::string> names;
  for (const BvhJoint& j : bvh.joints) names.push_back(j.name);
  EXPECT_EQ(names, (std::vector<std::string>{"body", "thigh", "shank", "foot", "foot_end", "tail_at", "tail",
                                             "tip", "tip_end", "wing_at", "wing", "wing_end"}));
  const auto parent = [&](const char* name) { return bvh.joints[bvh.joints[bvh.joint(name)].parent].name; };
  EXPECT_EQ(parent("thigh"), "body");
  EXPECT_EQ(parent("foot"), "shank");
  EXPECT_EQ(parent("tail"), "tail_at");
  EXPECT_EQ(parent("tip"), "tail");
  using enum BvhChannel;
  EXPECT_EQ(bvh.joints[0].channels,
            (std::vector{x_position, y_position, z_position, z_rotation, x_rotation, y_rotation}));
  EXPECT_EQ(bvh.joints[bvh.joint("shank")].channels, (std::vector{z_rotation, x_rotation, y_rotation}));
  // thigh at (0.1, -0.1, 0) in the body: forward is z, left is x, up is y
  const Vec3d offset = bvh.joints[bvh.joint("thigh")].offset;
  EXPECT_NEAR(norm(offset - Vec3d{-0.1, 0, 0.1}), 0, 1e-6);
}

TEST(Bvh, TextIsAsOtherProgramsExpectIt) {
  Motion m;
  Creature& c = m.creature;
  example_link(c, "the box", -1, {0, 0, 0}, {example_joint("root", JointType::free, {})},
               {example_shape(ShapeType::box, {0.2, 0.2, 0.2})});
  example_link(c, "arm", 0, {0.1, 0, 0}, {example_joint("arm", JointType::hinge, {{0, 0, 1}})}, {});
  c.contacts = {{"hand", 1, {0.5, 0, 0}, 0, false}};
  m.time = {0, 0.5};
  const double quarter = std::sqrt(0.5);
  m.q = {1, 2, 3, 1, 0, 0, 0, 0, 1, 2, 3, quarter, 0, 0, quarter, 0.1};
  const Scratch scratch;
  write_bvh(m, scratch / "a.bvh", {2});
  EXPECT_EQ(read_file(scratch / "a.bvh"),
            "HIERARCHY\n"
            "ROOT the_box\n"
            "{\n"
            "\tOFFSET 0.000000 0.000000 0.000000\n"
            "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
            "\tJOINT arm\n"
            "\t{\n"
            "\t\tOFFSET 0.000000 0.000000 0.100000\n"
            "\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
            "\t\tEnd Site\n"
            "\t\t{\n"
            "\t\t\tOFFSET 0.000000 0.000000 0.500000\n"
            "\t\t}\n"
            "\t}\n"
            "}\n"
            "MOTION\n"
            "Frames: 2\n"
            "Frame Time: 0.5\n"
            "2.000000 3.000000 1.000000 0.000000 0.000000 0.000000 0.000000 0.000000 0.000000\n"
            "2.000000 3.000000 1.000000 0.000000 0.000000 90.000000 0.000000 0.000000 5.729578\n");
}

TEST(Bvh, AnglesRunOnWithoutJumpsThroughWholeTurnsAndGimbalLock) {
  Motion m;
  example_link(m.creature, "top", -1, {}, {example_joint("root", JointType::free, {})}, {});
  for (int f = 0; f < 400; ++f) {
    const double t = f * 0.01;
    m.time.push_back(t);
    // three turns about y (left), which is the file's x: through 90 degrees again and again
    const double half = 2.5 * t;
    m.q.insert(m.q.end(), {0, 0, 0, std::cos(half), 0, std::sin(half), 0});
  }
  const Scratch scratch;
  write_bvh(m, scratch / "a.bvh", {0});
  const Bvh bvh = read_bvh(scratch / "a.bvh");
  expect_same_places(m, bvh, m, 1);
  for (int f = 1; f < bvh.frames; ++f)
    for (int i = 3; i < 6; ++i)
      ASSERT_LT(std::abs(bvh.values[6 * f + i] - bvh.values[6 * f - 6 + i]), 6) << "frame " << f;
  EXPECT_NEAR(bvh.values[6 * 399 + 4], 5 * 3.99 * 180 / 3.14159265358979, 1e-4);
}

TEST(Bvh, FramesAreAtTheRateAskedFor) {
  const Scratch scratch;
  const Motion motion = one_body(100);
  write_bvh(motion, scratch / "a.bvh", {30});
  const Bvh bvh = read_bvh(scratch / "a.bvh");
  EXPECT_EQ(bvh.frames, 30);  // 0.99 s: the last of 30 a second is at 0.967 s
  Motion expected = resample(motion, 30);
  expected.time.resize(30);
  expect_same_places(motion, bvh, expected, 1);
}

TEST(Bvh, ReadsWhatOtherProgramsWrite) {
  const Scratch scratch;
  write_file(scratch / "a.bvh",
             "hierarchy\r\nROOT Left Hip {\r\n  OFFSET +1 2 3\n  CHANNELS 3 Xrotation yrotation ZROTATION\n"
             "  End Site\n  {\n OFFSET 0 0 1e1\n }\n}\n"
             "ROOT other\n{\nOFFSET 0 0 0\nCHANNELS 1 Yposition\n}\nMOTION\nFrames:\t2\nFrame Time: .5\n"
             "0 90 0 1\n\n90 0\n0 2\n");
  const Bvh bvh = read_bvh(scratch / "a.bvh");
  ASSERT_EQ(bvh.joints.size(), 3u);
  EXPECT_EQ(bvh.joints[0].name, "Left Hip");
  EXPECT_TRUE(bvh.joints[1].end_site);
  EXPECT_EQ(bvh.joints[2].parent, -1);
  ASSERT_EQ(bvh.frames, 2);
  // its z is our x, its x our y, its y our z
  EXPECT_NEAR(norm(pose_at(bvh, 0).p[1] - Vec3d{3, 11, 2}), 0, 1e-12);
  EXPECT_NEAR(norm(pose_at(bvh, 1).p[1] - Vec3d{3, 1, -8}), 0, 1e-12);
  EXPECT_NEAR(norm(pose_at(bvh, 1, 0.5).p[2] - Vec3d{0, 0, 1}), 0, 1e-12);
}

TEST(Bvh, BadFilesAreNamedWithTheirLine) {
  const Scratch scratch;
  const std::string path = scratch / "a.bvh";
  const auto says = [&](const std::string& text) {
    write_file(path, text);
    const std::string error = error_of([&] { read_bvh(path); });
    return error.substr(std::min(error.size(), path.size() + 1));
  };
  const std::string head = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xposition\n}\nMOTION\n";
  EXPECT_EQ(says("glTF"), "1: a BVH file begins with HIERARCHY; is it the right file?");
  EXPECT_EQ(says("HIERARCHY\nJOINT a"), "2: expected ROOT instead of 'JOINT'");
  EXPECT_EQ(says("HIERARCHY\nROOT a\n{\nOFFSET 0 zero 0"),
            "4: joint 'a': expected a number of the OFFSET instead of 'zero'");
  EXPECT_EQ(says("HIERARCHY\nROOT a\n{\nOFFSET 0 nan 0"),
            "4: joint 'a': expected a number of the OFFSET instead of 'nan'");
  EXPECT_EQ(says("HIERARCHY\nROOT a\n{\nCHANNELS 1 Xrotaton"),
            "4: joint 'a': unknown channel 'Xrotaton'; did you mean 'Xrotation'?");
  EXPECT_EQ(says("HIERARCHY\nROOT a\n{\nCHANNELS 7"), "4: joint 'a': the number of CHANNELS cannot be 7");
  EXPECT_EQ(says("HIERARCHY\nROOT a\n{\nLIMB b"),
            "4: joint 'a': expected OFFSET, CHANNELS, JOINT, End Site or } instead of 'LIMB'");
  EXPECT_EQ(says("HIERARCHY\nROOT a\n{\n"),
            "4: joint 'a': expected OFFSET, CHANNELS, JOINT, End Site or }, but the file ends; make or copy "
            "it again");
  EXPECT_EQ(says(head + "Frames: -3"), "8: the number of Frames cannot be -3");
  EXPECT_EQ(says(head + "Frames: 0\nFrame Time: 0.1\n"), "9: the motion has no frames");
  EXPECT_EQ(says(head + "Frames: 2\nFrame Time: 0\n"), "9: Frame Time must be above 0 s");
  EXPECT_EQ(says(head + "Frames: 2\nFrame Time: 0.1\n1\n"),
            "11: the file is cut short: 1 of 2 frames; make or copy it again");
  EXPECT_EQ(says(head + "Frames: 2\nFrame Time: 0.1\n1\n2\n3"),
            "12: more values than 2 frames of 1 channels have");
  EXPECT_EQ(says(head + "Frames: 900000000\nFrame Time: 0.1\n1\n"),
            "11: the file is cut short: 1 of 900000000 frames; make or copy it again");
  std::string deep = "HIERARCHY\nROOT a\n{\n";
  for (int i = 0; i < 100000; ++i) deep += "JOINT b\n{\n";
  EXPECT_EQ(says(deep),
            "200004: joint 'b': expected OFFSET, CHANNELS, JOINT, End Site or }, but the file ends; make or "
            "copy it "
            "again");
}

TEST(Bvh, BadMotionsAreRefusedAndNothingIsWritten) {
  const Scratch scratch;
  const std::string path = scratch / "a.bvh";
  EXPECT_EQ(error_of([&] { write_bvh(example_motion(0), path); }),
            path + ": the motion has no frames, so there is nothing to write; record some time");
  Motion uneven = example_motion(3);
  uneven.time[1] = 0.015;
  EXPECT_EQ(
      error_of([&] { write_bvh(uneven, path, {0}); }),
      path +
          ": the recorded frames are not evenly spaced (frame 1), but those of a BVH file are; give a rate");
  EXPECT_EQ(error_of([&] {
              write_bvh(example_motion(3), path, {60, 0});
            }),
            path + ": unit: 0 m is no length; give 1 or 0.01");
  Motion wild = example_motion(3);
  wild.q[std::size_t(wild.creature.nq())] = std::nan("");
  EXPECT_EQ(error_of([&] { write_bvh(wild, path); }),
            path + ": frame 1 is not finite, and BVH cannot say so; cut the motion before it");
  EXPECT_TRUE(scratch.names().empty());
}

}  // namespace
}  // namespace legwork
