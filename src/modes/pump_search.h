#pragma once
// Search for a pumped gait: amplitudes, phases and the frequency of the lowest modes, beside the same search
// over every joint by itself.
//
// Both move equilibrium points with sinusoids of one frequency. In modal space there are as many as modes are
// taken, in joint space as many as joints; a sinusoid is two numbers, a cos and a sin part, the first one
// only a sin part, since the cycle may begin anywhere. Amplitudes of joints are bounded so that all of them
// together may be as large as all modes are.

#include <vector>

#include <legwork/methods.h>
#include "modes/pump.h"

namespace legwork {

using PumpGoal = ModesOptions::Tune;
using PumpSpace = ModesOptions::Space;

struct PumpSearch {
  PumpGoal goal = PumpGoal::speed;
  int modes = 2;          // the lowest elastic ones
  int evaluations = 300;  // simulations
  double seconds = 4;     // length of each simulation, s
};

struct PumpFound {
  PumpSpace space = PumpSpace::modes;
  int variables = 0;
  Modes basis;                // what the uses count: modes, or single joints
  std::vector<ModeUse> uses;  // the best
  double score = 0;           // m/s, or minus the cost of transport
  std::vector<double> best_by_count;
  // Simulations until the best was this good; 0: never.
  int evaluations_to(double score) const;
};

// pumping: damping and ease. Nothing pushes the world's body from outside.
PumpFound search_pump(const World& world, const Modes& modes, PumpSpace space, const PumpSearch& search,
                      const PumpOptions& pumping, const Run& run = {});

}  // namespace legwork
