#pragma once

#include <string>

#include "legwork/io/report.h"
#include "legwork/motion/motion.h"

namespace legwork::cli {

// A motion's .glb.
Motion read_motion(const std::string& path);

// Every recorded frame animated, with the ground drawn under it.
void write_motion(const Motion& motion, const std::string& path, const Account& account = {});

// What its method had to say and show.
Account read_account(const std::string& path);

}  // namespace legwork::cli
