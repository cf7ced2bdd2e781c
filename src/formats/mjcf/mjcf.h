#pragma once
// MJCF, MuJoCo's format, as a Creature. What a file means is what MuJoCo 2.2.2 makes of it, "global"
// coordinates included, which later ones refuse; from those <frame>, assetdir, included files beside the file
// that includes them, limits without 'limited', and armature and damping of actuators are understood, and a
// mesh weighs what it weighs there.
//
// q and v are MuJoCo's own: bodies depth first in the order of the file, link i being MuJoCo's body i + 1.
// Bodies without joints stay links of their own. Masses and inertias are MuJoCo's numbers, mesh inertias
// included: "legacy" (|volumes| about the middle of the surface) unless the mesh or exactmeshinertia says
// otherwise, of vertices rounded to floats. The sums of 2.2.2 are floats too: there such masses differ by
// 1e-7. What holes in the meshes of a body leave open of its volume is told, and refused where it is too much
// (mjcf_geoms.cpp); hulls ("convex") and surfaces ("shell") weigh with holes as well.
//
// What becomes of the rest:
// - World geoms are left out: ground and scenery are the world's.
// - Gravity is Creature::gravity, with a warning where it is not the earth's; density, viscosity and wind are
// the
//   medium that the creature lives in (Habitat::water).
// - Timestep, solver, solref, margin, ...: one line for all of them. MuJoCo's constraints are soft; ours
// hold.
// - Dry friction is Dof::friction. actuatorfrcrange joins the strength of the joint's actuators.
// - Actuators of all kinds where Actuator can say the same, along joints and tendons; dampratio by the
// inertia
//   in the reference pose, filters as a lag. One that it cannot say is left out if it is silent without a
//   command, else an error.
// - Equalities of joints and of fixed tendons are couplings, connect and weld loops. exclude is
// Creature::apart;
//   contype, conaffinity and pairs are Shape::kind and meets. Unless the flag `contact` is off the world has
//   contact between parts of the body (Habitat::body_contact).
// - Sites, touch, jointpos and keyframes are labels, sensors and poses. A keyframe "home" or "standing" is
// the
//   pose "stand" too, where the file has none of that name.
// - A mesh that cannot be read: left out where geoms only draw it, the box of the body's inertia where one
//   touches, an error where one weighs.
// - Muscles, dcmotor, pid and orientation, tendons that rub or wind around geoms, composites, limited ball
// joints are
//   errors, and so are tendons that no joint moves, and joints that drive themselves in a circle.

#include <string>

#include <legwork/creature.h>

namespace legwork {

// A file that starts with <robot> is read as URDF (urdf.h), whatever its name.
Creature read_mjcf(const std::string& path);
// file names the text in messages; included files and meshes are sought beside it.
Creature parse_mjcf(const std::string& text, const std::string& file);

}  // namespace legwork
