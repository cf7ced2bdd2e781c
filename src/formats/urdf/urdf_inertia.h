#pragma once
// What published URDF files leave to be guessed of masses: links whose inertia no solid has, shapes that are
// missing.

#include <vector>

#include <legwork/creature.h>

namespace legwork {

// Published files have links whose inertia no solid has. Where such a link is fixed to another, or another to
// it, only their sum moves: they join. Where it moves alone, it is taken as it is as long as no turn would
// have a negative energy.
// Returns how many joined.
int join_odd_inertias(std::vector<Link>& links);

// What a file implies of a shape that cannot be read: the box that has its link's mass and inertia. False
// where there is none.
bool become_box_of_inertia(const Link& link, Shape& shape);

}  // namespace legwork
