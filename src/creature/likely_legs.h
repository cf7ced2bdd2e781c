#pragma once

#include <string>

#include <legwork/creature.h>

namespace legwork {

// The lines of a creature file that would label what looks like legs, fore legs first, right before left;
// empty where nothing does. A guess from the geometry, for messages.
std::string likely_legs(const Creature& creature);

}  // namespace legwork
