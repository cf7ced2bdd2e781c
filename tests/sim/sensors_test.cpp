#include "sim/sensors.h"

#include <gtest/gtest.h>

#include "bodies.h"
#include "math/real.h"

namespace legwork {
namespace {

using namespace bodies;

// A thin bar in the vertical plane with a hinged arm; contact points at the bar's two ends.
Creature bar_and_arm() {
  Creature c;
  Link bar = box_link("bar", 1, {1, 0.1, 0.1});
  bar.joints = {joint(JointType::planar, {{1, 0, 0}, {0, 0, 1}})};
  Link arm = box_link("arm", 0.1, {0.1, 0.1, 0.1});
  arm.parent = 0;
  arm.pos = {0.5, 0, 0};
  arm.joints = {joint(JointType::hinge, {{0, 1, 0}})};
  c.links = {bar, arm};
  for (const double x : {-0.5, 0.5}) {
    ContactPoint p;
    p.name = x < 0 ? "tail" : "head";
    p.pos = {x, 0, 0};
    c.contacts.push_back(p);
  }
  return c;
}

Sensor sensor(SensorType type, int link, double lower = -unlimited, double upper = unlimited) {
  Sensor s;
  s.type = type, s.link = link, s.lower = lower, s.upper = upper;
  return s;
}

template <class T>
std::vector<T> sensed(const System<T>& system, const std::vector<SensorUnit<T>>& sensors,
                      const std::vector<double>& q, const Vec3d& follow = {}) {
  Simulation<T> sim(system);
  sim.reset(q);
  std::vector<T> on(sensors.size());
  sense(sensors, sim, Vec3<T>(follow), on.data());
  return on;
}

std::vector<double> sensed(const Creature& c, const std::vector<double>& q, const Vec3d& follow = {},
                           const std::string& terrain = "plane") {
  World world = on_ground(c);
  world.terrain = parse_terrain(terrain);
  const System<double> system = make_system(world);
  return sensed(system, make_sensors(c), q, follow);
}

using Bits = std::vector<double>;

TEST(Sensors, TouchOfAPointFeelsThatPointAndTouchOfALinkAny) {
  Creature c = bar_and_arm();
  Sensor head = sensor(SensorType::touch, 0), tail = head;
  head.pos = {0.4, 0, 0}, tail.pos = {-0.4, 0, 0};
  head.whole = tail.whole = false;
  c.sensors = {head, tail, sensor(SensorType::touch, 0)};
  EXPECT_EQ(sensed(c, {0, 1, 0, 0}), (Bits{0, 0, 0}));
  EXPECT_EQ(sensed(c, {0, -0.01, 0, 0}), (Bits{1, 1, 1}));
  // the planar turn is about x cross z = -y: positive raises the head
  EXPECT_EQ(sensed(c, {0, 0.1, 0.3, 0}), (Bits{0, 1, 1}));
  EXPECT_EQ(sensed(c, {0, 0.1, -0.3, 0}), (Bits{1, 0, 1}));
}

TEST(Sensors, AngleAndLengthAreOnWithinTheirRanges) {
  Creature c = bar_and_arm();
  Sensor angle = sensor(SensorType::angle, -1, 0.5, 1);
  angle.dof = 3;
  Sensor length = sensor(SensorType::length, 0, 1.9, 2.1);
  length.other = -1, length.other_pos = {0, 0, 3};
  c.sensors = {angle, length};
  EXPECT_EQ(sensed(c, {0, 1, 0, 0.4}), (Bits{0, 1}));
  EXPECT_EQ(sensed(c, {0, 1, 0, 0.5}), (Bits{1, 1}));
  EXPECT_EQ(sensed(c, {0, 2, 0, 1}), (Bits{1, 0}));
  EXPECT_EQ(sensed(c, {0, 0.5, 0, 1.1}), (Bits{0, 0}));
}

TEST(Sensors, AnEyeSeesThePointInItsCone) {
  Creature c = bar_and_arm();
  c.sensors = {sensor(SensorType::eye, 0, -0.1, 0.1), sensor(SensorType::eye, 0, 0.1, pi)};
  EXPECT_EQ(sensed(c, {0, 1, 0, 0}, {5, 0.2, 1}), (Bits{1, 0}));
  EXPECT_EQ(sensed(c, {0, 1, 0, 0}, {5, 2, 1}), (Bits{0, 1}));
  EXPECT_EQ(sensed(c, {0, 1, 0, 0}, {5, -2, 1}), (Bits{0, 0}));
  EXPECT_EQ(sensed(c, {7, 1, 0, 0}, {5, 0.2, 1}), (Bits{0, 1}));
}

TEST(Sensors, TheGroundAheadIsSeenAlongTheLevelHeading) {
  Creature c = bar_and_arm();
  Sensor step = sensor(SensorType::terrain, 0, 0.05, unlimited);
  step.ahead = 0.5;
  c.sensors = {step};
  const std::string stairs = "steps:0.1,1";
  EXPECT_EQ(sensed(c, {0.4, 1, 0, 0}, {}, stairs), Bits{0});
  EXPECT_EQ(sensed(c, {0.6, 1, 0, 0}, {}, stairs), Bits{1});
  EXPECT_EQ(sensed(c, {0.6, 1, 0.7, 0}, {}, stairs), Bits{1}) << "pitched, still half a metre ahead";
}

TEST(Sensors, EveryLaneOfABatchSensesWhatItsScalarDoes) {
  std::vector<Creature> bodies;
  for (int i = 0; i < batch_lanes; ++i) {
    Creature c = bar_and_arm();
    Sensor touch = sensor(SensorType::touch, 0),
           angle = sensor(SensorType::angle, -1, 0.1 * i - 0.3, 0.1 * i);
    angle.dof = 3;
    Sensor ahead = sensor(SensorType::terrain, 0, 0.01 * i, unlimited);
    ahead.ahead = 0.5;
    c.sensors = {touch, angle, sensor(SensorType::eye, 0, -0.1 * i, 0.5), ahead};
    bodies.push_back(c);
  }
  std::vector<const Creature*> pointers;
  for (const Creature& c : bodies) pointers.push_back(&c);
  World world = on_ground({});
  world.terrain = parse_terrain("rough:0.1,1,1");
  const std::vector<double> q = {0.3, 0.1, 0.2, 0.25};
  const Vec3d follow(3, -0.7, 0);
  const System<Batch> batch = make_batch_system(world, pointers);
  const std::vector<Batch> all = sensed(batch, make_batch_sensors(pointers), q, follow);
  for (int i = 0; i < batch_lanes; ++i) {
    const Bits one = sensed(bodies[i], q, follow, "rough:0.1,1,1");
    for (size_t k = 0; k < one.size(); ++k) EXPECT_EQ(all[k][i], one[k]) << "lane " << i << " sensor " << k;
  }
}

}  // namespace
}  // namespace legwork
