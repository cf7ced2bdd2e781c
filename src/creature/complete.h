#pragma once
// What a file may leave out.

#include <legwork/creature.h>

namespace legwork {

// Fills in what was not given; what was given stays. Completing twice changes nothing more.
// - A link without mass gets mass, com and inertia of its massive shapes. One with a mass but no inertia gets
//   the shapes' inertia and com, scaled to that mass (com only where com_given is not set).
// - Unnamed joints are named as their link (link.1, link.2, ... where it has several); degrees of freedom as
//   their joint (hinge, slide), or with .x .y .z (ball), .tx .ty .tz .rx .ry .rz (free), .1 .2 .3 (universal,
//   planar), .k1 .k2 ... (several keyframed paths). Keyframed ones range over [-1, 1].
// - Meshes get their hull; links that can move get the contact points of their touching shapes; those of
//   feet are marked.
// - A leg without a sole gets the middle of its foot's lowest contact points in the pose stand; a foot that
//   touches nowhere gets a contact point at its sole; a leg named l... or r... gets that side.
// - A pose `stand` is the reference pose where there is none.
// - Limits without stiffness stay so: the simulation chooses it from the weight they have to carry.
// Throws Error for a mesh that cannot give the mass asked of it.
void complete(Creature& creature);

// Only this step: the names of a link's joints and degrees of freedom.
void name_joints(Link& link);

}  // namespace legwork
