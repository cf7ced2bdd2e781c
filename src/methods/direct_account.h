#pragma once
// What there is to say and show of a motion that direct made.

#include <legwork/result.h>
#include "direct/program.h"
#include "methods/direct_track.h"

namespace legwork {

// "held", "unilateral", "penalty"
std::string to_string(Grade ground);

// The account of an algorithm that the director has carried out.
Account tell_algorithm(const Motion& motion, const Program& program, const Director& director);

// The account of a motion performed by physics.
Account tell_performance(const Performance& performance);

}  // namespace legwork
