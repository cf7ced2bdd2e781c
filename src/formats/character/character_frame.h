#pragma once
// Which way a character stands and looks, and how large it is.
//
// glTF asks for Y up, Z forward and metres. Files that keep to it are taken at their word; others are seen
// through: sides are where the skeleton is its own mirror image, down is where pairs of limbs reach a common
// ground that carries the body, forward is where feet point and the head is, and a creature is between 10 cm
// and 20 m long.

#include "formats/character/character_file.h"

namespace legwork {

// From the file's world to Legwork's, Z up and X forward, metres: p -> (turn p - origin) scale.
struct CharacterFrame {
  Mat3d turn = Mat3d::identity();
  Vec3d origin;
  double scale = 1;
  bool as_gltf_asks = true;  // Y up and Z forward

  Vec3d place(const Vec3d& p) const { return (turn * p - origin) * scale; }
};

CharacterFrame find_frame(const CharacterFile& file);

}  // namespace legwork
