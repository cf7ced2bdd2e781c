#include "ground/body_contact.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "creature/complete.h"
#include "formats/mjcf/mjcf.h"
#include "tests/ground/bodies.h"

namespace legwork {
namespace {

constexpr double g = 9.81;

// Appends a creature with its contact points.
void join(Creature& world, const Creature& guest, const Vec3d& pos) {
  const int first = int(world.links.size());
  for (Link link : guest.links) {
    link.name += std::to_string(first);
    if (link.parent < 0)
      link.pos = pos;
    else
      link.parent += first;
    world.links.push_back(link);
  }
  for (ContactPoint contact : guest.contacts) {
    contact.link += first;
    world.contacts.push_back(contact);
  }
}

Creature capsule_creature(double radius, double length, double mass) {
  Creature creature = ball_creature(radius, mass);
  Shape& shape = creature.links[0].shapes[0];
  shape.type = ShapeType::capsule;
  shape.size = {radius, length, 0};
  creature.contacts.push_back(creature.contacts[0]);
  creature.contacts[0].pos = {0, 0, -0.5 * length};
  creature.contacts[1].pos = {0, 0, 0.5 * length};
  return creature;
}

// A world without ground, stepped by semi-implicit Euler.
struct Arena {
  Creature creature;
  Model<double> model;
  BodyContacts contacts;
  BodyContactState state;
  std::vector<BodyContactRecord> records;
  BodyContactScratch scratch;
  Workspace<double> w;
  std::vector<double> q, v, tau, qdd;

  explicit Arena(const Creature& c, const ContactOptions& options = {})
      : creature(c),
        model(make_model(c)),
        contacts(make_body_contacts(creature, options)),
        w(model),
        q(c.pose("")),
        v(model.nv, 0.0),
        tau(model.nv, 0.0),
        qdd(model.nv, 0.0) {
    update();
  }
  void update() {
    update_positions(model, q.data(), w);
    update_velocities(model, q.data(), v.data(), w);
  }
  void evaluate(double h) {
    update();
    clear_forces(model, w);
    add_body_contact_forces(model, contacts, state, h, w, scratch, &records, &state);
  }
  void step(double h) {
    evaluate(h);
    forward_dynamics(model, tau.data(), w, qdd.data());
    for (int j = 0; j < model.nv; ++j) v[j] += h * qdd[j];
    integrate_positions(model, q.data(), v.data(), h, q.data());
  }
};

TEST(BodyContact, NeighboursAndWhatOverlapsByDesignAreNoPairs) {
  Creature chain = box_creature({0.1, 0.1, 0.1}, 1);
  for (int i = 1; i < 5; ++i) {
    Link link = box_link("link" + std::to_string(i), {0.1, 0.1, 0.1}, 1);
    link.parent = i - 1;
    link.pos = {0.12, 0, 0};
    Joint hinge;
    hinge.type = JointType::hinge;
    hinge.axes = {{0, 0, 1}};
    hinge.dofs.resize(1);
    if (i != 3) link.joints.push_back(hinge);  // the fourth is fixed to the third
    chain.links.push_back(link);
    add_corners(chain, i, {0.1, 0.1, 0.1});
  }
  chain.links[4].pos = {-0.08, 0, 0};  // folded back: overlaps the third and fourth
  const auto pairs = [](const Creature& c) {
    std::vector<std::pair<int, int>> list;
    for (const BodyPair& p : make_body_contacts(c, {}).pairs) list.emplace_back(p.a, p.b);
    return list;
  };
  using List = std::vector<std::pair<int, int>>;
  EXPECT_EQ(pairs(chain), (List{{0, 2}, {0, 3}, {0, 4}, {1, 4}}));
  Loop loop;
  loop.link = 0;
  loop.other = 4;
  chain.loops.push_back(loop);
  EXPECT_EQ(pairs(chain), (List{{0, 2}, {0, 3}, {1, 4}}));
}

TEST(BodyContact, EveryTouchOfAPairIsFeltHoweverManyThereAre) {
  constexpr double sunk = 0.001;
  Creature world = box_creature({1, 1, 0.2}, 10);
  Creature plate = box_creature({0.5, 0.5, 0.02}, 1);
  plate.contacts.clear();
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 10; ++j) {
      ContactPoint point;
      point.pos = {0.05 * (i - 4.5), 0.05 * (j - 4.5), -0.01};
      plate.contacts.push_back(point);
    }
  join(world, plate, {0, 0, 0.11 - sunk});
  Arena arena(world);
  arena.evaluate(1e-6);
  EXPECT_EQ(arena.records.size(), 100u);
  EXPECT_EQ(arena.state.touches.size(), 100u);
  double up = 0;
  for (const BodyContactRecord& record : arena.records) up += record.force.z;
  EXPECT_NEAR(std::abs(up), 100 * arena.contacts.pairs[0].stiffness * sunk, 1e-9 * std::abs(up));
}

TEST(BodyContact, ATouchMayHaveAnExponentialSpring) {
  Creature balls = ball_creature(0.1, 1);
  join(balls, ball_creature(0.1, 1), {0.19, 0, 0});
  Arena arena(balls);
  ASSERT_EQ(arena.contacts.pairs.size(), 1u);
  arena.contacts.pairs[0].strength = 2;
  arena.contacts.pairs[0].sharpness = 150;
  arena.evaluate(1e-5);
  ASSERT_EQ(arena.records.size(), 1u);
  EXPECT_NEAR(norm(arena.records[0].force), 2 * (std::exp(150 * 0.01) - 1), 1e-9);
}

TEST(BodyContact, ForcesAreEqualAndOppositeAtOnePoint) {
  Random random(7);
  Creature world;
  join(world, box_creature({0.2, 0.3, 0.1}, 2), {});
  join(world, capsule_creature(0.05, 0.3, 1), {0.5, 0, 0});
  join(world, box_creature({0.1, 0.1, 0.1}, 0.5), {0, 0.5, 0});
  join(world, capsule_creature(0.08, 0.2, 1), {0, 0, 0.5});
  Arena arena(world);
  int touches = 0;
  for (int trial = 0; trial < 500; ++trial) {
    for (int b = 0; b < 4; ++b) {
      for (int i = 0; i < 3; ++i) arena.q[7 * b + i] = random.uniform(-0.12, 0.12);
      for (int i = 3; i < 7; ++i) arena.q[7 * b + i] = random.normal();
    }
    for (double& v : arena.v) v = random.normal();
    normalize_positions(arena.model, arena.q.data());
    arena.evaluate(1e-3);
    Wrench<double> sum{};
    double size = 1;
    for (int b = 0; b < 4; ++b) {
      sum += shift_back(arena.w.f_ext[b], arena.w.p[b]);
      size += norm(arena.w.f_ext[b].lin);
    }
    EXPECT_LT(norm(sum.lin), 1e-13 * size);
    EXPECT_LT(norm(sum.ang), 1e-13 * size);
    for (const BodyContactRecord& r : arena.records) EXPECT_GT(r.depth, 0);
    touches += int(arena.records.size());
  }
  EXPECT_GT(touches, 1000);
}

TEST(BodyContact, BallsBounceWithTheStatedEnergyAndKeepTheirMomentum) {
  for (const double share : {1.0, 0.25}) {
    Creature world;
    join(world, ball_creature(0.1, 1), {});
    join(world, ball_creature(0.1, 3), {0.5, 0, 0});
    ContactOptions options;
    options.restitution = share;
    Arena arena(world, options);
    arena.model.gravity = {};
    arena.v[0] = 2;
    for (int i = 0; i < 100000; ++i) arena.step(1e-5);
    // e of speeds is the root of that of energies
    const double e = std::sqrt(share);
    EXPECT_NEAR(arena.v[0], 2 * (1 - 3 * e) / 4, 0.01);
    EXPECT_NEAR(arena.v[6], 2 * (1 + e) / 4, 0.01);
    EXPECT_NEAR(1 * arena.v[0] + 3 * arena.v[6], 2, 1e-12);
  }
}

TEST(BodyContact, ABlockRestsOnATableAndDoesNotCreep) {
  for (const double tilt : {0.0, 0.25}) {
    Creature world;
    Link table = box_link("table", {2, 2, 0.1}, 50);
    table.pos = {0, 0, -0.05};
    table.rot = {std::cos(tilt / 2), 0, -std::sin(tilt / 2), 0};  // rises along x, about its own middle
    world.links.push_back(table);
    const Vec3d up{-std::sin(tilt), 0, std::cos(tilt)};
    join(world, box_creature({0.2, 0.2, 0.1}, 2), Vec3d{0, 0, -0.05} + up * 0.1);
    Arena arena(world);
    ASSERT_EQ(arena.model.nv, 6);
    arena.q[3] = std::cos(tilt / 2);
    arena.q[5] = -std::sin(tilt / 2);
    for (int i = 0; i < 2000; ++i) arena.step(1e-3);
    const std::vector<double> before = arena.q;
    for (int i = 0; i < 2000; ++i) arena.step(1e-3);
    for (int i = 0; i < 7; ++i) EXPECT_NEAR(arena.q[i], before[i], 1e-9);
    Vec3d force;
    double depth = 0;
    for (const BodyContactRecord& r : arena.records) {
      force += r.force * (r.link == 1 ? 1.0 : -1.0);
      depth = std::max(depth, r.depth);
    }
    EXPECT_NEAR(force.z, 2 * g, 1e-6);
    EXPECT_NEAR(force.x, 0, 1e-6);
    EXPECT_GT(depth, 0);
    EXPECT_LT(depth, 1e-3);
  }
}

TEST(BodyContact, CapsulesMeetAlongTheirLength) {
  Creature world;
  join(world, capsule_creature(0.05, 0.6, 1), {});
  join(world, capsule_creature(0.05, 0.6, 1), {0, 0, 1});
  Arena arena(world);
  // crossed at right angles, middles 0.09 apart
  arena.q = {0, 0, 0, std::sqrt(0.5), std::sqrt(0.5), 0, 0, 0, 0, 0.09, std::sqrt(0.5), 0, std::sqrt(0.5), 0};
  arena.evaluate(1e-5);
  ASSERT_EQ(arena.records.size(), 1u);
  EXPECT_NEAR(arena.records[0].depth, 0.01, 1e-12);
  EXPECT_NEAR(arena.records[0].point.z, 0.045, 1e-12);
  EXPECT_LT(arena.records[0].force.z, 0);  // on the lower one
  EXPECT_NEAR(arena.records[0].force.x, 0, 1e-9);
  // parallel, side by side: pushed apart in the middle of what they share
  arena.q = {0, 0, 0, 1, 0, 0, 0, 0.08, 0, 0.2, 1, 0, 0, 0};
  arena.state = {};
  arena.evaluate(1e-5);
  ASSERT_EQ(arena.records.size(), 1u);
  EXPECT_NEAR(arena.records[0].depth, 0.02, 1e-12);
  EXPECT_LT(arena.records[0].force.x, 0);
}

// Two limbs that hang side by side, turned until they cross.
TEST(BodyContact, WhichPartsTouchIsWhatAnMjcfFileSays) {
  const auto touches = [](const std::string& geom, const std::string& rest) {
    const std::string limb = "<geom type='capsule' fromto='0 0 0 0 0 -.4' size='.03' " + geom + " ";
    Creature c = parse_mjcf(
        "<mujoco><worldbody><body name='trunk'><geom type='box' size='.2 .05 .05'/>"
        "<body name='a' pos='-.2 0 -.1'><joint axis='0 1 0'/>" +
            limb +
            "name='ga'/></body>"
            "<body name='b' pos='.2 0 -.1'><joint axis='0 1 0'/>" +
            limb +
            "name='gb'/></body>"
            "</body></worldbody>" +
            rest + "</mujoco>",
        "limbs.xml");
    complete(c);
    Arena arena(c);
    arena.evaluate(1e-4);
    EXPECT_TRUE(arena.records.empty());
    arena.q = {-0.6, 0.6};
    arena.evaluate(1e-4);
    return !arena.records.empty();
  };
  EXPECT_TRUE(touches("", ""));
  EXPECT_FALSE(touches("", "<contact><exclude body1='a' body2='b'/></contact>"));
  EXPECT_FALSE(touches("", "<option><flag contact='disable'/></option>"));
  EXPECT_FALSE(touches("contype='2' conaffinity='1'", ""));
  EXPECT_TRUE(touches("contype='2' conaffinity='3'", ""));
  EXPECT_FALSE(touches("contype='0' conaffinity='0'", ""));
  EXPECT_TRUE(touches("contype='0' conaffinity='0'", "<contact><pair geom1='ga' geom2='gb'/></contact>"));
}

TEST(BodyContact, TheEnergyOfATouchIsTheWorkOfItsForce) {
  Creature world;
  join(world, ball_creature(0.1, 1), {});
  join(world, ball_creature(0.1, 1), {0.5, 0, 0});
  Arena arena(world, [] {
    ContactOptions o;
    o.restitution = 1;
    return o;
  }());
  double work = 0;
  const double h = 1e-6, step = 1e-7;
  for (double x = 0.2; x > 0.199; x -= step) {
    arena.q[7] = x - 0.5 * step;
    arena.evaluate(h);
    work += arena.w.f_ext[1].lin.x * step;
  }
  arena.q[7] = 0.199;
  arena.update();
  EXPECT_NEAR(body_contact_energy(arena.contacts, arena.state, h, arena.w, arena.scratch), work, 1e-3 * work);
}

}  // namespace
}  // namespace legwork
