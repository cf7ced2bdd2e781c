// The shipped creatures of van de Panne and Fiume's table 1, and bodies of other origin.

#include <gtest/gtest.h>

#include <cmath>

#include <legwork/files.h>
#include "discover/equip.h"
#include "discover/problem.h"
#include "formats/toml/creature_toml.h"
#include "sim/simulation.h"

namespace legwork {
namespace {

TEST(TableOne, TheTenCreaturesHaveItsCounts) {
  const struct {
    const char* name;
    int links, sensors, actuators, hidden;
  } table[] = {{"crawler", 4, 8, 2, 10}, {"fish", 4, 6, 2, 5},      {"bounder", 5, 8, 4, 8},
               {"luxo", 3, 6, 2, 6},     {"cart", 2, 6, 1, 5},      {"walker", 6, 11, 5, 6},
               {"twolink", 2, 6, 1, 5},  {"threelink", 3, 8, 2, 7}, {"fourlink", 4, 11, 3, 8},
               {"star", 3, 8, 2, 7}};
  for (const auto& row : table) {
    SCOPED_TRACE(row.name);
    const Creature c = load_creature(row.name);
    EXPECT_EQ(int(c.links.size()), row.links);
    EXPECT_EQ(int(c.sensors.size()), row.sensors);
    EXPECT_EQ(int(c.actuators.size()), row.actuators);
    EXPECT_EQ(c.discovery.hidden, row.hidden);
    // node delays of all examples are 0.07 to 0.15 s, a quarter of the cycle
    EXPECT_GE(0.25 * c.discovery.cycle, 0.07);
    EXPECT_LE(0.25 * c.discovery.cycle, 0.15);
    EXPECT_EQ(c.links[0].joints[0].type, JointType::planar);
    EXPECT_TRUE(equip(c).told.empty());
  }
}

TEST(TableOne, KdIsATenthOfKsExceptForTheCartWhichHasItsOwnNumbers) {
  for (const char* name :
       {"crawler", "fish", "bounder", "luxo", "walker", "twolink", "threelink", "fourlink", "star"})
    for (const Actuator& a : load_creature(name).actuators) EXPECT_NEAR(a.kd / a.ks, 0.1, 1e-3) << name;
  const Creature cart = load_creature("cart");
  const double per_degree = 180 / M_PI;
  EXPECT_NEAR(cart.actuators[0].ks, 0.002 * per_degree, 1e-4);
  EXPECT_NEAR(cart.actuators[0].kd, 0.0001 * per_degree, 1e-5);
  for (const Link& link : cart.links) EXPECT_EQ(link.mass, 0.10);
  const Creature bounder = load_creature("bounder");
  for (const Actuator& a : bounder.actuators) EXPECT_NEAR(a.ks, 0.4 * per_degree, 0.05);
  // 10 degrees of a shank bent by 45 degrees carry half the weight
  EXPECT_NEAR(4.0 / (0.22 * std::sqrt(0.5)), 0.5 * bounder.mass() * 9.81, 0.5);
}

// The crawler cannot move up or down: it must lie as deep in the ground as its weight presses.
TEST(TableOne, TheCrawlerPressesTheGroundWithItsWeight) {
  const System<double> system = make_system(load_world("crawler"));
  Simulation<double> sim(system);
  sim.reset();
  sim.probe();
  double load = 0;
  for (const auto& site : sim.ground_contacts) load += site.force.z;
  EXPECT_NEAR(load, system.world.body.mass() * 9.81, 0.01 * system.world.body.mass() * 9.81);
}

TEST(Equip, ActuatorsWithoutRangeOrStiffnessGetThem) {
  const Creature c = parse_creature_toml(R"(
[[link]]
name = "body"
at = [0, 0, 0.5]
shape = { box = [0.3, 0.2, 0.1] }
[[link]]
name = "leg"
parent = "body"
joint = { hinge = "y", range = [-1, 0.5] }
shape = { capsule = 0.02, to = [0, 0, -0.4] }
[[link]]
name = "tail"
parent = "body"
joint = { hinge = "y" }
shape = { capsule = 0.02, to = [-0.4, 0, 0] }
[[actuator]]
motor = "leg"
range = [-inf, inf]
[[actuator]]
angular = "tail"
[[actuator]]
name = "rope"
linear = ["leg", "tail"]
pos = [0, 0, -0.3]
other_pos = [-0.4, 0, 0]
ks = 100
)",
                                         "x.toml");
  const Equipped e = equip(c);
  ASSERT_EQ(e.told.size(), 2u);
  EXPECT_EQ(e.told[0], "3 actuators without range or stiffness: chosen from the joints and the weight");
  for (const Actuator& a : e.body.actuators) {
    EXPECT_LT(a.lower, a.upper);
    EXPECT_TRUE(std::isfinite(a.lower) && std::isfinite(a.upper)) << a.name;
  }
  EXPECT_GT(e.body.actuators[1].ks, 0);
  EXPECT_NEAR(e.body.actuators[2].lower, 0.7 * 0.5, 1e-12);
  EXPECT_NEAR(e.body.actuators[2].upper, 1.3 * 0.5, 1e-12);
}

}  // namespace
}  // namespace legwork
