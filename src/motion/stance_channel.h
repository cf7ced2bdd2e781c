#pragma once
// The channel "stance": which legs stand, of motions that know it without physics.

#include <legwork/motion.h>

namespace legwork {

// The channel, where the motion has one value for each leg in every frame; else null.
const Channel* stance_channel(const Motion& motion);

// Whether a value of it says that the leg stands: between two frames values are interpolated.
inline bool says_stance(double value) { return value > 0.5; }

}  // namespace legwork
