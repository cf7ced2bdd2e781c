#pragma once
// What a body does in walking: its legs, their motor programs, and where they are felt. Constant while it
// walks.

#include <vector>

#include "math/vec.h"
#include "walk/gait_controller.h"

namespace legwork {

// A move of a motor program that can be steered: it goes to still + stroke * forward + steer * turn, where
// stroke 1 walks straight ahead, 0 marches on the spot, and a steer of 1 turns left as fast as stroke 1
// walks.
struct Stroke {
  int dof = -1;
  double start = 0, end = 1;  // shares of the step or stance
  double still = 0, forward = 0, turn = 0;
};

// What a leg does in walking, and where it is felt.
struct WalkLeg {
  std::vector<Stroke> step, stance;
  std::vector<int> dofs;         // that its programs move
  std::vector<double> down, up;  // rest positions of dofs at the end of step (touch-down) and of stance
  int foot = -1;                 // link that stands on the ground, and its sole in that link's frame, m
  Vec3d sole;
  Vec3d home;          // from the trunk's origin to the sole, axes of the standing body, m
  int swing_dof = -1;  // shows how far the leg is bent back: the one of dofs that carries the foot furthest
  double back = -1;    // sign of swing_dof's velocity in stance
  int load_dof = -1;   // its torque shows the load: the one of dofs that lifts the foot most
  std::vector<int> sites;      // contact points of the foot
  std::vector<int> all_sites;  // contact points of all its links
};

struct WalkBody {
  std::vector<WalkLeg> legs;
  std::vector<GaitLeg> places;
  double step_time = 0;  // s
  double stride = 0;     // m: distance that a foot covers in stance; 0 = unknown
  double lift = 0;       // m: how high a foot lifts in a step; 0 = unknown
  int trunk = 0;         // link that carries all legs, and how it is turned when the body stands
  Mat3d upright;
  // Steps spread evenly over the cycle, for bodies with too few legs to stand while neighbours follow each
  // other at once.
  bool spread = false;
};

// Fills in what a leg with programs is felt by, at configuration q.
void find_senses(const Creature& creature, const Leg& leg, const std::vector<double>& q, WalkLeg& out);
// The body as it stands at configuration q: its trunk and the homes of its feet.
void find_homes(const Creature& creature, const std::vector<double>& q, WalkBody& out);

// From the creature's own motor programs; each leg must have some (see programs.h for bodies without).
WalkBody make_walk_body(const Creature& creature);

}  // namespace legwork
