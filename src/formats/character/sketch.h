#pragma once
// A picture of bones that could not be understood.

#include <legwork/creature.h>
#include "formats/character/character_file.h"

namespace legwork {

// One link that does not move, with a rod from every bone to the next; red where no bone follows.
Creature sketch_of(const CharacterFile& file);

}  // namespace legwork
