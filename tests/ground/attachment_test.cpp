#include "ground/attachment.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "tests/ground/bodies.h"

namespace legwork {
namespace {

// Two free boxes, 1 m apart along x, tied together.
Creature tied_boxes(const Attachment& attachment) {
  Creature creature;
  for (int i = 0; i < 2; ++i) {
    creature.links.push_back(box_link("box" + std::to_string(i), {0.1, 0.2, 0.3}, 1.0 + i));
    creature.links[i].joints.push_back(free_joint());
    creature.links[i].pos = {double(i), 0, 0};
  }
  creature.attachments.push_back(attachment);
  return creature;
}

Attachment between_boxes() {
  Attachment a;
  a.link = 0;
  a.other = 1;
  a.stiffness = 50;
  a.damping = 0.4;
  a.rest = 0.8;
  return a;
}

struct Pair {
  Model<double> model;
  Workspace<double> w;
  std::vector<double> q{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0}, v = std::vector<double>(12, 0.0);
  std::vector<AttachmentSpring<double>> springs;
  AttachmentState<double> broken;

  explicit Pair(const Creature& c)
      : model(make_model(c)), w(model), springs(make_attachments(c)), broken(springs.size(), 0.0) {
    update();
  }
  void update() {
    update_positions(model, q.data(), w);
    update_velocities(model, q.data(), v.data(), w);
  }
  Vec3d force() {
    clear_forces(model, w);
    add_attachment_forces(model, springs, broken, 1e-4, w);
    return w.f_ext[0].lin;
  }
};

TEST(Attachment, PullsByItsStretchAndItsRate) {
  Pair pair(tied_boxes(between_boxes()));
  EXPECT_NEAR(pair.force().x, 50 * 0.2, 1e-12);
  pair.v[6] = 3;  // the second moves away
  pair.update();
  EXPECT_NEAR(pair.force().x, 50 * 0.2 + 0.4 * 3, 1e-12);
}

TEST(Attachment, MayBeExponential) {
  Attachment a = between_boxes();
  a.stiffness = 2;
  a.sharpness = 7;
  a.damping = 0;
  Pair pair(tied_boxes(a));
  EXPECT_NEAR(pair.force().x, 2 * (std::exp(7 * 0.2) - 1), 1e-12);
  pair.q[7] = 0.7;  // pressed together
  pair.update();
  EXPECT_NEAR(pair.force().x, -2 * (std::exp(7 * 0.1) - 1), 1e-12);
}

TEST(Attachment, PullsLessWhileItGoesBackToRest) {
  Attachment a = between_boxes();
  a.damping = 0;
  a.restitution = 0.3;
  Pair pair(tied_boxes(a));
  for (const double apart : {3.0, -3.0}) {
    pair.v[6] = apart;
    pair.update();
    EXPECT_NEAR(pair.force().x, 50 * 0.2 * (apart > 0 ? 1 : 0.3), 1e-12);
  }
}

TEST(Attachment, BreaksForGoodBeyondItsLength) {
  Attachment a = between_boxes();
  a.break_length = 1.5;
  Pair pair(tied_boxes(a));
  for (const double x : {1.2, 1.5}) {
    pair.q[7] = x;
    pair.update();
    break_attachments(pair.springs, pair.w, pair.broken);
    EXPECT_EQ(pair.broken[0], 0);
  }
  pair.q[7] = 1.5000001;
  pair.update();
  break_attachments(pair.springs, pair.w, pair.broken);
  EXPECT_EQ(pair.broken[0], 1);
  pair.q[7] = 1;
  pair.update();
  break_attachments(pair.springs, pair.w, pair.broken);
  EXPECT_EQ(pair.broken[0], 1);
  EXPECT_EQ(norm(pair.force()), 0);
  EXPECT_EQ(attachment_energy(pair.springs, pair.broken, pair.w), 0);
}

TEST(Attachment, ForcesAreEqualAndOppositeAndOnOneLine) {
  Random random(2);
  Attachment a = between_boxes();
  a.pos = {0.05, 0.1, -0.1};
  a.other_pos = {-0.05, 0.02, 0.15};
  Pair pair(tied_boxes(a));
  for (int trial = 0; trial < 100; ++trial) {
    for (double& q : pair.q) q = random.normal();
    for (double& v : pair.v) v = random.normal();
    normalize_positions(pair.model, pair.q.data());
    pair.update();
    pair.force();
    const Wrench<double> sum =
        shift_back(pair.w.f_ext[0], pair.w.p[0]) + Wrench<double>(shift_back(pair.w.f_ext[1], pair.w.p[1]));
    EXPECT_LT(norm(sum.lin), 1e-12);
    EXPECT_LT(norm(sum.ang), 1e-12);
  }
}

TEST(Attachment, AStepTooLongForTheSpringWeakensIt) {
  Attachment a = between_boxes();
  a.stiffness = 1e9;
  Pair pair(tied_boxes(a));
  pair.q[7] = 0.81;
  double before = 0, after = 0;
  for (int i = 0; i < 2000; ++i) {
    const double h = 1e-2;
    pair.update();
    clear_forces(pair.model, pair.w);
    add_attachment_forces(pair.model, pair.springs, pair.broken, h, pair.w);
    std::vector<double> tau(12, 0.0), qdd(12);
    pair.model.gravity = {};
    forward_dynamics(pair.model, tau.data(), pair.w, qdd.data());
    for (int j = 0; j < 12; ++j) pair.v[j] += h * qdd[j];
    integrate_positions(pair.model, pair.q.data(), pair.v.data(), h, pair.q.data());
    const double stretch = std::fabs(pair.q[7] - pair.q[0] - 0.8);
    (i < 1000 ? before : after) = std::max(i < 1000 ? before : after, stretch);
  }
  EXPECT_LT(before, 0.02);
  EXPECT_LE(after, before);
}

TEST(Attachment, ToTheWorldItIsImplicit) {
  // a stiff spring on a step that an explicit method does not survive: the exact implicit Euler step along x
  Attachment a;
  a.other = -1;
  a.other_pos = {-1, 0, 0};
  a.stiffness = 1e6;
  a.damping = 10;
  a.rest = 0.9;
  Pair pair(tied_boxes(a));
  pair.model.gravity = {};
  pair.v[0] = 0.5;
  pair.update();
  const double h = 0.01, m = 1;
  clear_forces(pair.model, pair.w);
  pair.w.implicit = true;
  add_attachment_forces(pair.model, pair.springs, pair.broken, h, pair.w);
  std::vector<double> tau(12, 0.0), qdd(12);
  forward_dynamics(pair.model, tau.data(), pair.w, qdd.data());
  const double v = 0.5, x = 0.1;
  const double expected = (m * v - h * 1e6 * x) / (m + h * 10 + h * h * 1e6);
  EXPECT_NEAR(v + h * qdd[0], expected, 1e-9);
}

TEST(Attachment, ABatchHasTheBitsOfEightScalars) {
  Random random(4);
  for (const double sharpness : {0.0, 5.0})
    for (const int other : {1, -1})
      for (const bool implicit : {true, false}) {
        std::vector<Creature> creatures;
        std::vector<const Creature*> pointers;
        for (int lane = 0; lane < 8; ++lane) {
          Attachment a = between_boxes();
          a.other = other;
          a.sharpness = sharpness;
          a.rest = 0.1 * lane;
          a.break_length = lane < 4 ? 1 : unlimited;
          creatures.push_back(tied_boxes(a));
        }
        for (const Creature& c : creatures) pointers.push_back(&c);
        const Model<Batch> model = make_batch_model(pointers);
        const auto springs = make_batch_attachments(pointers);
        Workspace<Batch> w(model);
        AttachmentState<Batch> broken(1, Batch(0));
        std::vector<Batch> q(14), v(12);
        std::vector<Pair> pairs;
        for (int lane = 0; lane < 8; ++lane) {
          pairs.emplace_back(creatures[lane]);
          for (double& x : pairs[lane].q) x = random.normal();
          for (double& x : pairs[lane].v) x = random.normal();
          for (int i = 0; i < 14; ++i) q[i].set(lane, pairs[lane].q[i]);
          for (int i = 0; i < 12; ++i) v[i].set(lane, pairs[lane].v[i]);
          pairs[lane].update();
        }
        update_positions(model, q.data(), w);
        update_velocities(model, q.data(), v.data(), w);
        clear_forces(model, w);
        w.implicit = implicit;
        break_attachments(springs, w, broken);
        add_attachment_forces(model, springs, broken, Batch(1e-3), w);
        for (int lane = 0; lane < 8; ++lane) {
          Pair& pair = pairs[lane];
          clear_forces(pair.model, pair.w);
          pair.w.implicit = implicit;
          break_attachments(pair.springs, pair.w, pair.broken);
          add_attachment_forces(pair.model, pair.springs, pair.broken, 1e-3, pair.w);
          EXPECT_EQ(broken[0][lane], pair.broken[0]);
          for (int b = 0; b < 2; ++b)
            for (int i = 0; i < 3; ++i) {
              EXPECT_EQ(w.f_ext[b].lin[i][lane], pair.w.f_ext[b].lin[i]);
              EXPECT_EQ(w.f_ext[b].ang[i][lane], pair.w.f_ext[b].ang[i]);
              EXPECT_EQ(w.I_ext[b].H(i, 1)[lane], pair.w.I_ext[b].H(i, 1));
            }
        }
      }
}

}  // namespace
}  // namespace legwork
