#pragma once
// When a body has fallen from how it is to stand.

#include "control/legged_body.h"

namespace legwork {

// As motion/fallen.h has it. Needs positions in w.
bool has_fallen(const LeggedBody& body, const Terrain& terrain, const Workspace<double>& w);

}  // namespace legwork
