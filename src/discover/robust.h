#pragma once
// How well gaits bear what they were not searched for.
//
// Eight disturbances: friction x 0.7 and x 1.3, all masses x 0.9 and x 1.1, rough ground of two seeds (hills
// up to 2 % of the body's length, one length long), and two pushes, forward and back, of a tenth of the
// momentum that the body has at the speed sqrt(g length), over 0.1 s, a third into the run. Robustness is the
// mean, over them, of the distance beside the undisturbed one, at most 1.

#include <string>
#include <vector>

#include "discover/problem.h"

namespace legwork {

struct Disturbance {
  std::string name;
  Problem problem;
};
inline constexpr int disturbance_count = 8;
std::vector<Disturbance> disturbances(const Problem& problem);

// Of one candidate, from its evaluations without and under each disturbance.
double robustness(const Evaluation& undisturbed, const std::vector<Evaluation>& disturbed);

}  // namespace legwork
