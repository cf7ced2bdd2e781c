#pragma once

#include <memory>

#include "cli/legacy.h"
#include "cli/verbs.h"

namespace legwork::cli {

// legwork discover: give a body, get the ways it can move.
std::unique_ptr<MotionVerb> make_discover();

// legwork discover --show ARCHIVE: lists the gaits of a search, or makes one of its motions again.
int show_archive(const Words& words);

}  // namespace legwork::cli
