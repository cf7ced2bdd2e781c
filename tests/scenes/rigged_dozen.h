#pragma once
// Characters made by script: two, four, six and eight legs with odd names, scales, axes, rolls, twists and
// poses.

#include "tests/scenes/rigged_character.h"

namespace legwork {

struct RiggedCase {
  const char* about;
  RiggedSpec spec;
  std::size_t legs;
};

inline const std::vector<RiggedCase>& rigged_dozen() {
  static const std::vector<RiggedCase> all = {
      {"a plain biped", {}, 2},
      {"Mixamo's names under a scaled armature", {.naming = Naming::mixamo, .armature = true}, 2},
      {"unnamed bones, rolled", {.naming = Naming::none, .roll = 1.2}, 2},
      {"Z up, looking backward", {.naming = Naming::cmu, .up = 'z', .backward = true}, 2},
      {"twists, Rigify's names, no root bone",
       {.naming = Naming::rigify, .twists = true, .root_bone = false},
       2},
      {"a bird with wings and a tail", {.build = Build::bird, .roll = 0.6}, 2},
      {"a quadruped", {.build = Build::quadruped}, 4},
      {"a quadruped in centimetres, odd names, backward",
       {.build = Build::quadruped, .naming = Naming::odd, .unit = 100, .backward = true},
       4},
      {"a quadruped, unnamed and twisted, not in its bind pose",
       {.build = Build::quadruped, .naming = Naming::none, .roll = 0.9, .twists = true, .idle_pose = true},
       4},
      {"a hexapod", {.build = Build::hexapod}, 6},
      {"a hexapod in millimetres, rolled, unnamed",
       {.build = Build::hexapod, .naming = Naming::none, .unit = 1000, .roll = 1.5},
       6},
      {"an octopod under an armature", {.build = Build::octopod, .naming = Naming::odd, .armature = true}, 8},
  };
  return all;
}

}  // namespace legwork
