#pragma once
// What a mode does, and which one does most of a kind: the paper's heuristics A to G (section 4.3).
//
// Every mode is measured at the feet, knees and hands, relative to the root and per unit of the mode. A
// heuristic is a quantity (bend of the knee, forward or vertical motion of the foot, ...) and a pattern over
// legs (alternating or together; all legs or the front ones); a mode's score is how much of the pattern it
// makes.

#include <string>
#include <vector>

#include "modes/analysis.h"
#include "modes/limbs.h"

namespace legwork {

// What one mode does, per unit.
struct ModeShape {
  std::vector<Vec3d> foot;                          // per leg: motion relative to the root, m
  std::vector<double> bend;                         // per leg, rad, folding +
  std::vector<Vec3d> hand;                          // per arm
  double legs = 0, arms = 0, spine = 0, other = 0;  // shares of the squared joint motion
  double twist = 0, nod = 0, sway = 0;              // the spine's turns about x, y, z: shares of its own
  bool twisting = false;                            // fore feet go to one side and hind feet to the other
  double sagittal = 0;                              // share of the feet's motion that is not sideways
  std::string words;                                // for people
  std::string rejected;                             // why it is not for locomotion; empty: it may be
};
std::vector<ModeShape> describe_modes(const Creature& creature, const Modes& modes, const Limbs& limbs);

// Heuristics of the paper, and what its hand-made rows need.
enum class Heuristic {
  A,         // alternating knee bends
  B,         // alternating forward motion of the feet
  C,         // alternating vertical motion of the feet
  D,         // knee bends together
  E,         // vertical motion of the feet together
  F,         // bends of the front legs
  G,         // forward swing of the front legs
  together,  // forward motion of the feet of a girdle together
  spread,    // feet apart, both sides
  wave,      // hands up, both sides
  arms,      // hands forward, alternating
};
const char* to_string(Heuristic h);
const char* meaning(Heuristic h);

// Scores of all modes by a heuristic, 0 for rigid ones. Front legs (F, G) alternate, or move together.
std::vector<double> score_modes(const std::vector<ModeShape>& shapes, const Modes& modes, const Limbs& limbs,
                                Heuristic heuristic, bool front_together = false);
// The best mode, -1 where none does much of the kind.
int best_mode(const std::vector<double>& scores);

}  // namespace legwork
