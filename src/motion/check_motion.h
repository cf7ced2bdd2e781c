#pragma once

#include <legwork/motion.h>

namespace legwork {

// The motion's arrays have the sizes that its frames and its creature ask for; v, tau and contact_force may
// be empty. Throws Error, in the name of `file` where one is given.
void check_motion(const Motion& motion, const std::string& file = {});

}  // namespace legwork
