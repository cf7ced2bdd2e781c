#pragma once
// Which bone of a character is which link of a creature, by shape: limbs by what they are, their side and
// their place along the body; links of a limb by their place along it.

#include <utility>

#include <legwork/creature.h>
#include "formats/character/anatomy.h"

namespace legwork {

// A creature as a character: its links as bones in the reference pose, its shapes as the mesh that follows
// them.
CharacterFile character_from(const Creature& creature);

// Pairs of link (index in the creature) and bone (node of the file). Empty where one of the two has no legs
// to see.
std::vector<std::pair<int, int>> match_by_shape(const Creature& creature, const CharacterFile& file);

}  // namespace legwork
