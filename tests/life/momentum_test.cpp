#include "life/momentum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "math/real.h"

namespace legwork {
namespace {

constexpr int n = MomentumCycle::samples;

// Two legs under a body that is a metre high.
MomentumProblem biped(double speed, double period, double duty) {
  MomentumProblem p;
  p.com = {0, 0, 1}, p.inertia = {0.1, 0.1, 0.02};
  p.speed = speed, p.period = period;
  for (const double side : {1.0, -1.0}) {
    LegSupport leg;
    leg.begin = side > 0 ? 0 : 0.5, leg.duty = duty;
    leg.foot = {0, 0.08 * side, 0}, leg.hip = {0, 0.08 * side, 0.9};
    p.legs.push_back(leg);
  }
  return p;
}

// Fore feet follow the hind feet of their side by `lag` of a cycle.
MomentumProblem quadruped(double lag, double duty) {
  MomentumProblem p;
  p.com = {0, 0, 0.5}, p.inertia = {0.005, 0.03, 0.03};
  p.speed = 0.9, p.period = 0.75;
  for (const double ahead : {-0.2, 0.2})
    for (const double side : {1.0, -1.0}) {
      LegSupport leg;
      leg.begin = (side > 0 ? 0 : 0.5) + (ahead > 0 ? lag : 0), leg.duty = duty;
      leg.foot = {ahead, 0.08 * side, 0}, leg.hip = {ahead, 0.08 * side, 0.45};
      p.legs.push_back(leg);
    }
  return p;
}

double range(const MomentumCycle& cycle, int k) {
  double low = cycle.shift[0][k], high = low;
  for (const Vec3d& s : cycle.shift) low = std::min(low, s[k]), high = std::max(high, s[k]);
  return high - low;
}
double height_at(const MomentumCycle& cycle, double share) {
  return cycle.shift[size_t(std::lround(share * n)) % size_t(n)].z;
}

TEST(Momentum, APeriodicSolutionIsThatOfTheOscillator) {
  // x'' + c x' + k x = cos(w t): amplitude and phase in closed form
  const double period = 0.8, w = 2 * pi / period, c = 3, k = 40;
  std::vector<double> stiff(384, k), push;
  for (int i = 0; i < 384; ++i) push.push_back(cos(2 * pi * i / 384));
  const std::vector<double> x = periodic_solution(stiff, c, push, period);
  const double d = (k - w * w) * (k - w * w) + c * c * w * w;
  for (int i = 0; i < 384; i += 17) {
    const double a = 2 * pi * i / 384;
    EXPECT_NEAR(x[size_t(i)], ((k - w * w) * cos(a) + c * w * sin(a)) / d, 3e-6)
        << "differences of second order: 1e-4 of the amplitude";
  }
}

TEST(Momentum, FeetCarryTheWeightAndOnlyPress) {
  for (const MomentumProblem& p : {biped(1.3, 1, 0.62), biped(3, 0.7, 0.35), quadruped(0.15, 0.65)}) {
    const MomentumCycle cycle = find_momentum(p);
    double sum = 0;
    for (const std::vector<double>& press : cycle.press)
      for (const double f : press) {
        EXPECT_GE(f, 0);
        sum += f / n;
      }
    EXPECT_NEAR(sum, 1, 1e-12);
    // the height moves as these forces make it
    const double dt = p.period / n;
    for (int i = 1; i + 1 < n; ++i) {
      double total = 0;
      for (const std::vector<double>& press : cycle.press) total += press[size_t(i)];
      const double up =
          (cycle.shift[size_t(i) + 1].z - 2 * cycle.shift[size_t(i)].z + cycle.shift[size_t(i) - 1].z) /
          (dt * dt);
      EXPECT_NEAR(up, p.gravity * (total - 1), 1e-6);
    }
  }
}

TEST(Momentum, WalksVaultAndRunsBounce) {
  // highest over the standing foot in a walk, lowest in a run
  const MomentumCycle walk = find_momentum(biped(1.3, 1, 0.62)), run = find_momentum(biped(3, 0.7, 0.35));
  EXPECT_GT(height_at(walk, 0.31), height_at(walk, 0.06) + 0.01);
  EXPECT_LT(height_at(run, 0.175), height_at(run, 0.425) - 0.03);
  EXPECT_GT(walk.two_humps, 0.2);
  EXPECT_LT(std::fabs(run.two_humps), 0.15);
}

TEST(Momentum, BodiesSwayTowardsTheFootThatStands) {
  const MomentumCycle walk = find_momentum(biped(1.3, 1, 0.62));
  EXPECT_GT(walk.shift[size_t(0.31 * n)].y, 0.002);
  EXPECT_NEAR(walk.shift[size_t(0.31 * n)].y, -walk.shift[size_t(0.31 * n) + n / 2].y, 1e-9);
}

// Griffin, Main, Farley, J. Exp. Biol. 207 (2004): fore and hind quarters offset each other at a quarter of
// the stride and bodies of equal halves.
TEST(Momentum, FourLegsAQuarterApartWalkFlatAndThoseOfDogsDoNot) {
  const double flat = range(find_momentum(quadruped(0.25, 0.65)), 2),
               dog = range(find_momentum(quadruped(0.15, 0.65)), 2);
  EXPECT_GT(dog, 5 * flat);
}

TEST(Momentum, WeightIsSharedUnderTheCentreOfMass) {
  MomentumProblem p = quadruped(0.5, 0.5);
  p.com.x = 0.06;
  const std::vector<double> shares = weight_shares(p.legs, p.com);
  double sum = 0, at = 0;
  for (size_t l = 0; l < shares.size(); ++l) sum += shares[l], at += shares[l] * p.legs[l].foot.x;
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_NEAR(at, 0.06, 1e-6);
  EXPECT_NEAR(shares[2] + shares[3], 0.65, 1e-6);
}

}  // namespace
}  // namespace legwork
