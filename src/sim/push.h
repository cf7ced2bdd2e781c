#pragma once

#include <legwork/world.h>

namespace legwork {

// Share of the step [t, t + h] during which the push acts: its impulse is the same for every step length.
double overlap(const Push& push, double t, double h) noexcept;

}  // namespace legwork
