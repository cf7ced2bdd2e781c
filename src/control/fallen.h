#pragma once
// When a body has fallen: one definition for all.

#include "control/legged_body.h"

namespace legwork {

// Whether the centre of mass is nearer to the ground below it than half of its standing height, or the trunk
// is turned by more than 60 degrees from how it stands. Needs positions in w.
bool has_fallen(const LeggedBody& body, const Terrain& terrain, const Workspace<double>& w) noexcept;

}  // namespace legwork
