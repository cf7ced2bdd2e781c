#pragma once
// Write the right side, get the left.

#include <legwork/creature.h>
#include "creature/side.h"

namespace legwork {

// Gives everything with a right name (side.h) its left twin: links with their joints and shapes, legs,
// contact points, labels, sensors, actuators, loops, attachments and poses. What is on the left already stays
// as it is, so mirroring twice changes nothing more. New links come last.
//
// The twin is the image in the plane y = 0 of the link that carries both (of the world, for roots), frames
// included: with F = diag(1, -1, 1), positions become F x and rotations F R F. So equal coordinates are
// mirror images: axes of rotation, being axial, become -F a; axes of translation F a. Only the coordinates of
// rotations in space (ball, free) change: quaternions w x y z become w -x y -z.
//
// Poses: a full configuration is continued by the new twins, as the image of the right side. A pose with
// a right name gets a twin with the sides exchanged. Throws Error where there is no image: a joint or degree
// of freedom on the right without a right name, a reference to something on the left that has no twin.
void mirror(Creature& creature);

}  // namespace legwork
