// The shipped bodies under physics: those with legs stand on them.

#include <gtest/gtest.h>

#include <cmath>

#include <legwork/files.h>
#include "formats/shipped.h"
#include "motion/record.h"

namespace legwork {
namespace {

Motion drop(const std::string& name, double seconds) {
  SimOptions options;
  options.seconds = seconds;
  return simulate(load_world(name), options);
}

TEST(ShippedCreatures, ThoseWithSpringsStandOnTheirFeet) {
  for (const char* name : {"hexapod", "strider", "newt"}) {
    SCOPED_TRACE(name);
    const Motion m = drop(name, 2);
    const Creature& c = m.creature;
    EXPECT_EQ(m.status, Status::ok) << m.status_text;
    const int last = m.frames() - 1, nq = c.nq(), nv = c.nv();
    EXPECT_NEAR(m.q[last * nq + 2], m.q[2], 0.06 * m.q[2]) << "height of the root";
    for (int i = 0; i < nv; ++i) EXPECT_NEAR(m.v[last * nv + i], 0, 1e-3) << c.dofs()[i]->name;
    double on_feet = 0, all = 0;
    std::vector<double> on_leg(c.legs.size());
    for (size_t p = 0; p < c.contacts.size(); ++p) {
      const double force = m.contact_force[(size_t(last) * c.contacts.size() + p) * 3 + 2];
      all += force;
      if (c.contacts[p].foot) on_feet += force;
      for (size_t l = 0; l < c.legs.size(); ++l)
        if (c.legs[l].foot == c.contacts[p].link) on_leg[l] += force;
    }
    EXPECT_NEAR(all, 9.81 * c.mass(), 0.01 * 9.81 * c.mass());
    EXPECT_GT(on_feet, 0.9 * all);
    for (size_t l = 0; l < c.legs.size(); ++l) EXPECT_GT(on_leg[l], 0.05 * all) << c.legs[l].name;
  }
}

TEST(ShippedCreatures, AllSurviveTwoSecondsOfPhysics) {
  for (const auto& list : {shipped_creatures(), shipped_worlds()})
    for (const ShippedCreature& shipped : list) {
      SCOPED_TRACE(shipped.name);
      const Motion m = drop(shipped.name, 2);
      EXPECT_EQ(m.status, Status::ok) << m.status_text;
      EXPECT_NEAR(m.duration(), 2, 1e-9);
    }
}

TEST(ShippedCreatures, TheBlockStaysOnTheTable) {
  const Motion m = drop("table_and_block", 1);
  const int nq = m.creature.nq();
  EXPECT_NEAR(m.q[(m.frames() - 1) * nq + 2], 0.77, 0.002);
}

}  // namespace
}  // namespace legwork
