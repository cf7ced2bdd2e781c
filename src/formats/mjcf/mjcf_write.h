#pragma once
// A Creature as MJCF: MuJoCo (2.2.2 and later) loads it to the same mass matrix and bias forces.
//
// Joints, springs, dampers, limits, armature, dry friction, shapes, actuators, loops, couplings, tendons,
// poses, labels and sensors are written; a ground plane and a light are added so that the body can be dropped
// at once. MuJoCo numbers bodies depth first: where the creature's links stand in another order, q and v have
// another order there (poses are written in MuJoCo's). What MJCF cannot say but does not change the equations
// of motion at rest (exponential springs, attachments that break, eyes, contact points) becomes a comment
// that says so. What would change them is an Error: keyframed joints, a free joint that is not on a root, a
// rotation after a ball joint, a ball or free joint whose axes differ in armature.

#include <string>

#include <legwork/files.h>

namespace legwork {

std::string mjcf_text(const Creature& creature);

}  // namespace legwork
