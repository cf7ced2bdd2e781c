#pragma once
// What a person wants to know of a body.

#include <string>
#include <vector>

#include <legwork/creature.h>

namespace legwork {

struct Soundness {
  double mass = 0;  // kg
  Vec3d size;       // m: length, width, height of the box around it in the pose stand
  Vec3d com;        // m: in the pose stand, world
  int links = 0, joints = 0, nq = 0, nv = 0, legs = 0, contacts = 0, sensors = 0, actuators = 0, loops = 0;
  std::vector<std::string> notes;  // worth knowing, not wrong
};

// Needs a creature that passed check().
Soundness assess(const Creature& creature);

}  // namespace legwork
