#include "motion/resample.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/real.h"

namespace legwork {
namespace {

// A ball joint that turns about z at 2 rad/s, and a slide that moves at 3 m/s; recorded at 10 Hz.
Motion turning() {
  Motion m;
  Link link;
  link.name = "top", link.mass = 1, link.inertia = Sym3d::diagonal(1, 1, 1);
  Joint slide, ball;
  slide.name = "slide", slide.type = JointType::slide, slide.axes = {{1, 0, 0}}, slide.dofs.resize(1);
  ball.name = "ball", ball.type = JointType::ball, ball.dofs.resize(3);
  link.joints = {slide, ball};
  m.creature.links = {link};
  for (int f = 0; f <= 10; ++f) {
    const double t = 1 + 0.1 * f;
    m.time.push_back(t);
    m.q.insert(m.q.end(), {3 * t, std::cos(t), 0, 0, std::sin(t)});
    m.v.insert(m.v.end(), {3, 0, 0, 2});
  }
  m.channels.push_back({"pair", "m", 2, {}});
  for (int f = 0; f <= 10; ++f)
    m.channels[0].values.insert(m.channels[0].values.end(), {double(f), -double(f)});
  m.status = Status::stopped;
  m.made.seed = 7;
  return m;
}

TEST(Resample, BetweenFramesTurnsAreAtConstantSpeedAndTheRestIsLinear) {
  const Motion fine = resample(turning(), 40);
  ASSERT_EQ(fine.frames(), 41);
  for (int f = 0; f < 41; ++f) {
    const double t = 1 + f / 40.0;
    EXPECT_NEAR(fine.time[f], t, 1e-15);
    EXPECT_NEAR(fine.q[5 * f], 3 * t, 1e-12);
    EXPECT_NEAR(fine.q[5 * f + 1], std::cos(t), 1e-12);
    EXPECT_NEAR(fine.q[5 * f + 4], std::sin(t), 1e-12);
    EXPECT_NEAR(fine.v[4 * f], 3, 1e-12);
    EXPECT_NEAR(fine.channels[0].values[2 * f + 1], -f / 4.0, 1e-9);
  }
  EXPECT_EQ(fine.status, Status::stopped);
  EXPECT_EQ(fine.made.seed, 7u);
  EXPECT_TRUE(fine.tau.empty());
}

TEST(Resample, FramesThatWereRecordedComeOutBitForBit) {
  const Motion m = turning();
  const Motion coarse = resample(m, 5);
  ASSERT_EQ(coarse.frames(), 6);
  for (int f = 0; f < 6; ++f)
    for (int i = 0; i < 5; ++i) EXPECT_EQ(coarse.q[5 * f + i], m.q[10 * f + i]);
  const Motion same = resample(m, 0);
  EXPECT_EQ(same.time, m.time);
  EXPECT_EQ(same.q, m.q);
  EXPECT_EQ(same.channels[0].values, m.channels[0].values);
}

TEST(Resample, TheLastFrameEndsTheListEvenOffTheGrid) {
  EXPECT_EQ(sample_times(turning(), 10).size(), 11u);
  const std::vector<double> times = sample_times(turning(), 3);
  ASSERT_EQ(times.size(), 4u);
  EXPECT_NEAR(times[2], 1 + 2.0 / 3, 1e-15);
  EXPECT_EQ(times[3], 2.0);
  const std::vector<double> odd = sample_times(turning(), 0.7);
  ASSERT_EQ(odd.size(), 2u);
  EXPECT_EQ(odd[1], 2.0);
}

TEST(Resample, TimesMayComeInAnyOrderAndFromOutside) {
  const Motion m = turning();
  const Model<double> model = make_model(m.creature);
  Sampler sampler(model, m);
  double q[5];
  for (const double t : {1.95, 1.05, 0.0, 5.0, 1.5}) {
    sampler.at(t);
    sampler.positions(q);
    EXPECT_NEAR(q[0], 3 * std::min(std::max(t, 1.0), 2.0), 1e-12) << t;
  }
}

TEST(Resample, VelocitiesComeBackFromPositionsAlone) {
  Motion m = turning();
  const std::vector<double> recorded = m.v;
  m.v.clear();
  fill_velocities(make_model(m.creature), 10, m);
  ASSERT_EQ(m.v.size(), recorded.size());
  for (size_t i = 0; i < recorded.size(); ++i) EXPECT_NEAR(m.v[i], recorded[i], 1e-12) << i;
}

}  // namespace
}  // namespace legwork
