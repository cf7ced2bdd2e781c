#pragma once
// One leg as a body of its own, its carrier (the link on which it hangs) at rest: joints with their soft
// limits, what of it touches the ground, and how far it reaches.

#include <vector>

#include "creature/place.h"
#include "dynamics/model.h"
#include "modes/limbs.h"
#include "sim/joints.h"

namespace legwork {

// Keeps a joint softly in its range: a distance d past a limit is shortened by d^2 / (d + soft), so that no
// joint passes it by `soft` or more, and none stops with a jerk.
struct SoftLimit {
  double lower, upper, soft;
  double operator()(double y) const noexcept;
  double slope(double y) const noexcept;
};

// A contact point of a leg.
struct LegSite {
  int link = 0;      // index in the leg's own model
  int contact = -1;  // in Creature::contacts; -1: made for a leg that has none
  Vec3d pos;
  double radius = 0;
  bool stands = false;      // on the ground in the rest pose
  bool rear = false;        // behind the toes of a foot: it may rise before they do
  bool toe = false;         // on such a foot's toes, which stay level while they stand
  LinkFrame rest;           // its place and its link's axes, seen from the foot's point in the rest pose
  std::vector<char> moves;  // per degree of freedom of the leg: whether it moves this
};

struct LegBody {
  // What must be within reach of the hip's origin, seen from the foot's point, and how long the leg can be up
  // to there.
  struct End {
    Vec3d at;
    double reach = 1;
  };

  Model<double> model;
  JointForces<double> joints;
  std::vector<double> q;          // the file's own pose
  int carrier = -1;               // link of the creature
  std::vector<int> dofs;          // indices in the creature, in the order of the leg's own
  std::vector<SoftLimit> limits;  // per degree of freedom
  std::vector<double> stiff;  // per degree of freedom: its stiffness over the leg's mean; empty: all alike
  std::vector<LegSite> sites;
  End end;   // the ankle where the foot stands on one, else the foot's point
  End toes;  // the toes where the foot has any, else as `end`
};

// q: the rest pose, x: the same in joint coordinates; limits: for all degrees of freedom.
LegBody make_leg_body(const Creature& creature, const LimbLeg& leg, const std::vector<double>& q,
                      const std::vector<double>& x, const std::vector<SoftLimit>& limits);

}  // namespace legwork
