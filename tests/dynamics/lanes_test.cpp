// The passes that take links of one creature in lanes, against the textbook's link by link: every number that
// they leave has the same bits, the sign of zero included.

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include <legwork/files.h>
#include "dynamics/articulated_body.h"
#include "dynamics/constrained.h"
#include "dynamics/kinematics.h"
#include "formats/shipped.h"
#include "random_creature.h"

namespace legwork {
namespace {

// The numbers of an item, without the pads of matrices, whose zeros may have either sign.
void append(double x, std::vector<double>& out) { out.push_back(x); }
void append(const Vec3d& v, std::vector<double>& out) { out.insert(out.end(), {v.x, v.y, v.z}); }
void append(const Mat3d& R, std::vector<double>& out) {
  for (int i = 0; i < 3; ++i) append(R.row(i), out);
}
void append(const Sym3d& I, std::vector<double>& out) {
  out.insert(out.end(), {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz});
}
void append(const Twist<double>& m, std::vector<double>& out) { append(m.ang, out), append(m.lin, out); }
void append(const Wrench<double>& f, std::vector<double>& out) { append(f.ang, out), append(f.lin, out); }
void append(const Inertia<double>& A, std::vector<double>& out) {
  append(A.I, out), append(A.H, out), append(A.M, out);
}

template <class Item>
::testing::AssertionResult same_bits(const std::vector<Item>& a, const std::vector<Item>& b) {
  if (a.size() != b.size()) return ::testing::AssertionFailure() << a.size() << " against " << b.size();
  std::vector<double> x, y;
  for (size_t i = 0; i < a.size(); ++i) {
    x.clear(), y.clear();
    append(a[i], x), append(b[i], y);
    for (size_t k = 0; k < x.size(); ++k)
      if (std::bit_cast<std::uint64_t>(x[k]) != std::bit_cast<std::uint64_t>(y[k]))
        return ::testing::AssertionFailure()
               << "item " << i << ", number " << k << ": " << x[k] << " is not " << y[k];
  }
  return ::testing::AssertionSuccess();
}

void expect_same_bits(const Workspace<double>& a, const Workspace<double>& b) {
  EXPECT_TRUE(same_bits(a.sine, b.sine)) << "sine";
  EXPECT_TRUE(same_bits(a.cosine, b.cosine)) << "cosine";
  EXPECT_TRUE(same_bits(a.R, b.R)) << "R";
  EXPECT_TRUE(same_bits(a.p, b.p)) << "p";
  EXPECT_TRUE(same_bits(a.r, b.r)) << "r";
  EXPECT_TRUE(same_bits(a.c, b.c)) << "c";
  EXPECT_TRUE(same_bits(a.I, b.I)) << "I";
  EXPECT_TRUE(same_bits(a.S, b.S)) << "S";
  EXPECT_TRUE(same_bits(a.vel, b.vel)) << "vel";
  EXPECT_TRUE(same_bits(a.bias, b.bias)) << "bias";
  EXPECT_TRUE(same_bits(a.IA, b.IA)) << "IA";
  EXPECT_TRUE(same_bits(a.pA, b.pA)) << "pA";
  EXPECT_TRUE(same_bits(a.U, b.U)) << "U";
  EXPECT_TRUE(same_bits(a.invD, b.invD)) << "invD";
  EXPECT_TRUE(same_bits(a.u, b.u)) << "u";
  EXPECT_TRUE(same_bits(a.acc, b.acc)) << "acc";
}

// A state of a body, and what acts on it.
struct Scene {
  std::vector<double> q, v, tau;
  std::vector<Wrench<double>> f_ext;
  std::vector<Inertia<double>> I_ext;
  std::vector<double> d_ext;
};

Scene random_scene(Random& random, const Model<double>& m, const std::vector<double>& q) {
  Scene s{q, random_values(random, m.nv, 3), random_values(random, m.nv, 5), {}, {}, {}};
  for (int b = 0; b < m.nlink; ++b) {
    s.f_ext.push_back({random_vector(random, 3), random_vector(random, 3)});
    s.I_ext.push_back(rigid_inertia(random.uniform(0, 0.1), random_vector(random, 0.1),
                                    Sym3d::diagonal(1, 2, 3) * random.uniform(0, 0.01)));
  }
  for (int j = 0; j < m.nv; ++j) s.d_ext.push_back(random.uniform(0, 0.1));
  return s;
}

void set_forces(const Scene& s, bool implicit, Workspace<double>& w) {
  w.f_ext = s.f_ext, w.I_ext = s.I_ext, w.d_ext = s.d_ext, w.implicit = implicit;
}

// The passes in order, then the loops.
void compare(const Model<double>& m, const std::vector<Loop>& loops, const Scene& s, bool implicit) {
  Workspace<double> in_lanes(m), by_link(m);
  std::vector<double> lanes(size_t(m.nv)), links(size_t(m.nv));
  place_links_in_lanes(m, s.q.data(), in_lanes);
  move_links_in_lanes(m, s.q.data(), s.v.data(), in_lanes);
  set_forces(s, implicit, in_lanes);
  articulated_body_in_lanes(m, s.tau.data(), in_lanes, lanes.data());
  place_links(m, s.q.data(), by_link);
  move_links(m, s.q.data(), s.v.data(), by_link);
  set_forces(s, implicit, by_link);
  articulated_body(m, s.tau.data(), by_link, links.data());
  expect_same_bits(in_lanes, by_link);
  EXPECT_TRUE(same_bits(lanes, links)) << "qdd";

  int rows = 0;
  for (const Loop& loop : loops) rows += rows_of(loop);
  Constraints<double> some(m, rows), one(m, rows);
  for (const Loop& loop : loops) add_loop(loop, 0.1, in_lanes, some), add_loop(loop, 0.1, by_link, one);
  respond_in_lanes(m, in_lanes, some);
  respond_row_by_row(m, by_link, one);
  EXPECT_TRUE(same_bits(some.Y, one.Y)) << "responses";
  EXPECT_TRUE(same_bits(some.A, one.A)) << "loops' matrix";
}

TEST(Lanes, OfShippedBodiesHaveTheBitsOfTheTextbook) {
  Random random(21, 0);
  size_t groups = 0, loops = 0;
  for (const ShippedCreature& shipped : shipped_creatures()) {
    SCOPED_TRACE(shipped.name);
    const Creature creature = load_creature(shipped.name);
    const Model<double> m = make_model(creature);
    groups += m.groups.size(), loops += creature.loops.size();
    for (int trial = 0; trial < 4; ++trial) {
      // as the file poses it, where many numbers are zero, and moved about
      std::vector<double> q = creature.pose("");
      Scene s = random_scene(random, m, q);
      if (trial < 2)
        integrate_positions(m, q.data(), random_values(random, m.nv, 0.5).data(), 1.0, s.q.data());
      else
        s.v.assign(size_t(m.nv), 0), s.tau = s.v, s.f_ext.assign(size_t(m.nlink), {});
      compare(m, creature.loops, s, trial % 2 == 1);
    }
  }
  EXPECT_GT(groups, 20u);
  EXPECT_GT(loops, 1u);
}

// Trees with many short branches, and bodies with legs of four links, whose groups are chained; one in three
// has loops.
TEST(Lanes, OfRandomTreesHaveTheBitsOfTheTextbook) {
  Random random(22, 0);
  size_t groups = 0, chained = 0;
  for (int trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(trial);
    const bool legs = trial % 2 == 1;
    std::vector<JointType> types = moving_joint_types();
    types.insert(types.end(), 8, JointType::hinge);
    if (legs) types = {JointType::hinge};
    Creature creature =
        random_creature(random, legs ? 1 + 4 * (3 + random.index(8)) : 1 + random.index(50), types);
    for (int b = 1; legs && b < int(creature.links.size()); ++b)
      creature.links[b].parent = b % 4 == 1 ? 0 : b - 1;
    for (int k = 0; trial % 3 == 0 && k < 3; ++k) {
      Loop loop;
      loop.link = random.index(int(creature.links.size()));
      loop.other = k == 0 ? -1 : random.index(int(creature.links.size()));
      loop.pos = random_vector(random, 0.2);
      loop.rot = random_rotation(random);
      loop.frame = k > 0;
      creature.loops.push_back(loop);
    }
    const Model<double> m = make_model(creature);
    groups += m.groups.size();
    for (const LinkGroup& g : m.groups) chained += g.below >= 0;
    const Scene s = random_scene(random, m, random_positions(random, creature));
    for (const bool implicit : {false, true}) compare(m, creature.loops, s, implicit);
  }
  EXPECT_GT(groups, 300u);
  EXPECT_GT(chained, 50u);
}

// With nothing prescribed, hybrid dynamics is forward dynamics.
TEST(Lanes, HybridDynamicsWithNothingPrescribedHasTheBitsOfTheTextbook) {
  Random random(23, 0);
  for (int trial = 0; trial < 60; ++trial) {
    const Creature creature = random_creature(random, 1 + random.index(30), moving_joint_types());
    const Model<double> m = make_model(creature);
    Scene s = random_scene(random, m, random_positions(random, creature));
    const std::vector<char> none(size_t(m.nv), 0);
    std::vector<double> textbook(size_t(m.nv)), hybrid(size_t(m.nv));
    Workspace<double> a(m), b(m);
    for (Workspace<double>* w : {&a, &b}) {
      place_links(m, s.q.data(), *w);
      move_links(m, s.q.data(), s.v.data(), *w);
      set_forces(s, trial % 2 == 1, *w);
    }
    articulated_body(m, s.tau.data(), a, textbook.data());
    hybrid_dynamics(m, none.data(), s.tau.data(), b, hybrid.data());
    EXPECT_TRUE(same_bits(textbook, hybrid)) << trial;
  }
}

}  // namespace
}  // namespace legwork
