#pragma once
// Motions on a page to look at: --report of every verb, and legwork view.

#include <string>
#include <vector>

#include "legwork/motion/motion.h"

namespace legwork::cli {

// What a page shows of one motion; the motion must outlive it.
struct Showing {
  const Motion* motion = nullptr;
  std::string title, text;
};

void write_page(const std::vector<Showing>& showings, const std::string& path, const std::string& title = {});

}  // namespace legwork::cli
