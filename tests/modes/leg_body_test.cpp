// A leg by itself: how far it reaches, and on what it stands.

#include "modes/leg_body.h"

#include <gtest/gtest.h>

#include <legwork/files.h>
#include "modes/coordinates.h"

namespace legwork {
namespace {

LimbLeg limb_of(const Creature& c, size_t leg) { return find_limbs(c, c.pose("stand")).legs[leg]; }

// room: rad by which joints may go beyond their ranges.
LegBody leg_of(const Creature& c, size_t leg, double room = 0) {
  const std::vector<double> q = c.pose("stand");
  const Model<double> model = make_model(c);
  std::vector<double> x(size_t(model.nv));
  joint_positions(make_joint_forces(c, model), q.data(), x.data());
  std::vector<SoftLimit> limits;
  for (const Dof* dof : c.dofs()) limits.push_back({dof->lower - room, dof->upper + room, 0.1});
  return make_leg_body(c, limb_of(c, leg), q, x, limits);
}

TEST(LegBody, ReachesWithItsAnkleAsFarAsItsStraightLinks) {
  const Creature c = load_creature("human");
  const LimbLeg limb = limb_of(c, 0);
  double straight = 0;
  for (const int link : limb.links)
    if (link != limb.hip) straight += norm(c.links[size_t(link)].pos);
  const LegBody free = leg_of(c, 0, 3), held = leg_of(c, 0);
  EXPECT_LE(free.end.reach, straight + 1e-12);
  EXPECT_GT(free.end.reach, 0.99 * straight);
  EXPECT_LE(held.end.reach, free.end.reach);
  EXPECT_EQ(held.carrier, c.links[size_t(limb.hip)].parent);
}

// The knee of a leg with such a foot counts in its rest position.
TEST(LegBody, WithoutAnAnkleReachesAsFarAsItStands) {
  const Creature c = load_creature("strider");
  const LimbLeg limb = limb_of(c, 0);
  const std::vector<LinkFrame> frames = place(c, c.pose("stand"));
  EXPECT_NEAR(leg_of(c, 0).end.reach,
              norm(frames[size_t(limb.foot)] * limb.point - frames[size_t(limb.hip)].p), 1e-12);
}

TEST(LegBody, StandsOnWhatIsLowestAndOnlyToesMayStayBehind) {
  for (const char* name : {"strider", "dog", "human"}) {
    SCOPED_TRACE(name);
    const Creature c = load_creature(name);
    for (size_t l = 0; l < c.legs.size(); ++l) {
      const LegBody leg = leg_of(c, l);
      int standing = 0, rear = 0, toes = 0;
      for (const LegSite& site : leg.sites) {
        standing += site.stands, rear += site.rear, toes += site.toe;
        EXPECT_TRUE(site.stands || (!site.rear && !site.toe));
        EXPECT_FALSE(site.rear && site.toe);
        EXPECT_EQ(site.moves.size(), leg.dofs.size());
      }
      EXPECT_GT(standing, 0);
      if (rear > 0) EXPECT_GT(standing, rear) << "a foot that may rise has toes to stand on";
      if (toes > 0) EXPECT_GT(leg.toes.reach, leg.end.reach);
    }
  }
}

}  // namespace
}  // namespace legwork
