#pragma once

#include <string>

#include <legwork/motion.h>
#include "report/report.h"

namespace legwork::cli {

// A motion's .glb; account: filled with what its method had to say and show.
Motion read_motion(const std::string& path, Account* account = nullptr);

// Every recorded frame animated, with the ground drawn under it. given: the body before the method changed
// it.
void write_motion(const Motion& motion, const std::string& path, const Account& account,
                  const Creature& given);

}  // namespace legwork::cli
