#pragma once
// A gait in words: what an onlooker would say.

#include <string>

#include <legwork/motion.h>
#include "discover/problem.h"

namespace legwork {

// "leaps forward, 2.1 Hz", "rolls backward, 1.4 Hz", "shuffles forward on its back, no steady cycle"
std::string name_gait(const Problem& problem, const Motion& motion, const Evaluation& evaluation);

// A candidate as one word, for command lines and files: a digit for each weight (0 to 4 for -2 to 2), then,
// where its numbers are not those of the body, a colon and the numbers, exact.
std::string to_text(const Candidate& candidate);
// Throws Error naming what does not fit the problem.
Candidate parse_candidate(const std::string& text, const Problem& problem);

}  // namespace legwork
