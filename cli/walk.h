#pragma once

#include "cli/legacy.h"

namespace legwork::cli {

std::unique_ptr<MotionVerb> make_walk();

}  // namespace legwork::cli
