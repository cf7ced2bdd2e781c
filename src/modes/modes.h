#pragma once
// The method as one function: a world and options in, modes and a motion out.

#include <string>
#include <vector>

#include <legwork/methods.h>
#include "modes/planted.h"
#include "modes/pump.h"
#include "modes/pump_search.h"
#include "modes/select.h"

namespace legwork {

struct ModalResult {
  Creature creature;
  Modes modes;
  Limbs limbs;
  std::vector<ModeShape> shapes;
  std::vector<Hold> holds;
  std::vector<ModeUse> uses;
  Act act = Act::none;
  Footwork pace;
  Rayleigh damping;
  std::string pose;
  double standing = 0;  // N m/rad found by simulation; 0: not asked for
  double analysis_seconds = 0;
  bool kinematic = false;  // planted is measured
  PlantedMeasures planted;
  Travel travel;  // dynamic
  std::vector<TheoryRow> theory;
  std::vector<PumpFound> found;  // searches, in each space asked for
  Motion motion;
};

// Analysis and selection alone. Throws Error for options or labels that do not fit.
ModalResult find_modes(const World& world, const ModesOptions& options);

struct ModesRun {
  double rate = 60;
  std::string integrator;
  double dt = 0;
  int threads = 0;
  std::uint64_t seed = 1;
  std::vector<Push> pushes;
  Watch watch;
};
// All of it. step: of a dynamic run.
ModalResult make_modes_motion(const World& world, const ModesOptions& options, const ModesRun& run,
                              StepOptions& step);

}  // namespace legwork
