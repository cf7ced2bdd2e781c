#include <gtest/gtest.h>

#include <cmath>

#include <legwork/files.h>
#include "math/real.h"
#include "reach/constrain.h"
#include "tests/scenes/error_of.h"

namespace legwork::reaching {
namespace {

constexpr double deg = pi / 180;

Girdle girdle(const std::string& creature, const std::string& limb) {
  return girdles_of(load_creature(creature), limb).at(0);
}

struct Stated {
  const char *creature, *limb;
  double resolution, samples;
};

TEST(LimbSpace, TheDissertationsTenSampleCountsComeOutExactly) {
  for (const Stated& s : {Stated{"wills_dog", "hind", 4, 308000},
                          {"wills_dog", "hind", 5, 80640},
                          {"wills_dog", "fore", 4, 3326400},
                          {"wills_reptile", "hind", 5.5, 7076160},
                          {"wills_reptile", "fore", 5.5, 2857680},
                          {"apatosaurus", "hind", 4, 87975},
                          {"apatosaurus", "fore", 4, 5221125},
                          {"triceratops", "hind", 4, 350784},
                          {"triceratops", "fore", 4, 1272960},
                          {"tyrannosaurus", "hind", 4, 2882880}}) {
    const Grid grid = make_grid(girdle(s.creature, s.limb).limb, s.resolution * deg, 0.05);
    EXPECT_EQ(grid.total, s.samples) << s.creature << " " << s.limb << " at " << s.resolution;
  }
}

TEST(LimbSpace, EverySampleIsWhereTheChainsKinematicsPutTheGirdle) {
  for (const char* name : {"wills_dog", "apatosaurus", "triceratops", "tyrannosaurus", "roach"}) {
    const Girdle g = girdle(name, "hind");
    const Placement foot = planted(g.limb, {0.1, 0.5});
    const Grid grid = make_grid(g.limb, 14 * deg, 0.1);
    const Space space = explore(g.limb, foot, grid, 2);
    ASSERT_EQ(double(space.size()), grid.total);
    for (size_t i = 0; i < space.size(); i += space.size() / 37 + 1) {
      const RootPose a = space.pose(i), b = root_pose(g.limb, foot, grid.configuration(std::uint32_t(i)));
      EXPECT_LT(norm(a.at - b.at), 3 * space.unit_length) << name;
      EXPECT_NEAR(a.turns.pitch, b.turns.pitch, 2e-4);
      EXPECT_NEAR(a.turns.yaw, b.turns.yaw, 2e-4);
      EXPECT_NEAR(a.turns.roll, b.turns.roll, 2e-4);
    }
  }
}

TEST(LimbSpace, JointsWithoutARangeStayAsTheyStand) {
  const Girdle g = girdle("roach", "hind");
  EXPECT_EQ(g.limb.held, (std::vector<std::string>{"rh_ankle", "rh_tarsus"}));
  // coxa, femur, tibia; and the root's turns, since the leg stands on a point
  ASSERT_EQ(g.limb.fdofs.size(), 6u);
  std::vector<double> values;
  for (const Fdof& f : g.limb.fdofs) values.push_back(f.upper);
  const std::vector<double> q = g.limb.configuration(values);
  ASSERT_EQ(q.size(), 5u);
  EXPECT_EQ(q[1], g.limb.fdofs[1].upper);
  EXPECT_EQ(q[3], g.limb.rest_q[3]);
  EXPECT_EQ(q[4], g.limb.rest_q[4]);
}

TEST(LimbSpace, TheFootStaysWhereItWasPlanted) {
  // appendix F in reverse: put the girdle where the sample says, and the foot is on its print
  const Girdle g = girdle("wills_reptile", "fore");
  const Placement foot = planted(g.limb, {});
  std::vector<double> values;
  for (const Fdof& f : g.limb.fdofs) values.push_back(f.value(0.37));
  const RootPose pose = root_pose(g.limb, foot, values);
  Placement girdle{matrix_of(pose.turns) * g.limb.girdle_stand, {}};
  girdle.p = pose.at - girdle.R * g.limb.root;
  const Placement back = girdle * g.limb.foot(g.limb.configuration(values));
  EXPECT_LT(norm(back.p - foot.p), 1e-12);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(back.R(i, j), foot.R(i, j), 1e-12);
}

TEST(LimbSpace, TheStandingPoseIsTheOrigin) {
  for (const char* name : {"wills_dog", "wills_reptile", "apatosaurus", "triceratops"})
    for (const Girdle& g : girdles_of(load_creature(name), "")) {
      std::vector<double> values;
      for (const Fdof& f : g.limb.fdofs) values.push_back(f.rest);
      const RootPose pose = root_pose(g.limb, planted(g.limb, {}), values);
      EXPECT_LT(std::hypot(pose.at.x, pose.at.y), 1e-9) << name << " " << g.name;
      EXPECT_LT(std::fabs(pose.at.z), 1e-3) << name << " " << g.name;  // what its sole is off the ground
      EXPECT_LT(std::fabs(pose.turns.pitch) + std::fabs(pose.turns.yaw) + std::fabs(pose.turns.roll), 1e-9);
    }
}

TEST(LimbSpace, ThreadsDoNotChangeIt) {
  const Girdle g = girdle("triceratops", "fore");
  const Grid grid = make_grid(g.limb, 9 * deg, 0.1);
  const Space a = explore(g.limb, planted(g.limb, {}), grid, 1),
              b = explore(g.limb, planted(g.limb, {}), grid, 3);
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.yaw, b.yaw);
  EXPECT_EQ(organise(a, 30, 1).order, organise(b, 30, 3).order);
}

TEST(LimbSpace, BoxesHoldEverySampleOnceByRisingPitch) {
  const Girdle g = girdle("apatosaurus", "hind");
  const Space s = explore(g.limb, planted(g.limb, {}), make_grid(g.limb, 6 * deg, 0.05), 2);
  const Boxes b = organise(s, 40, 2);
  EXPECT_EQ(b.nx, 40);
  EXPECT_EQ(b.begin.back(), s.size());
  std::vector<int> seen(s.size());
  for (int box = 0; box < b.count(); ++box)
    for (std::uint32_t i = b.begin[size_t(box)]; i < b.begin[size_t(box) + 1]; ++i) {
      ++seen[b.order[i]];
      EXPECT_EQ(b.box_of(s.pose(b.order[i]).at), box);
      if (i > b.begin[size_t(box)]) EXPECT_GE(b.pitch[i], b.pitch[i - 1]);
    }
  for (const int n : seen) EXPECT_EQ(n, 1);
}

TEST(Constrain, SiblingsAreTheNearestByBruteForce) {
  const Girdle g = girdle("triceratops", "hind");
  const Space s = explore(g.limb, planted(g.limb, {}), make_grid(g.limb, 9 * deg, 0.05), 2);
  const Boxes b = organise(s, 25, 2);
  const double half = 0.5, epsilon = 4 * deg;
  const Constrained c = constrain(s, b, half, epsilon, 2);
  ASSERT_GT(c.sample.size(), 20u);
  std::vector<int> sibling_of(s.size(), -1);
  for (size_t i = 0; i < c.sample.size(); ++i) sibling_of[c.sample[i]] = int(c.sibling[i]);
  for (size_t i = 0; i < s.size(); i += 7) {
    const int other = sibling_box(b, b.box_of(s.pose(i).at), half);
    double best = 1e300;
    for (std::uint32_t k = other < 0 ? 0 : b.begin[size_t(other)];
         other >= 0 && k < b.begin[size_t(other) + 1]; ++k) {
      const std::uint32_t j = b.order[k];
      const double p = s.pitch[j] - s.pitch[i], y = s.yaw[j] + s.yaw[i], r = s.roll[j] + s.roll[i];
      best = std::min(best, p * p + y * y + r * r);
    }
    if (std::sqrt(best / 3) * s.unit_angle > epsilon * 1.001) {
      EXPECT_EQ(sibling_of[i], -1);
    } else if (std::sqrt(best / 3) * s.unit_angle < epsilon * 0.999) {
      ASSERT_GE(sibling_of[i], 0);
      const size_t j = size_t(sibling_of[i]);
      const double p = s.pitch[j] - s.pitch[i], y = s.yaw[j] + s.yaw[i], r = s.roll[j] + s.roll[i];
      EXPECT_EQ(p * p + y * y + r * r, best);
    }
  }
}

TEST(Constrain, WaysOfAStepAgreeWithTimesAtEvenSpeed) {
  for (const double duty : {0.55, 0.6, 0.75}) {
    const Ways feet = ways_of(1, duty, StepOf::feet), stance = ways_of(1, duty, StepOf::stance);
    EXPECT_NEAR(feet.half, 1, 1e-15);
    EXPECT_NEAR(feet.stance, 2 * duty, 1e-15);
    EXPECT_NEAR(feet.dual / (2 * feet.half), duty - 0.5, 1e-15);
    EXPECT_NEAR(stance.stance, 1, 1e-15);
    EXPECT_NEAR(stance.dual / (2 * stance.half), duty - 0.5, 1e-15);
  }
}

TEST(LimbSpace, BodiesThatCannotReachSayWhatToAdd) {
  const auto error_of = [](Creature c) -> std::string {
    return legwork::error_of([&] { girdles_of(c, ""); });
  };
  EXPECT_NE(error_of(load_creature("box")).find("has no legs; add to its file"), std::string::npos);
  Creature loose = load_creature("roach");
  for (Link& link : loose.links)
    for (Joint& joint : link.joints)
      for (Dof& dof : joint.dofs) dof.lower = -unlimited, dof.upper = unlimited;
  EXPECT_NE(error_of(loose).find("has no range, and reach explores ranges; add range = [-40, 40]"),
            std::string::npos);
  try {
    girdles_of(load_creature("tyrannosaurus"), "fore");
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "reach: limb: 'tyrannosaurus' has no girdle 'fore'; one of: hind");
  }
}

// Legs that name no girdle: every right leg walks with the left leg of its own name.
TEST(Girdles, PairsOfOneGirdleAreToldApartByTheirNames) {
  Creature body = load_creature("hexapod");
  for (Leg& leg : body.legs) leg.girdle.clear();
  const std::vector<Girdle> girdles = girdles_of(body, "", Foot::automatic);
  ASSERT_EQ(girdles.size(), 3u);
  for (const Girdle& g : girdles)
    EXPECT_EQ(body.legs[size_t(g.left)].name, "l" + body.legs[size_t(g.right)].name.substr(1));
}

}  // namespace
}  // namespace legwork::reaching
