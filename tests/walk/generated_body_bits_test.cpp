// The bodies of the walkers' benchmark: sound, of every announced kind, the same bits everywhere.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include <legwork/gait.h>
#include "creature/check.h"
#include "creature/place.h"
#include "formats/toml/creature_toml.h"
#include "tests/scenes/generated_body.h"

namespace legwork {
namespace {

constexpr int bodies = 200;

double foot_mass(const Creature& c) {
  double mass = 0;
  for (const Link& link : c.links)
    if (link.name[0] == 'l' || link.name[0] == 'r' || link.name[0] == 'm') mass += link.mass;
  return mass;
}

std::uint64_t hash(const Creature& c) {
  std::uint64_t h = 14695981039346656037ull;
  const auto add = [&](double x) { h = (h ^ std::bit_cast<std::uint64_t>(x)) * 1099511628211ull; };
  for (const Link& link : c.links) {
    for (const double x : {link.mass, link.pos.x, link.pos.y, link.pos.z, link.rot.w, link.rot.z, link.com.x,
                           link.inertia.xx, link.inertia.yy, link.inertia.zz})
      add(x);
  }
  for (const double x : c.pose("stand")) add(x);
  for (const Dof* dof : c.dofs())
    for (const double x : {dof->lower, dof->upper, dof->damper, dof->armature, dof->spring.stiffness}) add(x);
  return h;
}

TEST(GeneratedBody, StandsOnAllItsSoles) {
  for (int k = 0; k < bodies; ++k) {
    const Creature c = generated_body(1, k);
    SCOPED_TRACE(c.about);
    check(c);
    const double h = hip_height(c);
    const std::vector<LinkFrame> frames = place(c, c.pose("stand"));
    std::map<int, double> lowest;
    for (const ContactPoint& p : c.contacts) {
      const double z = (frames[p.link] * p.pos).z - p.radius;
      const auto [at, is_new] = lowest.try_emplace(p.link, z);
      if (!is_new) at->second = std::min(at->second, z);
    }
    for (const Leg& leg : c.legs) EXPECT_NEAR(lowest.at(leg.foot), 0, 1e-12 * h) << leg.name;
    for (const auto& [link, z] : lowest) EXPECT_GT(z, -1e-12 * h) << c.links[link].name;
  }
}

TEST(GeneratedBody, StandsWithinTheRangesOfItsJoints) {
  for (int k = 0; k < bodies; ++k) {
    const Creature c = generated_body(1, k);
    SCOPED_TRACE(c.about);
    const std::vector<double> q = c.pose("stand");
    std::size_t at = 0;
    for (const Link& link : c.links)
      for (const Joint& joint : link.joints) {
        if (joint.type == JointType::hinge || joint.type == JointType::universal)
          for (std::size_t i = 0; i < joint.dofs.size(); ++i) {
            EXPECT_GT(q[at + i], joint.dofs[i].lower) << joint.name;
            EXPECT_LT(q[at + i], joint.dofs[i].upper) << joint.name;
          }
        at += std::size_t(nq(joint));
      }
  }
}

TEST(GeneratedBody, CoversTheRangesThatItsHeaderStates) {
  std::map<int, int> of_legs;
  std::map<int, int> of_freedoms;
  double low = 1e9, high = 0, light = 1, heavy = 0;
  int sprawled = 0, flat_bipeds = 0;
  for (int k = 0; k < bodies; ++k) {
    const Creature c = generated_body(1, k);
    const int legs = int(c.legs.size());
    ++of_legs[legs];
    int freedoms = 0;
    for (int i = c.legs[0].foot; i != 0; i = c.links[i].parent)
      for (const Joint& joint : c.links[i].joints) freedoms += nv(joint);
    ++of_freedoms[freedoms];
    low = std::min(low, hip_height(c));
    high = std::max(high, hip_height(c));
    light = std::min(light, foot_mass(c) / c.mass());
    heavy = std::max(heavy, foot_mass(c) / c.mass());
    sprawled += c.about.find("sprawled") != std::string::npos;
    flat_bipeds += legs == 2 && c.about.find("flat") != std::string::npos;
  }
  for (int n = 2; n <= 12; ++n) EXPECT_GE(of_legs[n], n <= 6 ? 15 : 3) << n << " legs";
  EXPECT_EQ(of_legs.rbegin()->first, 12);
  for (int n = 3; n <= 6; ++n) EXPECT_GE(of_freedoms[n], 10) << n << " degrees of freedom a leg";
  EXPECT_EQ(of_freedoms.size(), 4u);
  EXPECT_LT(low, 0.025);
  EXPECT_GE(low, 0.02);
  EXPECT_GT(high, 2.7);
  EXPECT_LE(high, 3.0);
  EXPECT_NEAR(light, 0.02, 0.004);
  EXPECT_NEAR(heavy, 0.4, 0.04);
  EXPECT_GT(sprawled, bodies / 4);
  EXPECT_LT(sprawled, bodies / 2);
  EXPECT_GT(flat_bipeds, of_legs[2] / 2);
  EXPECT_LT(flat_bipeds, of_legs[2]);
}

TEST(GeneratedBody, IsTheSameBitsEverywhere) {
  std::uint64_t all = 0;
  for (int k = 0; k < bodies; ++k) all = all * 31 + hash(generated_body(1, k));
  EXPECT_EQ(all, 18380192600060022337ull);
  EXPECT_NE(hash(generated_body(2, 0)), hash(generated_body(1, 0)));
}

TEST(GeneratedBody, ReadsBackFromItsCreatureFile) {
  for (int k = 0; k < 40; ++k) {
    const Creature c = generated_body(1, k);
    const Creature back = parse_creature_toml(write_creature_toml(c), c.name + ".toml");
    EXPECT_EQ(hash(back), hash(c)) << c.about;
  }
}

}  // namespace
}  // namespace legwork
