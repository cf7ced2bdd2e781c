#pragma once
// What forbids a body to walk by balance, told before the run with the smallest change that would do.

#include <vector>

#include "control/polygon.h"
#include "control/schedule.h"
#include "walk/walk.h"

namespace legwork {

// Throws Error for a leg without a trunk over it, and for ways that lead out of the plane of a body in one.
void check_way(const Creature& body, const WalkOptions& options, const std::vector<Vec2>& places);

// Throws Error for a leg that does not reach the ground as the body stands, or whose joints do not let its
// foot step; for a motor that is too weak to stand, or to bear what the schedule leaves on its leg; for
// slope that is too slippery.
void check_able(const LeggedBody& body, const Schedule& schedule);

}  // namespace legwork
