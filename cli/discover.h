#pragma once

#include <memory>

#include "cli/motion_verb.h"

namespace legwork::cli {

// legwork discover: give a body, get the ways it can move.
std::unique_ptr<MotionVerb> make_discover();

}  // namespace legwork::cli
