#pragma once
// Links of one creature in the lanes of a batch: which go together, and what a group keeps between passes.
// Only the passes of a scalar model in lanes (kinematics_lanes.cpp, articulated_body_lanes.cpp) read this.

#include <array>

#include "dynamics/screw.h"
#include "math/spatial.h"

namespace legwork {

template <class T>
struct Model;

// Links of one creature that move at once, one in each lane of a batch, which holds the bits that the scalar
// would: each has one hinge and no other joint, and none is above another in the tree.
struct LinkGroup {
  int count = 0;  // lanes in use; the rest repeat the last link
  std::array<int, batch_lanes> link{}, parent{}, dof{}, hinge{};
  int below = -1;  // group of the only children of these links, lane by lane
  int above = -1;  // group of their parents, lane by lane
  bool tips = false;
  Screw<Batch> screw;
  Vec3<Batch> pos, com;
  Sym3<Batch> inertia;
  Batch mass, armature;
};

// What a group of links hands on from one pass to the next, in lanes.
struct LinkLanes {
  Mat3<Batch> R;
  Vec3<Batch> p, r, c;
  Sym3<Batch> I;
  Twist<Batch> S, vel, bias, acc;
  Inertia<Batch> IA;  // with the joint free to move
  Wrench<Batch> pA, U;
  Batch invD, u;
};

// Fills the model's groups and the order `inward`.
void group_links(Model<double>& m);

}  // namespace legwork
