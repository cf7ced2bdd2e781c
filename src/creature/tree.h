#pragma once
// A creature's links as a tree: who hangs on whom, and whose the degrees of freedom are.

#include <vector>

#include <legwork/creature.h>

namespace legwork {

// Whether a link is the ancestor itself or hangs on it.
bool is_below(const Creature& creature, int link, int ancestor);

// The parentless link on which a link hangs.
int root_of(const Creature& creature, int link);

// Which degrees of freedom carry the whole body instead of bending it: those by which a parentless link, with
// the one that hangs on it by massless links alone, moves freely, in a plane or along a slide. nv flags.
std::vector<char> root_dofs(const Creature& creature);

// The degrees of freedom that a motor may drive: all joints of the body, and of those that carry it only what
// an actuator of its own drives, as a cart on its rail. nv flags.
std::vector<char> motor_dofs(const Creature& creature);

// First degree of freedom of every link, and one past the last.
std::vector<int> dof_begins(const Creature& creature);

// The links from one to another, both included, along the tree; none where no tree holds both.
std::vector<int> links_between(const Creature& creature, int from, int to);

// Degrees of freedom from a leg's hip to its foot.
std::vector<int> leg_dofs(const Creature& creature, const Leg& leg);

// m: length of a leg stretched out, from its hip to its sole.
double leg_length(const Creature& creature, const Leg& leg);

}  // namespace legwork
