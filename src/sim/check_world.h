#pragma once

#include <legwork/world.h>

namespace legwork {

// The world is one that can be simulated. Throws Error for the first thing that is not.
void check_world(const World& world);

}  // namespace legwork
