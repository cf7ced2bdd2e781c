#pragma once
// A BVH file as a motion of a creature: joints found by the names of links (or of their joints).
//
// At every frame the configuration whose links are turned from the reference pose as the file's joints are
// from theirs, by least squares over all links that were found; the root, and links that slide in their
// joints, also by position. Lengths in the file count in the creature's own: the sum of its bones decides, so
// that centimetres, inches and bodies of another size come out right.

#include "direct/track_source.h"
#include "formats/bvh/bvh.h"

namespace legwork {

// Throws Error where no name fits.
Mapped map_bvh(const Bvh& bvh, const Creature& creature, const std::string& path);

}  // namespace legwork
