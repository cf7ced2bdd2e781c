#pragma once
// Walking by balance: control/legged_controller.h drives one simulation, which is recorded.

#include "control/polygon.h"
#include "walk/walk.h"

namespace legwork {

// Whether balance moves the body: what is asked for by name; else McKenna's control moves bodies that bring
// motor programs or whose legs have fewer than three degrees of freedom, and whatever asks for what only it
// knows (open loop, reflexes, slowness, sticky or held feet, tuned programs). Throws Error where these
// contradict balance.
bool walks_by_balance(const WalkOptions& options, const Creature& body);

// world: on the ground that it is to walk on. places: m, to walk to one after the other; none: straight
// ahead. Throws Error for a body that cannot stand on its legs.
WalkOutcome perform_balanced_walk(const World& world, const WalkOptions& options, const Run& run,
                                  const std::vector<Vec2>& places);

// Throws Error that says what the body lacks to stand and walk.
void check_balanced_walk(const World& world);

}  // namespace legwork
