#pragma once
// Model: a creature compiled for the dynamics. Constant, flat arrays, parents first, one scalar type.
//
// Model<double> is one creature; Model<Batch> is eight of one topology, each lane with its own masses,
// lengths and springs. Coordinates are MuJoCo's: a free joint has q = position, quaternion (w x y z) and v =
// linear velocity of the link's origin in world axes, angular velocity in link axes; a ball joint has a
// quaternion and the angular velocity in link axes; all others are scalars, angles in rad and lengths in m.

#include <vector>

#include <legwork/creature.h>
#include "dynamics/link_groups.h"
#include "dynamics/screw.h"
#include "math/spatial.h"

namespace legwork {

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

// Where everything is and what acts on it, for one state. Axes are the world's, each link about its own
// origin.
template <class T>
struct Workspace {
  explicit Workspace(const Model<T>& model);

  // positions
  std::vector<T> sine, cosine;   // sine and cosine of every hinge's angle
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
