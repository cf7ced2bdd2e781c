#pragma once

#include <memory>

#include "cli/legacy.h"

namespace legwork::cli {

// legwork direct: move a creature by writing an algorithm.
std::unique_ptr<MotionVerb> make_direct();

}  // namespace legwork::cli
