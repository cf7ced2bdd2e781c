#pragma once

#include <memory>

#include "cli/legacy.h"
#include "reach/reach.h"

namespace legwork::cli {

// legwork reach: gaits from ranges of motion alone.
std::unique_ptr<MotionVerb> make_reach();

// Panels of a result: limb spaces before and after the constraints, counts, trackway, search, observables.
std::vector<Panel> reach_panels(const reaching::Result& result, const ReachOptions& options,
                                const std::vector<reaching::Footprint>& trackway);
std::vector<Measure> reach_measures(const reaching::Result& result, const ReachOptions& options);
// Limb spaces of another body beside these.
struct SpaceComparison {
  std::string limb;
  double volume = 0, other_volume = 0, shared = 0;  // m^3 of boxes of equal size
  double longest = 0, other_longest = 0;            // m: longest feasible steps
  Panel panel;
};
std::vector<SpaceComparison> compare_spaces(const reaching::Result& result, const Creature& other,
                                            int threads);

}  // namespace legwork::cli
