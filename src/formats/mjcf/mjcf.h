#pragma once
// MJCF, MuJoCo's format, as a Creature. What a file means is what MuJoCo 2.2.2 makes of it; from
// later versions, <frame>, assetdir and limits without 'limited' are understood, too.
//
// q and v are MuJoCo's own: bodies depth first in the order of the file, link i being MuJoCo's body i + 1.
// Bodies without joints stay links of their own. Masses and inertias are MuJoCo's numbers, mesh inertias
// included: "legacy" (|volumes| about the middle of the surface; mass of the box of equal inertia) unless
// exactmeshinertia is set. MuJoCo holds mesh vertices as floats, we as doubles: such masses differ by 1e-7.
//
// What becomes of the rest:
// - World geoms are left out, with a warning: ground and scenery are the world's.
// - Gravity is Creature::gravity, with a warning where it is not the earth's.
// - Timestep, solver, solref, margin, ...: a warning for each kind.
// - Actuators motor, position, velocity, general where Actuator can say the same; one that it cannot is a
//   warning if it is silent without a command, else an error.
// - Sites, touch, jointpos, keyframes, equality connect and weld are labels, sensors, poses, loops. A
// keyframe
//   "home" is the pose "stand" too, where the file has none of that name.
// - A mesh that cannot be read is a warning where geoms only draw it, an error where one touches or weighs.
// - Dry friction, tendons that pull, joint equalities, fluids, composites, limited ball joints are errors.

#include <string>

#include <legwork/creature.h>

namespace legwork {

// A file that starts with <robot> is read as URDF (urdf.h), whatever its name.
Creature read_mjcf(const std::string& path);
// file names the text in messages; included files and meshes are sought beside it.
Creature parse_mjcf(const std::string& text, const std::string& file);

}  // namespace legwork
