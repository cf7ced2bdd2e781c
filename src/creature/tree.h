#pragma once
// A creature's links as a tree: who hangs on whom, and whose the degrees of freedom are.

#include <vector>

#include <legwork/creature.h>

namespace legwork {

// Whether a link is the ancestor itself or hangs on it.
bool is_below(const Creature& creature, int link, int ancestor);

// The parentless link on which a link hangs.
int root_of(const Creature& creature, int link);

// First degree of freedom of every link, and one past the last.
std::vector<int> dof_begins(const Creature& creature);

}  // namespace legwork
