#pragma once
// What a reach has to say and show.

#include <string>
#include <vector>

#include <legwork/methods.h>
#include "reach/reach.h"

namespace legwork {

// Limb spaces of another body beside these.
struct SpaceComparison {
  std::string limb;
  double volume = 0, other_volume = 0, shared = 0;  // m^3 of boxes of equal size
  double longest = 0, other_longest = 0;            // m: longest feasible steps
  Panel panel;
};
std::vector<SpaceComparison> compare_spaces(const reaching::Findings& found, const Creature& other,
                                            const Run& run);

// What was found and asked for, as a whole.
struct ReachStory {
  const reaching::Findings& found;
  const ReachOptions& options;
  const std::vector<reaching::Footprint>& trackway;
  const std::vector<SpaceComparison>& comparisons;
  const Gait& gait;  // the motion's gait
};
Account reach_account(const ReachStory& story);

// Limb spaces before and after the constraints, counts, trackway, search, observables.
std::vector<Panel> reach_panels(const reaching::Findings& found, const ReachOptions& options,
                                const std::vector<reaching::Footprint>& trackway);
std::vector<Measure> reach_measures(const reaching::Findings& found, const ReachOptions& options);

}  // namespace legwork
