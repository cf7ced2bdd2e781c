// Steps, widths and headings against footprints that are known: a body on stilts that goes any way it likes,
// whichever way its root looks.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include <legwork/gait.h>
#include "math/real.h"
#include "tests/motion/stilts.h"

namespace legwork {
namespace {

struct Course {
  double speed = 1, turn = 0;         // m/s along the path; rad/s
  double travel_angle = 0;            // rad: from where the body looks on average to where it goes
  std::function<double(double)> yaw;  // rad at a time: what the root turns more than that
  double sway = 0;                    // m: half of what the body goes from side to side in a stride
  double stride_time = 0.8, duty = 0.6, width = 0.2, seconds = 8, rate = 200;
};

struct Print {
  double time;
  Vec3d at;
  bool left;
};

struct Made {
  Motion motion;
  std::vector<Print> prints;  // in order of time
};

Vec3d turned(const Vec3d& v, double angle) {
  return {v.x * std::cos(angle) - v.y * std::sin(angle), v.x * std::sin(angle) + v.y * std::cos(angle), v.z};
}

Vec3d path(const Course& c, double t) {
  if (c.turn == 0) return {c.speed * t, 0, 0};
  const double radius = c.speed / c.turn;
  return {radius * std::sin(c.turn * t), radius * (1 - std::cos(c.turn * t)), 0};
}
double looks(const Course& c, double t) { return c.turn * t - c.travel_angle; }

// A foot comes down so that the body is over its place, seen along the path, in the middle of the stance.
Vec3d print(const Course& c, double down, bool left) {
  const double middle = down + 0.5 * c.duty * c.stride_time;
  return path(c, middle) + turned({0, left ? c.width / 2 : -c.width / 2, 0}, looks(c, middle));
}

Made make(const Course& c) {
  Made m;
  m.motion.creature = stilts(1);
  m.motion.terrain.height = 1e-6;
  const double phases[] = {0, 0.5};
  for (int f = 0; f <= c.seconds * c.rate; ++f) {
    const double t = f / c.rate, yaw = looks(c, t) + (c.yaw ? c.yaw(t) : 0);
    const Vec3d aside = turned({0, c.sway * std::sin(2 * pi * t / c.stride_time), 0}, c.turn * t);
    const Vec3d body = path(c, t) + aside;
    m.motion.time.push_back(t);
    std::vector<double> q = {body.x, body.y, body_height, std::cos(yaw / 2), 0, 0, std::sin(yaw / 2)};
    for (const int leg : {0, 1}) {
      const double cycle = t / c.stride_time - phases[leg], k = std::floor(cycle), share = cycle - k;
      const double from = (k + phases[leg]) * c.stride_time;
      const bool down = share < c.duty, left = leg == 0;
      const double u = down ? 0 : (share - c.duty) / (1 - c.duty), s = u * u * (3 - 2 * u);
      const Vec3d foot = print(c, from, left) * (1 - s) + print(c, from + c.stride_time, left) * s;
      const Vec3d local = turned(foot - body, -yaw) - Vec3d{0, left ? 0.1 : -0.1, 0};
      q.insert(q.end(), {local.x, local.y, 0.1 * std::sin(pi * u)});
      m.motion.contact_force.insert(m.motion.contact_force.end(), {0, 0, down ? 30.0 : 0.0});
    }
    m.motion.q.insert(m.motion.q.end(), q.begin(), q.end());
    m.motion.v.insert(m.motion.v.end(), size_t(m.motion.creature.nv()), 0.0);
  }
  for (int k = 0; k * c.stride_time < c.seconds - c.stride_time; ++k)
    for (const int leg : {0, 1}) {
      const double down = (k + phases[leg]) * c.stride_time;
      m.prints.push_back({down, print(c, down, leg == 0), leg == 0});
    }
  return m;
}

// The trackway as it is measured in sand: every print beside the line from the print before it to the one
// after it, which is of the other foot.
struct Trackway {
  double step = 0, width = 0;
};
Trackway measure_in_sand(const std::vector<Print>& prints) {
  Trackway sum;
  int count = 0;
  for (size_t i = 1; i + 1 < prints.size(); ++i, ++count) {
    const Vec3d line = normalized(prints[i + 1].at - prints[i - 1].at), way = prints[i].at - prints[i - 1].at;
    sum.step += dot(way, line);
    sum.width += (line.x * way.y - line.y * way.x) * (prints[i].left ? 1 : -1);
  }
  return {sum.step / count, std::abs(sum.width / count)};
}

void expect_as_in_sand(const Course& c) {
  const Made m = make(c);
  const Gait g = measure_gait(m.motion);
  const Trackway sand = measure_in_sand(m.prints);
  EXPECT_NEAR(g.step_length, sand.step, 0.02 * sand.step);
  EXPECT_NEAR(g.step_width, sand.width, 0.02 * c.width);
  EXPECT_NEAR(g.speed, c.speed, 0.02 * c.speed);
  EXPECT_NEAR(std::remainder(g.travel_angle - c.travel_angle, 2 * pi), 0, 0.02);
  EXPECT_NEAR(g.heading_drift, c.turn * c.stride_time * (g.strides - 1), 0.02);
  EXPECT_EQ(g.name, "walk");
}

constexpr double degree = pi / 180;

TEST(Travel, AStraightWalkIsMeasuredByItsFootprints) { expect_as_in_sand({}); }

TEST(Travel, SwayingDoesNotTurnTheHeading) { expect_as_in_sand({.sway = 0.04}); }

TEST(Travel, ARootThatYawsByFortyDegreesChangesNothing) {
  expect_as_in_sand({.yaw = [](double t) { return 40 * degree * std::sin(2 * pi * t / 0.8); }});
  expect_as_in_sand({.travel_angle = 40 * degree});
  expect_as_in_sand({.travel_angle = -40 * degree, .sway = 0.03});
}

TEST(Travel, ATurningWalkIsMeasuredByItsFootprints) {
  expect_as_in_sand({.turn = 0.3});
  expect_as_in_sand({.turn = -0.3, .yaw = [](double t) { return 40 * degree * std::sin(2 * pi * t / 0.8); }});
}

TEST(Travel, AFullCircleAndMoreIsDrift) {
  Course c{.speed = 0.8, .turn = 0.8, .seconds = 12};
  const Gait g = measure_gait(make(c).motion);
  EXPECT_GT(g.heading_drift, 2 * pi);
  EXPECT_NEAR(g.heading_drift, 0.8 * 0.8 * (g.strides - 1), 0.02);
}

TEST(Travel, BackwardWalksHaveASpeedAndAreToldByTheirAngle) {
  expect_as_in_sand({.speed = 0.7, .travel_angle = pi});
  expect_as_in_sand({.speed = 0.7, .turn = 0.2, .travel_angle = pi});
}

TEST(Travel, SidewaysWalksHaveStepsAlongTheirWay) {
  expect_as_in_sand({.speed = 0.5, .travel_angle = 90 * degree});
  expect_as_in_sand({.speed = 0.5, .travel_angle = -90 * degree});
}

TEST(Travel, ABodyThatStaysHasItsOwnHeading) {
  Course c{.speed = 0, .yaw = [](double t) { return 0.5 * t; }};
  const Gait g = measure_gait(make(c).motion);
  EXPECT_NEAR(g.speed, 0, 1e-3);
  EXPECT_TRUE(std::isnan(g.travel_angle));
  EXPECT_NEAR(g.heading_drift, 0.5 * 0.8 * (g.strides - 1), 0.02);
}

TEST(Travel, ABodyThatSpinsAlongAStraightPathDriftsAndItsStepsStayTheSame) {
  const Gait g = measure_gait(make({.yaw = [](double t) { return 0.3 * t; }}).motion);
  EXPECT_NEAR(g.heading_drift, 0.3 * 0.8 * (g.strides - 1), 0.01);
  EXPECT_NEAR(g.step_length, 0.4, 0.01);
  EXPECT_NEAR(g.speed, 1, 0.01);
}

}  // namespace
}  // namespace legwork
