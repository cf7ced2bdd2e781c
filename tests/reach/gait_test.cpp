// Whole runs: every shipped body, on small searches.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <legwork/files.h>
#include <legwork/gait.h>
#include "formats/table/trackway_csv.h"
#include "math/real.h"
#include "reach/reach.h"
#include "tests/scenes/error_of.h"

namespace legwork::reaching {
namespace {

ReachOptions quick(double resolution, double step) {
  ReachOptions o;
  o.resolution = resolution;
  o.step = {step, true};
  o.genetic.population = 100, o.genetic.iterations = 150;
  o.boxes = 30, o.epsilon = 5;
  return o;
}

std::string error_of(const World& world, const ReachOptions& o) {
  return legwork::error_of([&] { find_gait(world, o); });
}

TEST(Reach, FeetStayPlantedAndBothLimbsAgree) {
  for (const char* name : {"tyrannosaurus", "triceratops"}) {
    ReachOptions o = quick(name[0] == 't' && name[1] == 'y' ? 8 : 7, 0.3);
    o.limb = "hind";
    const Findings r = find_gait(load_world(name), o);
    EXPECT_LT(r.planted_error, 1e-3) << name;
    EXPECT_LT(r.planted_angle, 0.1 * pi / 180) << name;
    EXPECT_LT(r.dual_error, 1e-3) << name;
    EXPECT_GT(r.raw.dual_error, r.dual_error);
    const Gait g = measure_gait(motion_of(r, o, load_world(name)));
    EXPECT_NEAR(g.stride_length, r.plan.stride, 0.02 * r.plan.stride) << name;
    EXPECT_EQ(g.stances_from, StancesFrom::plan) << name;
    EXPECT_NEAR(g.duty_factor, 0.6, 0.04) << name;
    EXPECT_LT(g.slip, 1e-3) << name;
  }
}

// The body neither stops in dual support nor jumps: its speed over a stride, as shares of the mean.
std::pair<double, double> speeds(const Findings& r) {
  const size_t n = r.q.size();
  double least = 1e300, most = -1e300;
  for (size_t f = 0; f < n; ++f) {
    const double way = r.q[(f + 1) % n][0] + (f + 1 == n ? r.plan.stride : 0) - r.q[f][0];
    least = std::min(least, way * double(n) / r.plan.stride);
    most = std::max(most, way * double(n) / r.plan.stride);
  }
  return {least, most};
}

TEST(Reach, TheBodyGlidesThroughItsEvents) {
  for (const char* name : {"tyrannosaurus", "triceratops", "apatosaurus"}) {
    ReachOptions o = quick(8, 0.3);
    o.limb = "hind";
    const auto [least, most] = speeds(find_gait(load_world(name), o));
    EXPECT_GT(least, 0.4) << name;
    EXPECT_LT(most, 1.7) << name;
  }
}

TEST(Reach, AQuadrupedsTrunkIsWholeAndItsFeetArePlanted) {
  ReachOptions o = quick(8, 0.3);
  o.trunk_tolerance = 9;
  const Findings r = find_gait(load_world("triceratops"), o);
  EXPECT_EQ(r.girdles.size(), 2u);
  EXPECT_LT(r.planted_error, 1e-3);
  EXPECT_LT(r.trunk_gap, 1e-3);
  EXPECT_GT(r.raw.trunk_gap, 0);
  EXPECT_EQ(r.plan.feet.size(), 4u);
}

TEST(Reach, RangesAreKeptInEveryFrame) {
  ReachOptions o = quick(8, 0.3);
  o.limb = "hind";
  const Findings r = find_gait(load_world("apatosaurus"), o);
  for (const auto& q : r.q)
    for (const bool left : {false, true}) {
      const Girdle& g = r.problem.girdles[0].girdle;
      const std::vector<double> values = limb_values(g, left, q);
      for (size_t k = 0; k < values.size(); ++k) {
        EXPECT_GE(values[k], g.limb.fdofs[k].lower - 1e-9);
        EXPECT_LE(values[k], g.limb.fdofs[k].upper + 1e-9);
      }
    }
}

TEST(Reach, ASwitchedOffDegreeOfFreedomDoesNotMove) {
  ReachOptions o = quick(8, 0.3);
  o.limb = "hind";
  o.off = {"hip.abduct"};
  const Findings r = find_gait(load_world("triceratops"), o);
  for (const auto& [name, excursion] : r.girdles[0].observables.excursion)
    if (name.find("abduct") != std::string::npos) EXPECT_LT(excursion, 1e-9) << name;
  EXPECT_EQ(r.problem.girdles[0].space.grid.count[1], 1);
}

TEST(Reach, RefinementRaisesTheFitness) {
  ReachOptions o = quick(8, 0.3);
  o.limb = "hind";
  o.raw = true;
  o.refine = 1;
  const Findings r = find_gait(load_world("triceratops"), o);
  EXPECT_GE(r.refined_fitness, r.fitness * (1 - 1e-3));
}

TEST(Reach, TheAnkleStudyKeepsTheHipsHeight) {
  const Creature c = load_creature("tyrannosaurus");
  for (const double ankle : {0.5, 2.0}) {
    ReachOptions o;
    o.ankle = ankle;
    const Creature scaled = prepare_body(c, o);
    EXPECT_NEAR(hip_height(scaled), hip_height(c), 1e-6 * hip_height(c));
    const int metatarsus = c.link("rh_metatarsus"), pes = c.link("rh_pes");
    (void)metatarsus;
    EXPECT_NEAR(norm(scaled.links[size_t(pes)].pos), ankle * norm(c.links[size_t(pes)].pos), 1e-9);
  }
}

TEST(Reach, AStepTooLongNamesTheLongestFeasibleOne) {
  ReachOptions o = quick(8, 3);
  o.limb = "hind";
  o.stage = Stage::constrain;
  const std::string text = error_of(load_world("apatosaurus"), o);
  EXPECT_NE(text.find("is too long for 'rh'; the longest feasible step is"), std::string::npos) << text;
  const size_t at = text.find("try --step ");
  ASSERT_NE(at, std::string::npos);
  o.step = parse_length(text.substr(at + 11));
  EXPECT_EQ(error_of(load_world("apatosaurus"), o), "");
}

TEST(Reach, ASpaceOffTheSagittalPlaneIsDiagnosed) {
  ReachOptions o = quick(6, 0.34);
  o.limb = "hind";
  o.foot_yaw = 40;
  const std::string text = error_of(load_world("apatosaurus"), o);
  EXPECT_NE(text.find("planar, but turned by -40"), std::string::npos) << text;
  EXPECT_NE(text.find("try --foot-yaw"), std::string::npos) << text;
}

TEST(Reach, TooFineAResolutionIsRefusedWithTheNumber) {
  ReachOptions o = quick(1, 0.34);
  const std::string text = error_of(load_world("apatosaurus"), o);
  EXPECT_EQ(text.find("reach: resolution: 1 deg makes 2.452e+10 samples of 'rf', and in all would need"), 0u)
      << text;
  EXPECT_NE(text.find("--memory allows 2 GB: try --resolution"), std::string::npos) << text;
}

TEST(Reach, SittingDownKeepsTheFeetPlanted) {
  ReachOptions o = quick(10, 0.3);
  o.task = Kind::sit_stand;
  o.depth = 0.25;
  const Findings r = find_gait(load_world("wills_dog"), o);
  EXPECT_GT(r.sunk, 0.1);
  EXPECT_LT(r.planted_error, 1e-3);
  EXPECT_EQ(r.q.front(), r.q.back());
}

TEST(Reach, SameSeedGivesTheSameMotionOnAnyNumberOfThreads) {
  ReachOptions o = quick(9, 0.3);
  o.limb = "hind";
  const World world = load_world("triceratops");
  EXPECT_EQ(find_gait(world, o, {}, {.threads = 1}).q, find_gait(world, o, {}, {.threads = 3}).q);
}

TEST(Trackway, IsWalkedWithItsStepWidthAndFootYaw) {
  Extras extras;
  extras.trackway = read_trackway(LEGWORK_CREATURES_DIR "/../examples/trackway.csv");
  const TrackwayMeasures m = measure_trackway(extras.trackway, "hind");
  EXPECT_NEAR(m.step, 0.3, 0.01);
  ReachOptions o = quick(12, 0.3);
  const Findings r = find_gait(load_world("human"), o, extras);
  EXPECT_NEAR(r.plan.stride, 2 * m.step, 1e-9);
  EXPECT_LT(r.planted_error, 1e-3);
  const auto sole = [&](size_t k) {
    const Footfall& f = r.plan.feet[k];
    return f.print.p + f.print.R * r.creature.legs[size_t(f.leg)].sole;
  };
  EXPECT_NEAR(std::fabs(sole(0).y - sole(1).y), m.width, 1e-9);
  EXPECT_NEAR(r.options.foot_yaw * pi / 180, m.yaw, 1e-12);
}

TEST(Trackway, MeasuresAStraightOneExactly) {
  std::vector<Footprint> prints;
  for (int i = 0; i < 6; ++i) prints.push_back({"hind", i % 2 == 1, {0.5 * i, i % 2 ? 0.15 : -0.15, 0}, 0.1});
  const TrackwayMeasures m = measure_trackway(prints, "hind");
  EXPECT_NEAR(m.step, 0.5, 0.01);
  EXPECT_NEAR(m.stride, 1.0, 0.01);
  EXPECT_NEAR(m.width, 0.3, 0.06);
  EXPECT_NEAR(m.yaw, 0.1, 1e-12);
}

}  // namespace
}  // namespace legwork::reaching
