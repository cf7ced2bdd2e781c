// Names of gaits on feet that do not come down cleanly.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include <legwork/gait.h>
#include "base/random.h"
#include "math/real.h"
#include "motion/gait_name.h"
#include "tests/motion/stilts.h"

namespace legwork {
namespace {

struct Feet {
  std::vector<double> phase;  // left, right of the hind pair, then forward
  double duty = 0.55, stride_time = 0.8;
  int strides = 10;
  // Shares of a stride, of one leg or all (-1): how long it lifts soon after it touched, and how long it
  // brushes the ground in the middle of its swing.
  int chatters = -1;
  double lifts = 0, brushes = 0;
  // By how much one numbered stride of a leg begins late, as a share of a stride.
  std::function<double(int leg, int stride)> late;
  std::function<double(int leg)> slower;  // times the stride time
};

Motion walk(const Feet& w) {
  Motion m;
  m.creature = stilts(int(w.phase.size()) / 2);
  m.terrain.height = 1e-6;
  const double speed = 1, rate = 200 / w.stride_time;
  for (int f = 0; f <= w.strides * w.stride_time * rate; ++f) {
    const double t = f / rate;
    m.time.push_back(t);
    m.q.insert(m.q.end(), {speed * t, 0, body_height, 1, 0, 0, 0});
    for (int leg = 0; leg < int(w.phase.size()); ++leg) {
      const double period = w.stride_time * (w.slower ? w.slower(leg) : 1);
      const double cycle = t / period - w.phase[size_t(leg)], number = std::floor(cycle);
      const double late = w.late ? w.late(leg, int(number)) : 0;
      // a stance that begins late ends in time
      const double share = cycle - number;
      bool down = share >= std::max(late, 0.0) && share < w.duty;
      if (w.late && late < 0) down = down || share >= 1 + late;
      double height = down ? 0 : 0.1;
      if (w.chatters < 0 || w.chatters == leg) {
        if (share > 0.1 && share < 0.1 + w.lifts) down = false, height = 0.02;
        const double middle = (1 + w.duty) / 2;
        if (std::abs(share - middle) < 0.5 * w.brushes) down = true, height = 0;
      }
      const double reach = speed * period;
      m.q.insert(m.q.end(), {reach * (0.5 - share), 0, height});
      m.contact_force.insert(m.contact_force.end(), {0, 0, down ? 30.0 : 0.0});
    }
    m.v.insert(m.v.end(), size_t(m.creature.nv()), 0.0);
  }
  return m;
}

const std::vector<double> tripod = {0, 0.5, 0.5, 0, 0, 0.5};
// the nearest to that tripod: no leg is more than half a cycle off
const std::vector<double> tetrapod = {0, 1.0 / 3, 1.0 / 3, -1.0 / 3, -1.0 / 3, 0};

std::vector<double> between(const std::vector<double>& a, const std::vector<double>& b, double share) {
  std::vector<double> out;
  for (size_t i = 0; i < a.size(); ++i) out.push_back(a[i] + share * (b[i] - a[i]));
  return out;
}

TEST(Chatter, ThatIsShortBesideTheStrideHidesNoGaitHoweverQuick) {
  for (const double stride_time : {0.3, 0.8, 4.0})
    for (const int leg : {-1, 0, 3}) {
      SCOPED_TRACE(std::to_string(stride_time) + " s, leg " + std::to_string(leg));
      const Gait g = measure_gait(walk(
          {.phase = tripod, .stride_time = stride_time, .chatters = leg, .lifts = 0.06, .brushes = 0.03}));
      EXPECT_EQ(g.name, "tripod");
      EXPECT_NEAR(g.stride_time, stride_time, 0.01 * stride_time);
      for (size_t k = 0; k < 6; ++k) {
        EXPECT_NEAR(std::remainder(g.legs[k].phase - tripod[k], 1), 0, 0.01);
        EXPECT_NEAR(g.legs[k].duty_factor, 0.55, 0.01);
      }
    }
}

TEST(Chatter, SwingsOfAQuickBodyAreSwings) {
  // 17 ms off the ground in every tenth of a second, as a roach's foot
  Feet feet{.phase = tripod, .duty = 0.83, .stride_time = 0.3};
  const Gait g = measure_gait(walk(feet));
  EXPECT_EQ(g.name, "tripod");
  EXPECT_NEAR(g.duty_factor, 0.83, 0.01);
}

TEST(Chatter, LongerThanThatIsSteps) {
  const Gait g = measure_gait(walk({.phase = tripod, .lifts = 0.15}));
  EXPECT_NEAR(g.stride_time, 0.4, 0.1);  // two touches in each stride
  EXPECT_EQ(g.name, "unnamed");
}

TEST(Chatter, ALateOrEarlyTouchNowAndThenMovesNoPhase) {
  for (const double late : {0.3, -0.3}) {
    const Gait g = measure_gait(walk({.phase = tripod, .strides = 16, .late = [&](int leg, int stride) {
                                        return leg == 3 && stride % 4 == 1 ? late : 0;
                                      }}));
    EXPECT_NEAR(std::remainder(g.legs[3].phase, 1), 0, 0.01) << late;
    EXPECT_EQ(g.name, "tripod") << late;
  }
}

TEST(Chatter, TouchesAtAnyTimeAreNoGait) {
  Random random(4);
  std::vector<double> late;
  for (int i = 0; i < 6 * 40; ++i) late.push_back(random.uniform(-0.44, 0.5));
  const Gait g = measure_gait(walk({.phase = tripod, .strides = 30, .late = [&](int leg, int stride) {
                                      return late[size_t(leg * 40 + std::max(stride, 0))];
                                    }}));
  EXPECT_EQ(g.name, "unnamed");
}

TEST(Chatter, HalfwayBetweenTwoGaitsIsNeither) {
  for (const double share : {0.0, 0.35})
    EXPECT_EQ(measure_gait(walk({.phase = between(tripod, tetrapod, share)})).name, "tripod") << share;
  for (const double share : {0.45, 0.5, 0.55})
    EXPECT_EQ(measure_gait(walk({.phase = between(tripod, tetrapod, share)})).name, "unnamed") << share;
  for (const double share : {0.65, 1.0})
    EXPECT_EQ(measure_gait(walk({.phase = between(tripod, tetrapod, share)})).name, "tetrapod") << share;
  EXPECT_EQ(measure_gait(walk({.phase = {0, 0.25}})).name, "unnamed");  // walk and hop
}

TEST(Chatter, OneLegFarFromItsPlaceMakesItUnnamed) {
  for (size_t leg = 1; leg < 6; ++leg)
    for (const double off : {0.18, -0.18, 0.22, -0.22}) {
      std::vector<double> phase = tripod;
      phase[leg] += off;
      EXPECT_EQ(measure_gait(walk({.phase = phase})).name, std::abs(off) < 0.2 ? "tripod" : "unnamed")
          << leg << " " << off;
    }
}

TEST(Chatter, AVibrationIsNoGait) {
  // 25 steps a second on legs of half a metre
  const Gait g = measure_gait(walk({.phase = tripod, .stride_time = 0.08, .strides = 40}));
  EXPECT_EQ(g.name, "unnamed");
}

TEST(Chatter, LegsOfDifferentStridesAreNoGait) {
  const Gait g = measure_gait(
      walk({.phase = {0, 0.5}, .strides = 16, .slower = [](int leg) { return leg == 1 ? 2 : 1; }}));
  EXPECT_EQ(g.name, "unnamed");
}

}  // namespace
}  // namespace legwork
