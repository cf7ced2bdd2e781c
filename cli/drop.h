#pragma once

#include <memory>

#include "cli/motion_verb.h"

namespace legwork::cli {

// legwork drop: let a creature fall, land and settle.
std::unique_ptr<MotionVerb> make_drop();

}  // namespace legwork::cli
