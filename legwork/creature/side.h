#pragma once
// Left and right in names.

#include <string>

#include "legwork/creature/creature.h"

namespace legwork {

// Of names such as r, rf, r_thigh, rf_thigh, r1_tibia, right_hand, hand_r, hand_right, and the same with l
// and left; none for all others.
Side side_of(const std::string& name);

// The name of the other side's twin: rf_thigh and lf_thigh. Needs a side.
std::string twin_name(const std::string& name);

}  // namespace legwork
