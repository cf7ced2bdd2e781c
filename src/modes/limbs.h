#pragma once
// Legs, arms and head as the modes see them: which joints bend them, and where they touch.

#include <string>
#include <vector>

#include <legwork/creature.h>
#include "dynamics/model.h"

namespace legwork {

struct LimbLeg {
  int leg = 0;  // in Creature::legs
  Side side = Side::none;
  int girdle = 0;    // counted from the hindmost
  int partner = -1;  // the leg of the same girdle on the other side
  int hip = -1, foot = -1;
  int knee_dof = -1;        // what bends the knee, among v ...
  double knee_sign = 1;     // ... and the sign with which it folds
  Vec3d point;              // the foot's point, foot frame: the middle of what stands on the ground
  double height = 0;        // how high that point is when the foot stands on the ground, m
  std::vector<int> links;   // from the hip to the foot
  std::vector<int> dofs;    // degrees of freedom of those links
  std::vector<int> beyond;  // degrees of freedom of links beyond the foot
};

struct LimbArm {
  Side side = Side::none;
  int hand = -1;
  Vec3d pos;
};

struct Limbs {
  std::vector<LimbLeg> legs;  // hindmost girdle first, left before right
  std::vector<LimbArm> arms;
  int girdles = 0;
  int root = 0;                                // link
  int head = -1;                               // link
  double hip_height = 0;                       // m, mean over the legs
  std::vector<char> in_leg, in_arm, in_spine;  // nv: which part a degree of freedom belongs to

  bool fore(const LimbLeg& leg) const { return girdles > 1 && leg.girdle == girdles - 1; }
};

// In the rest pose q. Legs may be missing; what is there is complete. Throws Error for a leg without a side
// or a knee, saying what to write.
Limbs find_limbs(const Creature& creature, const std::vector<double>& q);

// Throws Error that says which labels `action` needs and which links look as if they were meant.
void check_labels(const Creature& creature, const Limbs& limbs, const std::string& action);

}  // namespace legwork
