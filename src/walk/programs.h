#pragma once
// Motor programs from a body's geometry, for creatures that name their legs and bring none.
//
// Feet. Every sole has a home on the ground below the pose stand, moved together with the others to where
// lifting any one leg leaves the centre of mass best inside the rest. In stance it goes straight back by the
// stride, in a step forward in an arc. Inverse kinematics (damped least squares, within the joints' ranges)
// turns a few points of that way into rest positions; the same for a stroke that turns the body on the spot.
//
// Springs. Each leg must carry its share of the weight when the fewest legs stand. A joint gets the
// exponential spring that this load, with half of it sideways, bends by `sag`, its rest lying beyond the
// posture by just that bend, and a damper near critical for what it moves. Springs that are there and
// stronger stay. Joints outside the legs without a spring get one that holds what hangs on them.

#include <string>
#include <vector>

#include "walk/walker.h"

namespace legwork {

struct ProgramOptions {
  double stride = 0;  // m: distance of a foot in stance; 0 = 0.5 hip heights, less where legs reach less
  double lift = 0;    // m: how high a foot lifts in a step; 0 = 0.15 hip heights, 0.1 with less than six legs
  double step_time = 0;   // s; 0 = chosen from the hip height
  double sag = 0.08;      // rad that the load bends a joint by
  double gravity = 9.81;  // m/s^2
  bool bent = true;       // strokes of a stance rest beyond the posture by what the load bends; else the
                          // walker adds that
};

// What was made of a body, for people.
struct Geometry {
  double hip_height = 0, stride = 0, lift = 0;  // m
  double margin = 0;  // m: how far the centre of mass lies inside the support, at worst, with one leg lifted
  std::string weakest;  // the leg that is then lifted
  double slowness = 1;  // slowness that suits the number of legs
};

// Whether all legs bring motor programs; some with and some without is an Error.
bool has_programs(const Creature& creature);

// The body with springs where it needs them, and what its legs do. Throws Error naming the measurement that
// forbids walking.
struct MadeBody {
  Creature creature;
  WalkBody body;
  Geometry geometry;
  std::vector<double> start;  // configuration: every foot at home
};
MadeBody make_programs(const Creature& creature, const ProgramOptions& options = {});

}  // namespace legwork
