#pragma once
// What machine and body can bear: memory, resolution, length of steps; and what to say where it is not
// enough.

#include <string>
#include <vector>

#include "base/parallel.h"
#include "reach/reach.h"

namespace legwork::reaching {

// A number for a message.
std::string rounded(double x, int digits = 3);

// The resolution (deg) where none is asked for.
double chosen_resolution(const std::vector<Girdle>& girdles, double length_resolution);
// Refuses what cannot be held, before anything is made.
void check_memory(const std::vector<Girdle>& girdles, const ReachOptions& options, double length_resolution);

// The longest step (m, of the kind asked for) for which every girdle alone has a gait.
double longest_step(const Problem& problem, const ReachOptions& options, const Workers& workers);
// What to say where no gait is left (figure 119 among the reasons).
[[noreturn]] void no_gait(const Problem& problem, const ReachOptions& options, const GirdleProblem& girdle,
                          double hip_height, const Workers& workers);

}  // namespace legwork::reaching
