#pragma once
// What a character's bones are: legs, trunk, neck, tail, arms, wings, seen from shape and rest pose, and from
// names where they say more.
//
// A leg is a limb whose end reaches the ground and that has a mirror image; the trunk is what carries limbs
// of both sides. Bones that deform more than they move (twists, fingers, toes beyond the foot, faces, what
// carries no vertices) become part of the bone above them.

#include <legwork/creature.h>
#include "formats/character/character_frame.h"

namespace legwork {

enum class Part { trunk, leg, arm, wing, neck, tail };

struct FigureLink {
  int node = -1;           // the bone
  int parent = -1;         // link
  std::vector<int> bones;  // this bone and those that became part of it
  Part part = Part::trunk;
  int limb = -1;  // which leg, arm, neck or tail
  int place = 0;  // how many links of the limb lie above
  bool foot = false;
  Vec3d head;  // where it turns: Legwork's world, the figure standing
  // How the bone is turned to make the figure stand: from the bind pose, world axes. Arms are let down.
  Quatd set;
  Vec3d bind_head;                         // as head, in the bind pose
  std::vector<Vec3d> vertices;             // those that follow it most, standing
  std::vector<std::array<Vec3d, 3>> skin;  // triangles of the surface that follow it, standing
};

struct FigureLimb {
  Part part = Part::leg;
  Side side = Side::none;
  std::vector<int> links;  // from the trunk outward
  Vec3d end;               // legs: lowest point; others: the last link's farthest vertex
};

struct Figure {
  CharacterFrame frame;
  std::vector<FigureLink> links;  // parents first; 0 is the root
  std::vector<FigureLimb> limbs;
  double height = 0;      // of the hips, m
  std::vector<int> root;  // bones above the root link, uppermost first
};

// Throws Error that says which part cannot be understood.
Figure find_figure(const CharacterFile& file);

}  // namespace legwork
