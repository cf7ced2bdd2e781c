#pragma once
// A body's limbs, for plots that one can read: its legs by girdle, then its trunk, neck, tail and arms.

#include <string>
#include <vector>

#include <legwork/creature.h>

namespace legwork {

// Links that a reader takes for one thing: a leg, the trunk, or a chain that hangs on it.
struct Limb {
  std::string name;  // a leg's own, "trunk", or that of the heaviest link
  std::string
      row;  // shared by the limbs that stand beside each other: those of a girdle, a left and a right arm
  Side side = Side::none;
  std::vector<int> links;  // parents first
};

// In the order in which they are shown: legs from the front backwards, then the rest in the file's order;
// left before right in each row. Limbs without joints are left out, every other link belongs to one of them.
std::vector<Limb> limbs_of(const Creature& creature);

}  // namespace legwork
