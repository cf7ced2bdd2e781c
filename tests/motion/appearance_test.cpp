// Motions whose faults are known in closed form.

#include <legwork/gait.h>

#include <gtest/gtest.h>

#include <cmath>

#include "creature/complete.h"
#include "math/real.h"
#include "tests/motion/stilts.h"

namespace legwork {
namespace {

// A trunk on two legs of two capsules each; every foot has two hinges about y, hip and knee, and a slide
// across at the hip.
constexpr double thigh = 0.5, shank = 0.5, radius = 0.03, track = 0.3;

Shape bone(double length) {
  Shape s;
  s.type = ShapeType::capsule;
  s.size = {radius, length, 0};
  s.pos = {0, 0, -0.5 * length};
  return s;
}

Joint one_axis(JointType type, const Vec3d& axis) {
  Joint joint;
  joint.type = type;
  joint.axes = {axis};
  joint.dofs.resize(1);
  return joint;
}

Creature two_legs() {
  Creature c;
  c.name = "two legs";
  Link trunk;
  trunk.name = "trunk";
  trunk.pos = {0, 0, thigh + shank + radius};
  Shape box;
  box.size = {0.2, 0.1, 0.2};
  box.pos = {0, 0, 0.3};
  trunk.shapes = {box};
  Joint free;
  free.type = JointType::free;
  free.dofs.resize(6);
  trunk.joints = {free};
  c.links.push_back(trunk);
  for (const Side side : {Side::left, Side::right}) {
    const std::string name = side == Side::left ? "l" : "r";
    Link upper;
    upper.name = name + "_thigh";
    upper.parent = 0;
    upper.pos = {0, side == Side::left ? 0.5 * track : -0.5 * track, 0};
    upper.shapes = {bone(thigh)};
    upper.joints = {one_axis(JointType::slide, {0, 1, 0}), one_axis(JointType::hinge, {0, 1, 0})};
    c.links.push_back(upper);
    Link lower;
    lower.name = name + "_shank";
    lower.parent = int(c.links.size()) - 1;
    lower.pos = {0, 0, -thigh};
    lower.shapes = {bone(shank)};
    lower.joints = {one_axis(JointType::hinge, {0, 1, 0})};
    lower.joints[0].dofs[0].lower = -0.2;
    lower.joints[0].dofs[0].upper = 2;
    c.links.push_back(lower);
    Leg leg;
    leg.name = name;
    leg.side = side;
    leg.girdle = "hind";
    leg.hip = lower.parent;
    leg.foot = int(c.links.size()) - 1;
    c.legs.push_back(leg);
  }
  complete(c);
  return c;
}

// Where the coordinates of a leg are: across, hip, knee.
constexpr int across = 7, hip = 8, knee = 9, coordinates = 3;

// Both legs straight down on a plane, `frames` frames of 0.01 s, changed by a function of (time, q, v, tau).
template <class Change>
Motion standing(int frames, Change change) {
  Motion m;
  m.creature = two_legs();
  const std::vector<double> stand = m.creature.pose("");
  for (int f = 0; f < frames; ++f) {
    std::vector<double> q = stand, v(std::size_t(m.creature.nv())), tau(v.size());
    m.time.push_back(0.01 * f);
    change(m.time.back(), q, v, tau);
    m.q.insert(m.q.end(), q.begin(), q.end());
    m.v.insert(m.v.end(), v.begin(), v.end());
    m.tau.insert(m.tau.end(), tau.begin(), tau.end());
  }
  return m;
}

Appearance look(const Motion& motion) { return measure_appearance(motion, measure_gait(motion)); }

TEST(Appearance, OfABodyThatStandsIsFaultless) {
  const Appearance a = look(standing(100, [](double, auto&, auto&, auto&) {}));
  EXPECT_NEAR(a.worst_sink, 0, 1e-12);
  EXPECT_EQ(a.crossing, 0);
  EXPECT_EQ(a.crossing_share, 0);
  EXPECT_EQ(a.buried, 0);
  EXPECT_NEAR(a.bent_back, 0, 1e-12);
  EXPECT_TRUE(std::isnan(a.rough)) << "no torque has no power";
}

TEST(Appearance, SinkIsTheDepthOfAFoot) {
  // below by 0.02 for the last tenth of the time, by 0.01 before
  const Appearance a =
      look(standing(101, [](double t, auto& q, auto&, auto&) { q[2] -= t > 0.895 ? 0.02 : 0.01; }));
  EXPECT_NEAR(a.worst_sink, 0.02, 1e-12);
  EXPECT_NEAR(a.sink, 0.02, 1e-12);
  const Appearance b =
      look(standing(101, [](double t, auto& q, auto&, auto&) { q[2] -= t > 0.965 ? 0.02 : 0.01; }));
  EXPECT_NEAR(b.worst_sink, 0.02, 1e-12);
  EXPECT_NEAR(b.sink, 0.01, 1e-12) << "a moment is no habit";
}

TEST(Appearance, LegsCrossAsDeepAsTheirBonesOverlap) {
  // the legs come together until their middle lines are 0.02 apart: capsules of 0.03 overlap by 0.04; nearer
  // than 0.06 for 4 of the 30 hundredths of the way
  const Appearance a = look(standing(101, [](double t, auto& q, auto&, auto&) {
    q[across] = -0.5 * (track - 0.02) * t;
    q[across + coordinates] = 0.5 * (track - 0.02) * t;
  }));
  EXPECT_NEAR(a.crossing, 0.04, 1e-9);
  EXPECT_NEAR(a.crossing_share, 0.04 / 0.28, 0.02);
  EXPECT_TRUE(a.crossing_of.find("l_") != std::string::npos && a.crossing_of.find("r_") != std::string::npos)
      << a.crossing_of;
}

TEST(Appearance, APartInTheGroundIsNoFootThatSinks) {
  // hips turned by 90 degrees: the thighs lie level at the height of the hips, which is 0.05 under the
  // ground; the knees are bent up by as much, so that the shanks are over it
  const Appearance a = look(standing(20, [](double, auto& q, auto&, auto&) {
    q[2] = -0.05;
    for (int leg = 0; leg < 2; ++leg)
      q[hip + leg * coordinates] = 0.5 * pi, q[knee + leg * coordinates] = 0.5 * pi;
  }));
  EXPECT_NEAR(a.buried, 0.05 + radius, 1e-12);
  EXPECT_TRUE(a.buried_of.ends_with("thigh")) << a.buried_of;
}

TEST(Appearance, AKneeBendsBackAgainstItsRange) {
  // straight when standing: the range says where forward is
  const auto bent = [](double most) {
    return standing(50,
                    [=](double t, auto& q, auto&, auto&) { q[knee] = most * std::sin(2 * pi * t / 0.5); });
  };
  const Appearance a = look(bent(0.15));
  EXPECT_NEAR(a.bent_back, 0.15, 0.002);
  EXPECT_EQ(a.bent_back_of, "l");
  // bent when standing: as it stands
  Motion crouched = bent(0);
  std::vector<double> stand = crouched.creature.pose("");
  for (int leg = 0; leg < 2; ++leg)
    stand[hip + leg * coordinates] = 0.3, stand[knee + leg * coordinates] = -0.6;
  crouched.creature.poses = {{"stand", stand}};
  for (int f = 0; f < crouched.frames(); ++f)
    crouched.q[std::size_t(f) * stand.size() + knee] = -0.6 + 0.9 * f / (crouched.frames() - 1);
  EXPECT_NEAR(look(crouched).bent_back, 0.3, 1e-9);
}

TEST(Appearance, SlideIsThatOfStances) {
  Motion m = standing(101, [](double t, auto& q, auto& v, auto&) {
    q[0] = 0.02 * t, v[0] = 0.02;  // both feet drag over the ground
    q[2] -= 1e-6;
  });
  m.contact_force.assign(m.time.size() * m.creature.contacts.size() * 3, 10);
  const Appearance a = look(m);
  EXPECT_NEAR(a.worst_slide, 0.02, 1e-9);
  EXPECT_NEAR(a.slide, 0.02, 1e-9);
}

TEST(Appearance, RoughIsTheShareOfTheTorquesPowerAboveTheRate) {
  // 5 sqrt(g/h) is 15.4 Hz here; 2 Hz lies below, 25 Hz above, and a constant torque counts as power alone
  const Appearance a = look(standing(2001, [](double t, auto&, auto&, auto& tau) {
    tau[7] = 3 * std::sin(2 * pi * 2 * t) + 1 * std::sin(2 * pi * 25 * t);
    tau[8] = 2;
  }));
  const double low = 9.0 / 2, high = 1.0 / 2, constant = 4;
  EXPECT_NEAR(a.rough, high / (low + high + constant), 2e-3);
  EXPECT_NEAR(a.rough_of_change, high / (low + high), 2e-3);
  EXPECT_EQ(a.rough_of, two_legs().dofs()[7]->name);
}

TEST(Appearance, RoughIsUnknownWhereTheFramesAreTooFew) {
  Motion m = standing(400, [](double t, auto&, auto&, auto& tau) { tau[7] = std::sin(2 * pi * 2 * t); });
  for (std::size_t f = 0; f < m.time.size(); ++f) m.time[f] *= 4;
  EXPECT_TRUE(std::isnan(look(m).rough));
}

}  // namespace
}  // namespace legwork
