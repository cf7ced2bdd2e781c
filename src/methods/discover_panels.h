#pragma once
// What the page of a search shows beside the films.

#include <vector>

#include <legwork/result.h>
#include "discover/discover.h"

namespace legwork {

// The gallery as a table, and how the best score rose.
std::vector<Panel> search_panels(const Problem& problem, const Findings& found);
// When each sensor was on, and the network's weights.
std::vector<Panel> gait_panels(const Problem& problem, const Motion& motion, const Candidate& candidate);

}  // namespace legwork
