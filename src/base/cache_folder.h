#pragma once

#include <string>

namespace legwork {

// Where files are kept that can be made again: $LEGWORK_CACHE, else $XDG_CACHE_HOME/legwork, else
// ~/.cache/legwork; empty where there is none.
std::string cache_folder();

}  // namespace legwork
