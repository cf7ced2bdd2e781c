#pragma once
// The plots of the report: the quantities over time that matter, ready for the page.

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "legwork/io/report_film.h"

namespace legwork {

// Speed, height, orientation, joints, torques, forces, and what the method recorded. `rows` says for each leg
// of the creature its place on the page.
nlohmann::json make_channels(const Film& film, const std::vector<std::vector<ReportStance>>& stance,
                             const std::vector<int>& rows);

// How many values a frame they hold, to foretell the page's size.
int channel_width(const Motion& motion);

}  // namespace legwork
