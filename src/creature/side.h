#pragma once
// Left and right in names.

#include <string>

#include <legwork/creature.h>

namespace legwork {

// The side that a name shows, such as r, rf, r_thigh, rf_thigh, r1_tibia, right_hand, hand_r, hand_right, and
// the same with l and left; none for all others.
Side side_of(const std::string& name);

// The name of the other side's twin: lf_thigh for rf_thigh. A name without a side is its own.
std::string mirrored_name(const std::string& name);

}  // namespace legwork
