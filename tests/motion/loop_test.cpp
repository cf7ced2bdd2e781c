#include <legwork/files.h>

#include <gtest/gtest.h>

#include <cmath>

#include "math/real.h"
#include "math/vec.h"
#include "tests/scenes/error_of.h"

namespace legwork {
namespace {

Joint joint(const std::string& name, JointType type, const std::vector<Vec3d>& axes) {
  Joint j;
  j.name = name, j.type = type, j.axes = axes;
  j.dofs.resize(std::size_t(nv(j)));
  return j;
}

Link link(const std::string& name, int parent, const std::vector<Joint>& joints) {
  Link l;
  l.name = name, l.parent = parent, l.joints = joints, l.mass = 1, l.inertia = Sym3d::diagonal(1, 1, 1);
  return l;
}

// A body on a circle (or a straight line), bobbing and rolling, with a leg, a ball joint and a wheel; all of
// period 1 s, but for a drift.
Motion walk(double turning, double drift) {
  Motion m;
  Joint leg = joint("leg", JointType::hinge, {{0, 1, 0}});
  leg.dofs[0].lower = -1, leg.dofs[0].upper = 1;
  m.creature.links = {link("body", -1, {joint("root", JointType::free, {})}), link("thigh", 0, {leg}),
                      link("head", 0, {joint("neck", JointType::ball, {})}),
                      link("wheel", 0, {joint("axle", JointType::hinge, {{0, 1, 0}})})};
  for (int f = 0; f <= 600; ++f) {
    const double t = f / 200.0, w = 2 * pi * t;
    m.time.push_back(t);
    const double yaw = turning * t, r = 2;
    const double x = turning == 0 ? 1.5 * t : r * std::sin(yaw),
                 y = turning == 0 ? 0 : r * (1 - std::cos(yaw));
    const Quatd roll{std::cos(0.05 * std::sin(w)), std::sin(0.05 * std::sin(w)), 0, 0};
    const Quatd rot = Quatd{std::cos(yaw / 2), 0, 0, std::sin(yaw / 2)} * roll;
    m.q.insert(m.q.end(), {x, y + 0.03 * std::sin(w), 0.5 + 0.02 * std::cos(2 * w) + drift * t * t});
    m.q.insert(m.q.end(), {rot.w, rot.x, rot.y, rot.z});
    m.q.push_back(0.4 * std::sin(w) + drift * t * t);
    const double nod = 0.2 * std::cos(w) + drift * t;
    m.q.insert(m.q.end(), {std::cos(nod), 0, std::sin(nod), 0});
    m.q.push_back(4 * pi * t);
    m.tau.insert(m.tau.end(), 11, std::sin(w));
    m.v.insert(m.v.end(), 11, 0.0);
  }
  m.channels.push_back({"phase", "1", 1, m.time});
  return m;
}

TEST(Loop, TheLastFrameEqualsTheFirst) {
  for (const double turning : {0.0, 0.3}) {
    const Motion m = loop(walk(turning, 0.01), {0.7, 1, 30, true});
    ASSERT_EQ(m.frames(), 31);
    EXPECT_EQ(m.time.front(), 0);
    EXPECT_EQ(m.time.back(), 1);
    for (int i = 0; i < 12; ++i) EXPECT_EQ(m.q[30 * 13 + i], m.q[i]) << i;
    EXPECT_NEAR(m.q[30 * 13 + 12], m.q[12] + 4 * pi, 1e-12);  // the wheel: two whole turns
    for (int i = 0; i < 11; ++i) EXPECT_EQ(m.v[30 * 11 + i], m.v[i]) << i;
    EXPECT_EQ(m.tau[30 * 11], m.tau[0]);
    EXPECT_EQ(m.channel("phase")->values.back(), m.channel("phase")->values.front());
  }
}

TEST(Loop, SpeedsJoinAtTheSeam) {
  const Motion m = loop(walk(0, 0.05), {0.7, 1, 100, true});
  const auto q = [&](int f, int i) { return m.q[std::size_t(f) * 13 + std::size_t(i)]; };
  for (const int i : {2, 7}) {
    // the second difference across the seam is that of the frames before it
    const double across = q(1, i) - q(0, i) - (q(100, i) - q(99, i));
    const double inside = q(99, i) - 2 * q(98, i) + q(97, i);
    EXPECT_NEAR(across, inside, 4e-4) << i;
  }
}

TEST(Loop, AnExactGaitIsNotChanged) {
  const Motion walked = walk(0, 0), m = loop(walked, {1, 1, 200, true});
  for (int f = 0; f <= 200; ++f) {
    const double* a = &walked.q[std::size_t(200 + f) * 13];
    const double* b = &m.q[std::size_t(f) * 13];
    EXPECT_NEAR(b[0], a[0] - 1.5 * f / 200.0, 1e-9);
    for (int i = 1; i < 13; ++i) EXPECT_NEAR(b[i], a[i], 1e-9) << "frame " << f << " coordinate " << i;
  }
}

TEST(Loop, RootMotionCanBeKept) {
  const Motion m = loop(walk(0.3, 0.01), {0.7, 1, 30, false});
  const double* a = m.q.data();
  const double* b = m.q.data() + 30 * 13;
  const std::vector<double>& travel = m.channel("travel")->values;
  EXPECT_NEAR(travel[92], 0.3, 1e-6);
  const double c = std::cos(travel[92]), s = std::sin(travel[92]);
  EXPECT_NEAR(b[0], c * a[0] - s * a[1] + travel[90], 1e-12);
  EXPECT_NEAR(b[1], s * a[0] + c * a[1] + travel[91], 1e-12);
  EXPECT_EQ(b[2], a[2]);
  EXPECT_GT(std::hypot(b[0] - a[0], b[1] - a[1]), 0.5);
  for (int i = 7; i < 12; ++i) EXPECT_EQ(b[i], a[i]);
  // the speed is that of the walk: 2 m radius at 0.3 rad/s
  EXPECT_NEAR(std::hypot(m.v[15 * 11], m.v[15 * 11 + 1]), 0.6, 0.2);
}

TEST(Loop, APlanarBodyTravelsByItsSlide) {
  Motion m;
  m.creature.links = {link(
      "body", -1, {joint("x", JointType::slide, {{1, 0, 0}}), joint("z", JointType::slide, {{0, 0, 1}})})};
  for (int f = 0; f <= 200; ++f) {
    const double t = f / 100.0;
    m.time.push_back(t);
    m.q.insert(m.q.end(), {1.2 * t + 0.1 * std::sin(2 * pi * t), 0.1 * std::cos(2 * pi * t) + 0.01 * t});
  }
  Motion out = loop(m, {0.5, 1, 50, true});
  EXPECT_EQ(out.q[100], out.q[0]);
  EXPECT_EQ(out.q[101], out.q[1]);
  out = loop(m, {0.5, 1, 50, false});
  EXPECT_NEAR(out.q[100] - out.q[0], 1.2, 1e-9);
  EXPECT_EQ(out.q[101], out.q[1]);
  EXPECT_NEAR(out.channel("travel")->values[150], 1.2, 1e-9);
}

TEST(Loop, FramesFallOnTheRateEvenWhenThePeriodDoesNot) {
  const Motion m = loop(walk(0, 0), {0, 0.99, 30, true});
  ASSERT_EQ(m.frames(), 31);
  EXPECT_EQ(m.time.back(), 1);
}

TEST(Loop, WrongStridesAreRefused) {
  const auto error_of = [](const LoopOptions& o) -> std::string {
    return legwork::error_of([&] { loop(walk(0, 0), o); });
  };
  EXPECT_EQ(error_of({2, 1, 30, true}), "");
  EXPECT_EQ(error_of({2.5, 1, 30, true}),
            "loop: the stride from 2.5 s to 3.5 s is not within the motion, 0 s to 3 s; choose another start "
            "or period");
  EXPECT_EQ(error_of({0, 0.01, 30, true}),
            "loop: a period of 0.01 s has fewer than two frames at 30 Hz; give a stride's time");
  EXPECT_EQ(error_of({0, 1, 0, true}), "loop: a rate of 0 Hz makes no frames; give one up to 100000");
}

}  // namespace
}  // namespace legwork
