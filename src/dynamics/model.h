#pragma once
// Model: a creature compiled for the dynamics. Constant, flat arrays, parents first, one scalar type.
//
// Model<double> is one creature; Model<Batch> is eight of one topology, each lane with its own masses,
// lengths and springs. Coordinates are MuJoCo's: a free joint has q = position, quaternion (w x y z) and v =
// linear velocity of the link's origin in world axes, angular velocity in link axes; a ball joint has a
// quaternion and the angular velocity in link axes; all others are scalars, angles in rad and lengths in m.

#include <array>
#include <cstdint>
#include <vector>

#include <legwork/creature.h>
#include "math/spatial.h"

namespace legwork {

// An elementary motion inside a link's joint, applied in order from the parent outward.
enum class ScrewType : std::uint8_t { hinge, slide, ball, free, path };

// Wills's functional degree of freedom as the six virtual coordinates it moves, for q in [-1, 1]:
//   x(q) = neutral + slope q + bend (q^2 / 2 - |q|^3 / 6), the natural cubic spline through three keyframes,
// continued linearly outside. Order: angles about fixed x, y, z, then translations.
template <class T>
struct Path {
  T slope[6], bend[6];
};

template <class T>
struct Screw {
  ScrewType type;
  int q, v;       // first position and velocity coordinate
  int paths = 0;  // path: how many, their tables from first_path on
  int first_path = 0;
  int path_screw = 0;  // path: which of the model's path screws
  bool anchored;       // the anchor is not the link's origin
  Vec3<T> axis;        // unit, link frame
  Vec3<T> anchor;      // link frame
  // hinge: the frame after it, seen from the frame before, is fixed + sine s + cosine c (Rodrigues); the
  // frame before the first screw is the parent's, so that the link's placement costs nothing
  Mat3<T> fixed, sine, cosine;
  int hinge = 0;          // hinge: which of the model's hinges
  Vec3<T> anchor_before;  // hinge: the anchor in axes of the frame before
  T q_zero = T(0);        // hinge, slide: coordinate in the reference pose
  T neutral[6];           // path
};

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

template <class T>
struct Model {
  int nlink = 0, nq = 0, nv = 0;
  int path_screws = 0;
  std::vector<int> parent;       // -1 = world
  std::vector<int> screw_begin;  // nlink + 1, into screws
  std::vector<int> dof_begin;    // nlink + 1, into v
  std::vector<Screw<T>> screws;
  std::vector<Path<T>> paths;
  std::vector<int> hinge_q;   // for each hinge: its coordinate ...
  std::vector<T> hinge_zero;  // ... and the value of that in the reference pose
  std::vector<Vec3<T>> pos;   // link frame in the parent's at the reference pose
  std::vector<Mat3<T>> rot;
  std::vector<char> turned;  // whether rot is still to be applied: a first hinge takes it in
  std::vector<T> mass;
  std::vector<Vec3<T>> com;      // link frame
  std::vector<Sym3<T>> inertia;  // about com, link axes
  std::vector<T> armature;       // nv
  std::vector<int> link_of_dof;  // nv
  Vec3<T> gravity{T(0), T(0), T(-9.81)};
  // Model<double>: every link once, alone (its number) or in a group (nlink + the group's number), children
  // before parents and later siblings before earlier ones
  std::vector<LinkGroup> groups;
  std::vector<int> inward;
};

Model<double> make_model(const Creature& creature);
// Lane i is creature[i]; fewer than eight: the last fills the rest. All must share one topology.
Model<Batch> make_batch_model(const std::vector<const Creature*>& creatures);

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

// Where everything is and what acts on it, for one state. Axes are the world's, each link about its own
// origin.
template <class T>
struct Workspace {
  explicit Workspace(const Model<T>& model);

  // positions
  std::vector<T> sine, cosine;   // of every hinge's turn
  std::vector<Mat3<T>> R;        // link to world
  std::vector<Vec3<T>> p;        // link origin
  std::vector<Vec3<T>> r;        // from the parent's origin to the link's
  std::vector<Vec3<T>> c;        // from the link's origin to its centre of mass
  std::vector<Sym3<T>> I;        // about the centre of mass
  std::vector<Twist<T>> S;       // nv: motion of the link for a unit of v
  std::vector<Twist<T>> path_S;  // 6 for each path screw: translations x y z, rotations z y x
  // velocities
  std::vector<Twist<T>> vel;
  std::vector<Twist<T>> bias;  // acceleration at qdd = 0 relative to the parent: (dS/dt) v
  // what acts
  std::vector<Wrench<T>> f_ext;   // on each link
  std::vector<Inertia<T>> I_ext;  // added inertia of implicit contact, used when implicit is set
  std::vector<T> d_ext;           // nv: added to the joint's own inertia by implicit springs and dampers
  bool implicit = false;
  // articulated-body factors, kept for further solves with the same inertia
  std::vector<Inertia<T>> IA;
  std::vector<Wrench<T>> pA;
  std::vector<Wrench<T>> U;  // nv
  std::vector<T> invD, u;    // nv
  std::vector<Twist<T>> acc;
  std::vector<LinkLanes> lanes;  // one for each of the model's groups
};

}  // namespace legwork
