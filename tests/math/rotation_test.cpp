// Rotation vectors: there and back, and what they do to a point.

#include "math/rotation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "math/curves.h"

namespace legwork {
namespace {

Vec3d random_vector(Random& random, double length) {
  return normalized(Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}) * length;
}

TEST(Rotation, TurnsAPointAsRodriguesFormulaSays) {
  Random random(1, 0);
  for (const double angle : {1e-14, 1e-6, 0.3, 2.0, 3.1, 6.0}) {
    const Vec3d r = random_vector(random, angle), axis = r * (1 / angle), p{0.3, -0.7, 1.1};
    const Vec3d expected = p * std::cos(angle) + cross(axis, p) * std::sin(angle) +
                           axis * (dot(axis, p) * (1 - std::cos(angle)));
    EXPECT_LT(norm(matrix(rotation_quaternion(r)) * p - expected), 1e-14) << angle;
  }
}

TEST(Rotation, VectorOfAQuaternionIsTheShorterWayRound) {
  Random random(2, 0);
  for (const double angle : {1e-14, 1e-6, 0.3, 2.0, 3.1}) {
    const Vec3d r = random_vector(random, angle);
    const Quatd q = rotation_quaternion(r);
    EXPECT_LT(norm(rotation_vector(q) - r), 1e-14) << angle;
    EXPECT_LT(norm(rotation_vector(Quatd{-q.w, -q.x, -q.y, -q.z}) - r), 1e-14) << angle;
  }
  const Vec3d long_way = random_vector(random, 2 * pi - 0.5);
  EXPECT_LT(norm(rotation_vector(rotation_quaternion(long_way)) + normalized(long_way) * 0.5), 1e-14);
}

TEST(Rotation, EveryBatchLaneHasTheBitsOfTheScalar) {
  Random random(3, 0);
  Vec3<Batch> r;
  for (int i = 0; i < batch_lanes; ++i) {
    const Vec3d lane = random_vector(random, i == 0 ? 1e-13 : 0.4 * i);
    r.x.set(i, lane.x), r.y.set(i, lane.y), r.z.set(i, lane.z);
  }
  const Quat<Batch> q = rotation_quaternion(r);
  const Vec3<Batch> back = rotation_vector(q);
  for (int i = 0; i < batch_lanes; ++i) {
    const Quatd one = rotation_quaternion(Vec3d{r.x[i], r.y[i], r.z[i]});
    const Vec3d there = rotation_vector(one);
    EXPECT_TRUE(q.w[i] == one.w && q.x[i] == one.x && q.y[i] == one.y && q.z[i] == one.z) << i;
    EXPECT_TRUE(back.x[i] == there.x && back.y[i] == there.y && back.z[i] == there.z) << i;
  }
}

TEST(Curves, ASmoothStepRisesOnceAndRestsAtItsEnds) {
  EXPECT_EQ(smooth_step(-1), 0);
  EXPECT_EQ(smooth_step(0.5), 0.5);
  EXPECT_EQ(smooth_step(2), 1);
  for (double u = 0; u < 1; u += 0.05) EXPECT_LT(smooth_step(u), smooth_step(u + 0.05));
  for (const double end : {0.0, 1.0})
    EXPECT_NEAR((smooth_step(end + 1e-6) - smooth_step(end - 1e-6)) / 2e-6, 0, 1e-5);
}

TEST(Curves, AFractionLiesInItsCycleAlsoBelowZero) {
  EXPECT_EQ(fraction(2.25), 0.25);
  EXPECT_EQ(fraction(-0.25), 0.75);
  EXPECT_EQ(fraction(-3), 0);
}

}  // namespace
}  // namespace legwork
