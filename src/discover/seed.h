#pragma once
// A simpler body's network as a start for another body's (van de Panne and Fiume, section 6.3).

#include "discover/problem.h"

namespace legwork {

// A network for the problem with the connections of another body's: sensors and actuators correspond by name,
// hidden nodes by number; connections that the other did not have weigh 0. Tuned numbers correspond by name,
// too, each at the same place of its range.
Candidate carry_over(const Problem& simpler, const Candidate& candidate, const Problem& problem);

// Hidden nodes of a network with this number of weights.
int hidden_of(size_t weights, int sensors, int actuators);

}  // namespace legwork
