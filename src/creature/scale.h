#pragma once
// The same body, larger or smaller.

#include <legwork/creature.h>

namespace legwork {

// Every length times s, by dynamic similarity under the same gravity and density: the scaled creature makes
// the same motions, in a time that is sqrt(s) as long (Alexander and Jayes 1983: equal Froude numbers).
//
//   length s, mass s^3, inertia s^5, time s^1/2; force s^3, torque s^4
//   springs: torsional s^4, linear s^2; dampers: torsional s^4.5, linear s^2.5; armature s^5 or s^3;
//   dry friction s^4 or s^3
//   exponential springs: strength as a torque or force; sharpness per angle unchanged, per length 1/s
//
// Coordinates of slides and translations in poses, ranges, rests, thresholds are lengths; those of keyframed
// joints are not (they are shares of a path), and their springs count as torsional. Needs s > 0.
void scale(Creature& creature, double s);

// One link alone grows by s about its own frame: shapes, mass, inertia, centre of mass, the points on it
// where children, contacts, labels, sensors, actuators, loops and attachments sit, its soles, and its joint's
// anchors. Its children keep their size. Springs keep their strength.
void scale_link(Creature& creature, int link, double s);

// The same shape, heavier or lighter.
void scale_mass(Link& link, double factor);

}  // namespace legwork
