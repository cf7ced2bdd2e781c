#include "ground/medium.h"

#include <gtest/gtest.h>

#include <cmath>

#include <legwork/error.h>
#include "base/random.h"
#include "tests/ground/bodies.h"
#include "tests/scenes/error_of.h"

namespace legwork {
namespace {

const double pi_ = std::acos(-1.0);

std::string error_of(const std::string& spec) {
  return legwork::error_of([&] { parse_medium(spec); });
}

Creature one_shape(ShapeType type, const Vec3d& size) {
  Creature creature = box_creature({1, 1, 1}, 1);
  creature.links[0].shapes[0].type = type;
  creature.links[0].shapes[0].size = size;
  return creature;
}

// Force on a body that moves through a medium.
struct Swimmer {
  Creature creature;
  Model<double> model;
  Skin<double> skin;
  Workspace<double> w;
  std::vector<double> q{0, 0, 0, 1, 0, 0, 0}, v = std::vector<double>(6, 0.0);

  explicit Swimmer(const Creature& c) : creature(c), model(make_model(c)), skin(make_surface(c)), w(model) {}
  Wrench<double> force(const Medium& medium) {
    update_positions(model, q.data(), w);
    update_velocities(model, q.data(), v.data(), w);
    clear_forces(model, w);
    add_medium_forces(model, skin, medium, 1e-3, w);
    return w.f_ext[0];
  }
};

TEST(Medium, ThePatchesOfAShapeCloseItsSurface) {
  const struct {
    ShapeType type;
    Vec3d size;
    double area;
  } cases[] = {
      {ShapeType::box, {1, 2, 3}, 22},
      {ShapeType::sphere, {0.5, 0, 0}, pi_},
      {ShapeType::cylinder, {0.5, 2, 0}, 2 * pi_ + 0.5 * pi_},
      {ShapeType::capsule, {0.5, 2, 0}, 2 * pi_ + pi_},
  };
  for (const auto& c : cases) {
    const Skin<double> skin = make_surface(one_shape(c.type, c.size));
    double area = 0;
    Vec3d sum;
    for (const Patch<double>& patch : skin) {
      area += patch.area;
      sum += patch.normal * patch.area;
      EXPECT_NEAR(norm(patch.normal), 1, 1e-12);
      EXPECT_GT(dot(patch.normal, patch.pos), 0);
    }
    EXPECT_NEAR(area, c.area, 1e-9);
    EXPECT_LT(norm(sum), 1e-12);
  }
}

TEST(Medium, APlateFeelsTheNormalVelocity) {
  Swimmer plate(one_shape(ShapeType::box, {0.01, 0.4, 0.5}));
  Medium viscous;
  viscous.drag = 50;
  plate.v[0] = 2;
  // both faces, front and back: k (v . N) dA each (van de Panne and Fiume)
  EXPECT_NEAR(plate.force(viscous).lin.x, -50 * 2 * (2 * 0.4 * 0.5), 1e-9);
  Medium inertial;
  inertial.density = 1000;
  EXPECT_NEAR(plate.force(inertial).lin.x, -0.5 * 1000 * 4 * 0.2, 1e-9);
  plate.v[0] = -2;
  EXPECT_NEAR(plate.force(inertial).lin.x, 0.5 * 1000 * 4 * 0.2, 1e-9);
  plate.v[0] = 0;
  plate.v[2] = 2;  // edge on
  EXPECT_NEAR(plate.force(inertial).lin.z, -0.5 * 1000 * 4 * 0.4 * 0.01, 1e-9);
}

TEST(Medium, WhatIsNotWetFeelsNothing) {
  Creature two = one_shape(ShapeType::box, {0.01, 0.4, 0.5});
  const std::size_t patches = make_surface(two).size();
  two.links[0].shapes.push_back(two.links[0].shapes[0]);
  EXPECT_EQ(make_surface(two).size(), 2 * patches);
  two.links[0].shapes[1].wet = false;
  EXPECT_EQ(make_surface(two).size(), patches);
}

TEST(Medium, ATurningPlateIsSlowedByItsStrips) {
  Swimmer plate(one_shape(ShapeType::box, {0.01, 0.02, 1}));
  Medium viscous;
  viscous.drag = 50;
  plate.v[4] = 3;  // about y: v . N = 3 z on the faces along x
  // -k w integral z^2 dA over two faces, edges aside; four strips see 15/16 of it
  const double exact = 50 * 3 * 2 * 0.02 * (1.0 / 12);
  EXPECT_NEAR(plate.force(viscous).ang.y, -exact * 15 / 16, 0.02 * exact);
}

TEST(Medium, ASphereFeelsHalfItsSectionInTheFlow) {
  Swimmer ball(one_shape(ShapeType::sphere, {0.3, 0, 0}));
  Medium water;
  water.density = 1000;
  ball.v = {0.6, -0.3, 0.2, 0, 0, 0};
  const Vec3d f = ball.force(water).lin;
  const double speed = 0.7, expected = 0.5 * 1000 * speed * speed * pi_ * 0.09 / 2;
  EXPECT_NEAR(norm(f), expected, 0.03 * expected);
  EXPECT_GT(-dot(f, Vec3d{0.6, -0.3, 0.2}) / (norm(f) * speed), 0.999);
}

TEST(Medium, WindDrivesWhatStandsStill) {
  Swimmer plate(one_shape(ShapeType::box, {0.01, 0.4, 0.5}));
  const Medium wind = parse_medium("wind:5,0,0");
  EXPECT_NEAR(plate.force(wind).lin.x, 0.5 * 1.2 * 25 * 0.2, 1e-9);
  plate.v[0] = 5;  // goes with the wind
  EXPECT_NEAR(plate.force(wind).lin.x, 0, 1e-9);
}

TEST(Medium, WaterCarriesWhatItIsDisplaced) {
  for (const auto& [type, size, volume, tolerance] :
       {std::tuple{ShapeType::box, Vec3d{0.2, 0.3, 0.5}, 0.03, 1e-9},
        std::tuple{ShapeType::sphere, Vec3d{0.3, 0, 0}, 4.0 / 3 * pi_ * 0.027, 0.02},
        std::tuple{ShapeType::capsule, Vec3d{0.1, 0.4, 0}, pi_ * 0.01 * (0.4 + 4.0 / 3 * 0.1), 0.02}}) {
    Swimmer body(one_shape(type, size));
    body.q = {0.3, 0.2, -7, 0.5, 0.5, -0.5, 0.5};
    const Wrench<double> f = body.force(parse_medium("water"));
    EXPECT_NEAR(f.lin.z, 1000 * 9.81 * volume, tolerance * 1000 * 9.81 * volume);
    EXPECT_NEAR(f.lin.x, 0, 1e-9);
    EXPECT_NEAR(norm(f.ang), 0, 1e-9);
  }
}

TEST(Medium, APondCarriesWhatIsBelowItsSurface) {
  Swimmer box(one_shape(ShapeType::box, {0.4, 0.4, 0.4}));
  const Medium pond = parse_medium("water:0,0,0,1");
  box.q[2] = 1;  // half in: the bottom lies 0.2 m deep
  EXPECT_NEAR(box.force(pond).lin.z, 1000 * 9.81 * 0.2 * 0.16, 1e-6);
  box.q[2] = 2;
  EXPECT_EQ(norm(box.force(pond).lin), 0);
}

TEST(Medium, ABatchHasTheBitsOfEightScalars) {
  Random random(9);
  const Creature creature = table_creature();
  const std::vector<const Creature*> pointers = {&creature};
  const Model<Batch> model = make_batch_model(pointers);
  const Skin<Batch> skin = make_batch_surface(pointers);
  for (const char* spec : {"water:0.3,0.1,0,0.2", "wind:4,1,0", "viscous:20"})
    for (const bool implicit : {true, false}) {
      const Medium medium = parse_medium(spec);
      Workspace<Batch> w(model);
      std::vector<Batch> q(model.nq), v(model.nv);
      std::vector<Swimmer> swimmers(8, Swimmer(creature));
      for (int lane = 0; lane < 8; ++lane) {
        Swimmer& s = swimmers[lane];
        s.q.resize(model.nq);
        s.v.resize(model.nv);
        for (double& x : s.q) x = random.normal();
        for (double& x : s.v) x = random.normal();
        for (int i = 0; i < model.nq; ++i) q[i].set(lane, s.q[i]);
        for (int i = 0; i < model.nv; ++i) v[i].set(lane, s.v[i]);
        update_positions(s.model, s.q.data(), s.w);
        update_velocities(s.model, s.q.data(), s.v.data(), s.w);
        clear_forces(s.model, s.w);
        s.w.implicit = implicit;
        add_medium_forces(s.model, s.skin, medium, 1e-3, s.w);
      }
      update_positions(model, q.data(), w);
      update_velocities(model, q.data(), v.data(), w);
      clear_forces(model, w);
      w.implicit = implicit;
      add_medium_forces(model, skin, medium, Batch(1e-3), w);
      for (int lane = 0; lane < 8; ++lane)
        for (int b = 0; b < model.nlink; ++b)
          for (int i = 0; i < 3; ++i) {
            EXPECT_EQ(w.f_ext[b].lin[i][lane], swimmers[lane].w.f_ext[b].lin[i]);
            EXPECT_EQ(w.f_ext[b].ang[i][lane], swimmers[lane].w.f_ext[b].ang[i]);
            EXPECT_EQ(w.I_ext[b].H(i, 2)[lane], swimmers[lane].w.I_ext[b].H(i, 2));
          }
    }
}

TEST(Medium, SaysWhatIsWrong) {
  EXPECT_EQ(error_of("watre"), "medium 'watre': unknown medium; did you mean 'water'?");
  EXPECT_EQ(error_of("wind"), "medium 'wind': needs three values; write wind:2,0,0");
  EXPECT_EQ(error_of("wind:1,b,0"), "medium 'wind:1,b,0': 'b' is not a number");
  EXPECT_EQ(error_of("viscous:-1"), "medium 'viscous:-1': needs one value of at least 0; write viscous:50");
  EXPECT_EQ(error_of("air:1"), "medium 'air:1': takes no values; write air");
}

}  // namespace
}  // namespace legwork
