#pragma once
// Equation 4 live in the page: the body's joints, its modes and a slider for each (viewer/src/modes.js).

#include <optional>

#include "modes/select.h"
#include "report/report.h"

namespace legwork {

// None for bodies whose joints the page does not know (keyframed). soft in rad, hz of the gait.
std::optional<Panel> modes_panel(const Creature& creature, const Modes& modes,
                                 const std::vector<ModeShape>& shapes, const std::vector<ModeUse>& uses,
                                 double soft, double hz);

}  // namespace legwork
