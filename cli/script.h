#pragma once

#include <memory>

#include "cli/legacy.h"

namespace legwork::cli {

// legwork script: a file of corpus commands.
std::unique_ptr<MotionVerb> make_script();

}  // namespace legwork::cli
