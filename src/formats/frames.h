#pragma once
// What every writer of motions asks first.

#include <string>

#include <legwork/motion.h>

namespace legwork {

// An Error, in the name of the file to be written, for a motion of no frames, times that fall, or a
// rate (Hz) that is negative, not finite or above 100 kHz; a logic_error for arrays of the wrong length.
void check_writable(const Motion& motion, const std::string& path, double rate);

}  // namespace legwork
