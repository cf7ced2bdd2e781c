#pragma once

#include <string>

#include "legwork/motion/motion.h"

namespace legwork::cli {

// A motion's .glb, with terrain and gravity from the scenario that it carries. Where the terrain cannot be
// had any more (its own file is gone) a warning on stderr says so and the ground is the plane.
Motion read_motion(const std::string& path);

// With the ground drawn under it.
void write_motion(const Motion& motion, const std::string& path);

}  // namespace legwork::cli
