#pragma once
// A motion of a character's body as a clip of the character's own bones.

#include <memory>
#include <string>

#include <legwork/motion.h>
#include "formats/character/anatomy.h"

namespace legwork {

// What one node does over time: rows for every frame, or a single one where it keeps still in a place that is
// not the file's; none where the file has it there already.
struct NodeTrack {
  int node = -1;
  std::vector<float> translation, rotation, scale;  // 3, 4 (x y z w) and 3 numbers a row
};

struct CharacterClip {
  std::vector<float> times;  // s from the first frame, strictly rising
  std::vector<NodeTrack> tracks;
};

// The rigged file that a creature's links come from, sought beside the creature's own file and where it says;
// nothing where the creature is no character, or its file is not there.
std::unique_ptr<CharacterFile> character_of(const Creature& creature);

// Bones follow their links, all others stay in their place on the bone above. Travel and heading are in the
// uppermost of the bones above the body where there are any, else in the body's first bone. rate: as in
// write_glb. Throws Error for links that are no bones of the file.
CharacterClip make_clip(const CharacterFile& file, const Motion& motion, double rate);

}  // namespace legwork
