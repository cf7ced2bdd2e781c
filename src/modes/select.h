#pragma once
// Actions made of modes: the top mode of every heuristic that an action asks for is taken.
//
// What each leg should do is a set of phasors: leg l swings as S sin(2 pi (f t - phase_l)) and bends by B a
// quarter of a cycle before, so that the foot is up when it goes forward. Amplitudes come from least squares
// with the phases held at multiples of 90 degrees.

#include <string>
#include <utility>
#include <vector>

#include "modes/heuristics.h"

namespace legwork {

// One term of equation 4.
struct ModeUse {
  int mode = 0;
  std::string role;  // "B: alternating forward motion of the feet"
  double amplitude = 0, phase = 0, hz = 0, beta = 0;
};

enum class Act {
  none,
  walk,
  run,
  jump,
  jumping_jack,
  trot,
  amble,
  gallop,
  push_cart,
  pace,
  canter,
  bound,
  pronk,
  hop,
  skip
};
std::vector<std::pair<std::string, std::string>> action_choices();  // names in the order of Act
const char* to_string(Act act);

// How an action moves legs; lengths in hip heights, angles in rad.
struct Footwork {
  double swing = 0.3, bend = 0.4, lift = 0.05;
  double duty = 0.6;
  double hz = 0;              // cycles a second; 0: natural
  std::vector<double> phase;  // per leg of Limbs: its touch-down, share of a cycle
  double speed = 0.4;         // of a lively gait, sqrt(g hip height)
};
Footwork footwork_of(Act act, const Limbs& limbs);
// What an action asks of modes.
std::vector<Heuristic> heuristics_of(Act act, const Limbs& limbs);
// Strides a second that suit legs of this length: 1.6 times those of a leg that swings as a uniform rod.
double natural_hz(double hip_height, double gravity);

struct SelectOptions {
  double stride = 1;  // times the pace's swing
  double arms = 0;    // hands' forward swing, hip heights
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
