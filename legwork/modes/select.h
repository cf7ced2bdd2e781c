#pragma once
// Which modes make a gait: the paper's heuristics A to G (section 4.3), and actions made of them.
//
// Every mode is measured at the feet, knees and hands, relative to the root and per unit of the mode. A
// heuristic is a quantity (bend of the knee, forward or vertical motion of the foot, ...) and a pattern over
// legs (alternating or together; all legs or the front ones); a mode's score is how much of the pattern it
// makes. The top mode of every heuristic that an action asks for is taken. What each leg should do is then a
// set of phasors: leg l swings as S sin(2 pi (f t - phase_l)) and bends by B a quarter of a cycle before, so
// that the foot is up when it goes forward. Amplitudes come from least squares with the phases held at
// multiples of 90 degrees.

#include <string>
#include <utility>
#include <vector>

#include "legwork/modes/analysis.h"
#include "legwork/modes/limbs.h"

namespace legwork {

// What one mode does, per unit.
struct ModeShape {
  std::vector<Vec3d> foot;                          // per leg: motion relative to the root, m
  std::vector<double> bend;                         // per leg, rad, folding +
  std::vector<Vec3d> hand;                          // per arm
  std::vector<double> elbow;                        // per arm
  double legs = 0, arms = 0, spine = 0, other = 0;  // shares of the squared joint motion
  double twist = 0, nod = 0, sway = 0;              // the spine's turns about x, y, z: shares of its own
  bool twisting = false;                            // fore feet go to one side and hind feet to the other
  double sagittal = 0;                              // share of the feet's motion that is not sideways
  std::string words;                                // for people
  std::string rejected;                             // why it is not for locomotion; empty: it may be
};
std::vector<ModeShape> describe_modes(const Creature& creature, const Modes& modes, const Limbs& limbs);

// Heuristics of the paper, and three that its hand-made rows need.
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
  hips,      // sideways motion of both feet
};
const char* to_string(Heuristic h);
const char* meaning(Heuristic h);

// Scores of all modes by a heuristic, 0 for rigid ones. Front legs (F, G) alternate, or move together.
std::vector<double> score_modes(const std::vector<ModeShape>& shapes, const Modes& modes, const Limbs& limbs,
                                Heuristic heuristic, bool front_together = false);
// The best mode, -1 where none does much of the kind.
int best_mode(const std::vector<double>& scores);

// One term of equation 4.
struct ModeUse {
  int mode = 0;
  std::string role;  // "B: alternating forward motion of the feet"
  double amplitude = 0, phase = 0, hz = 0, beta = 0;
};

enum class Act { none, walk, run, jump, jumping_jack, trot, amble, gallop, push_cart };
std::vector<std::pair<std::string, std::string>> action_choices();  // names in the order of Act
const char* to_string(Act act);

// How an action moves legs; lengths in hip heights, angles in rad.
struct Footwork {
  double swing = 0.3, bend = 0.4, lift = 0.05;
  double duty = 0.6;
  double hz = 0;              // cycles a second; 0: natural
  std::vector<double> phase;  // per leg of Limbs: its touch-down, share of a cycle
  std::string pose = "stand";
};
Footwork footwork_of(Act act, const Limbs& limbs);
// Strides a second that suit legs of this length: of a leg that swings as a uniform rod, times 1.6.
double natural_hz(double hip_height, double gravity);

struct SelectOptions {
  double stride = 1;  // times the pace's swing
  double arms = 0;    // hands' forward swing, hip heights
  double sway = 0;    // sideways swing of the hips, hip heights
};
std::vector<ModeUse> select_modes(const Modes& modes, const std::vector<ModeShape>& shapes,
                                  const Limbs& limbs, Act act, const Footwork& pace,
                                  const SelectOptions& options);

// Phasor of leg l's forward motion in these uses, at the gait's frequency: amplitude (m) and phase (rad) of
// A sin(2 pi f t + phase).
struct Phasor {
  double amplitude = 0, phase = 0;
};
Phasor leg_swing(const std::vector<ModeShape>& shapes, const std::vector<ModeUse>& uses, double hz, int leg);

}  // namespace legwork
