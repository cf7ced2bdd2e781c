#pragma once

#include <string>

#include "discover/problem.h"

namespace legwork {

// A path to follow from a .csv: lines of time, x, y and, if they like, z (s, m); a first line of names and
// empty lines are skipped. Times rise. Throws Error with the line.
FollowPath read_follow(const std::string& path);

}  // namespace legwork
