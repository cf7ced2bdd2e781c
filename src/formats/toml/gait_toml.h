#pragma once
// Gaits written by hand:
//   name = "my trot"
//   stride_time = 0.5          # s; or frequency = 2 (Hz)
//   duty_factor = 0.55         # for every leg that does not say otherwise
//   [[leg]]
//   name = "lh"
//   phase = 0                  # touch-down, share of the stride
// or, for a creature's legs by a known name: gait = "trot".

#include <string>

#include <legwork/files.h>
#include "motion/gait_name.h"

namespace legwork {

// Every leg of the creature must have its timing, and no other may.
GaitPlan read_gait_toml(const std::string& path, const Creature& creature);
GaitPlan parse_gait_toml(const std::string& text, const std::string& source, const Creature& creature);
// The same text again, numbers exact.
std::string gait_toml(const GaitPlan& plan);

}  // namespace legwork
