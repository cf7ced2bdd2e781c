#pragma once
// Footprints from a table: a line of names, then a line for each print.
//   girdle (hind, fore), side (left, right; l, r), x and y in m, and perhaps yaw: degrees outward from
//   travel.
// Lines that begin with # and empty ones do not count. Columns may stand in any order.

#include <string>
#include <vector>

#include "reach/reach.h"

namespace legwork {

std::vector<reaching::Footprint> read_trackway(const std::string& path);

}  // namespace legwork
