#pragma once
// One stride to stand for all of a motion's.

#include <optional>

#include <legwork/gait.h>

namespace legwork {

struct Stride {
  double start = 0, time = 0;  // s
};

// The middle one of the reference leg's strides, from touch-down to touch-down; nothing where it makes none.
std::optional<Stride> middle_stride(const Gait& gait);

}  // namespace legwork
