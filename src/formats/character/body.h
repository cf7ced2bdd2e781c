#pragma once
// A rigged character as a creature: links from its bones, masses from the volume that their vertices enclose,
// joints and their ranges from anatomy.

#include <legwork/creature.h>
#include "formats/character/anatomy.h"

namespace legwork {

// Not yet completed. Links are named as their bones, with frames in Legwork's axes at the bones' heads, and
// the reference pose is the character standing with its arms down.
Creature body_of(const CharacterFile& file, const Figure& figure);

// The creature of a .glb or .gltf: of a rigged character, or the body of a motion that Legwork wrote.
// Completed and checked.
Creature read_character(const std::string& path);

}  // namespace legwork
