#pragma once
// What every writer of motions asks first.

#include <string>

#include <legwork/motion.h>

namespace legwork {

// An Error, in the name of the file to be written, for a motion of no frames, times that fall, arrays of the
// wrong length, or a rate (Hz) that is negative, not finite or above 100 kHz.
void check_writable(const Motion& motion, const std::string& path, double rate);

}  // namespace legwork
