#pragma once
// A search of discover for a body in a world, ready to be run.

#include <string>
#include <vector>

#include "discover/problem.h"

namespace legwork {

// The body with sensors and actuators in its world. added: what it was given, in words. Throws Error.
Problem pose_problem(World world, const DiscoverOptions& options, std::vector<std::string>& added);

}  // namespace legwork
