#pragma once

#include "cli/motion_verb.h"

namespace legwork::cli {

std::unique_ptr<MotionVerb> make_walk();

}  // namespace legwork::cli
