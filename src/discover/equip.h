#pragma once
// Sensors and actuators for a body that has none.
//
//   actuators  one for each degree of freedom of every joint that is not the root's, over the joint's range
//              (without one: 45 degrees, or 15 % of the body's length, to either side of the pose stand). The
//              stiffness follows the bounder's rule (van de Panne and Fiume, section 3.3): 10 degrees (5 % of
//              the length) of deflection carry half the body's weight on a bent limb, half its reach; a limb
//              that cannot touch the ground carries twice its own weight. kd = 0.1 s x ks.
//   sensors    touch on the feet of the legs, else on the tips of the extremities; two angle sensors for each
//              actuated joint, on in the lowest and in the highest third of its range

#include <string>
#include <vector>

#include <legwork/creature.h>

namespace legwork {

struct Equipped {
  Creature body;
  std::vector<std::string> told;  // what was added, in words
};

// Throws Error, with the lines to add, for a body that nothing can move or that cannot travel.
Equipped equip(const Creature& creature);

// Largest edge of the box around the body in the pose stand, m.
double body_length(const Creature& creature);

// Position of each degree of freedom in the pose stand; those of rotations count from the pose: 0.
std::vector<double> stand_positions(const Creature& creature);

}  // namespace legwork
