#pragma once
// A simpler body's network as a start for another body's (van de Panne and Fiume, section 6.3).

#include "legwork/discover/problem.h"

namespace legwork {

// A network for the problem with the connections of another body's: sensors and actuators correspond by name,
// hidden nodes by number; connections that the other did not have weigh 0. Its numbers stay with it.
Candidate carry_over(const Creature& from, const Candidate& candidate, const Problem& problem);

}  // namespace legwork
