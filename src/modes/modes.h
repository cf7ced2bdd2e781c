#pragma once
// Modes of a body, and a motion made of them.

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
  StepOptions step;  // used by a motion by physics
};

// Analysis and selection alone. Throws Error for options or labels that do not fit.
ModalResult find_modes(const World& world, const ModesOptions& options, const Run& run = {});
// All of it.
ModalResult make_modes_motion(const World& world, const ModesOptions& options, const Run& run = {});

}  // namespace legwork
