#pragma once

#include <memory>

#include "cli/legacy.h"

namespace legwork::cli {

// legwork modes: natural vibrations, and gaits made of them.
std::unique_ptr<MotionVerb> make_modes();

}  // namespace legwork::cli
