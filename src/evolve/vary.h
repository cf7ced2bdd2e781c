#pragma once
// Variation: a child's body from its parent's.
//
//   limbs     one more (a new one, or a copy of one beside it), one fewer, one elsewhere
//   segments  one more or fewer
//   shape     a part longer or thicker, denser; the trunk longer, wider, higher; all of it larger
//   joints    one axis more or fewer, another one, another range of motion, another rest
//   nerves    a sensor more or fewer, another threshold
// What has a twin on the other side changes with it, so that symmetry is lost only where a limb is single.
// Lengths and strengths are relative to the body.

#include <optional>
#include <string>

#include "evolve/parts.h"

namespace legwork::evolution {

struct Child {
  Creature body;
  std::string how;  // in words
};

// One to three changes. None where no sound body came of several attempts. most_limbs: that hang on the
// trunk.
std::optional<Child> vary(const Creature& parent, int most_limbs, Random& random);

}  // namespace legwork::evolution
