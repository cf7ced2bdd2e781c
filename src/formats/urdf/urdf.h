#pragma once
// URDF, the format of ROS, as a Creature.
//
// Links come depth first, children in the order of their joints in the file. The root link:
//   named "world"            is the world: fixed, and a floating joint may hang on it
//   without mass, also in    fixed to the world: a mount (so that a bare "base" holds an arm)
//   the links fixed to it
//   otherwise                free
// A link without <inertial> has no mass, as the specification says. Shapes are the collision geometry, and
// the visual geometry of links that have none (drawn, without contact). A planar joint has two translations
// and the turn about its axis. A limit with an effort gives the joint a motor of that strength; one without
// room (lower = upper) is none. A mimic joint is coupled to the one that it mimics, which may mimic a third.
// A fixed link whose inertia no solid has joins the link that it is fixed to; a moving one keeps it
// (Link::odd_inertia). A joint that would move nothing of any weight is fixed: nothing says how it moves.
//   package://NAME/PATH is sought beside the file and upward: in every folder as NAME/PATH and as PATH.

#include <string>

#include <legwork/creature.h>

namespace legwork {

enum class UrdfBase { automatic, free, fixed };

Creature read_urdf(const std::string& path, UrdfBase base = UrdfBase::automatic);
// file names the text in messages; meshes are sought beside it.
Creature parse_urdf(const std::string& text, const std::string& file, UrdfBase base = UrdfBase::automatic);

}  // namespace legwork
