#pragma once
// What discover has to say of a search and of each motion.

#include <string>
#include <vector>

#include <legwork/result.h>
#include "discover/discover.h"

namespace legwork {

// A search that is over: its gaits, best first, and the motion of each.
struct Gallery {
  const Problem& problem;
  Findings found;
  std::vector<Motion> motions;     // one for each gait found
  std::vector<std::string> files;  // the files of the gaits where they were written; else empty
};

// The account of the whole search, with the first gait's measures and panels.
Account tell_search(const Gallery& gallery, double apart);
// The account of one gait of the gallery.
Account tell_gait(const Gallery& gallery, size_t gait);
// The account of a controller that was run without a search.
Account tell_single(const Problem& problem, const Motion& motion, const Candidate& candidate,
                    const Evaluation& evaluation);

}  // namespace legwork
