#pragma once
// How high the root goes over one cycle, periodic, from what the legs allow.

#include <vector>

namespace legwork {

// A uniform cubic spline through the cycle, whose control values lie at i / size: twice differentiable.
double periodic_spline(const std::vector<double>& values, double share);

// As high as allowed, smoothed so that it stays below.
std::vector<double> smooth_below(const std::vector<double>& allowed);

// A given shape, as high as allowed where feet stand (down: 1).
std::vector<double> over_feet(const std::vector<double>& allowed, const std::vector<char>& down,
                              const std::vector<double>& shape);

// A cycle in which no foot stands at times (down: 0): parabolas of free fall in the air, joined by smooth
// dips on the ground, all as high as allowed where feet stand, less `room`. period in s.
std::vector<double> leap(const std::vector<double>& allowed, const std::vector<char>& down, double period,
                         double gravity, double room);

}  // namespace legwork
