#pragma once
// Changes of a body's motor programs that can be searched.

#include <vector>

#include "search/tune.h"
#include "walk/walk_body.h"

namespace legwork {

// Changes of the programs that --tune searches: for each girdle how far strokes reach and lift, and an offset
// for each joint.
struct Tuning {
  std::vector<Variable> variables;
  std::vector<std::vector<int>> girdles;  // legs of each
};

Tuning make_tuning(const Creature& creature, const WalkBody& body);
// values: one for each of the variables.
WalkBody tuned_body(const WalkBody& body, const Tuning& tuning, const std::vector<double>& values);

}  // namespace legwork
