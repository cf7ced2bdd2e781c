#include "creature/place.h"

#include <gtest/gtest.h>

#include "dynamics/dynamics.h"
#include "tests/dynamics/random_creature.h"

namespace legwork {
namespace {

TEST(Place, FramesAndDirectionsAreThoseOfTheDynamics) {
  for (int n = 0; n < 60; ++n) {
    Random random(7, n);
    const Creature c = random_creature(random, 1 + random.index(12), moving_joint_types());
    const std::vector<double> q = random_positions(random, c);
    const Model<double> m = make_model(c);
    Workspace<double> w(m);
    update_positions(m, q.data(), w);
    const std::vector<LinkFrame> frames = place(c, q);
    for (size_t i = 0; i < frames.size(); ++i) {
      EXPECT_LT(norm(frames[i].p - w.p[i]), 1e-12);
      for (int k = 0; k < 3; ++k) EXPECT_LT(norm(frames[i].R.column(k) - w.R[i].column(k)), 1e-12);
    }
    const std::vector<Twist<double>> S = dof_directions(c, q);
    ASSERT_EQ(int(S.size()), m.nv);
    for (int j = 0; j < m.nv; ++j) {
      EXPECT_LT(norm(S[j].ang - w.S[j].ang), 1e-11) << c.links[m.link_of_dof[j]].name;
      EXPECT_LT(norm(S[j].lin - w.S[j].lin), 1e-11) << c.links[m.link_of_dof[j]].name;
    }
  }
}

TEST(Place, BoundingBoxHoldsAllShapesWhereTheyAre) {
  Creature c;
  Link link;
  Shape sphere;
  sphere.type = ShapeType::sphere;
  sphere.size = {0.5, 0, 0};
  link.shapes = {sphere};
  link.pos = {1, 0, 0};
  c.links = {link, link};
  c.links[1].parent = 0;
  const Box box = bounding_box(c, {});
  EXPECT_LT(norm(box.lower - Vec3d(0.5, -0.5, -0.5)), 1e-15);
  EXPECT_LT(norm(box.upper - Vec3d(2.5, 0.5, 0.5)), 1e-15);
}

TEST(Place, APointMassResistsAHingeBesideItButNotABallJoint) {
  Creature c;
  Link link;
  link.mass = 1;
  link.com = {0.3, 0.4, -0.5};
  Joint joint;
  joint.type = JointType::hinge;
  joint.axes = {{0, 1, 0}};
  joint.dofs.resize(1);
  link.joints = {joint};
  c.links = {link};
  EXPECT_NEAR(dof_resistance(c)[0], 1, 1e-12);
  c.links[0].joints[0].type = JointType::ball;
  c.links[0].joints[0].dofs.resize(3);
  const std::vector<double> share = dof_resistance(c);
  EXPECT_LT(std::min({share[0], share[1], share[2]}), no_resistance);
}

}  // namespace
}  // namespace legwork
