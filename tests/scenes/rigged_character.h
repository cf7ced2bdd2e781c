#pragma once
// Rigged characters made by script, as programs of animators export them: a .glb or .gltf with a skin, a
// material and a clip.

#include <string>
#include <vector>

#include "math/vec.h"

namespace legwork {

enum class Build { biped, bird, quadruped, hexapod, octopod };
enum class Naming { plain, mixamo, rigify, cmu, none, odd };

struct RiggedSpec {
  Build build = Build::biped;
  Naming naming = Naming::plain;
  double unit = 1;         // file units in a metre
  char up = 'y';           // the file's vertical: y as glTF asks, z or -
  bool backward = false;   // looks along -z
  double roll = 0;         // how wildly bones are turned about and away from their own length, rad
  bool twists = false;     // twist bones beside and within limbs
  bool armature = false;   // below a node that is turned and scaled by 0.01, as Blender's are
  bool root_bone = true;   // a bone on the ground above the body
  bool idle_pose = false;  // the file's nodes are not in the bind pose
  double lean = 0;         // m: hips this much to one side, so that nothing is quite symmetric
};

struct RiggedBone {
  std::string name;
  int parent = -1;
  Vec3d head, tail;  // Legwork's world, metres
  double radius = 0.03;
};

// The bones of a spec, parents first.
std::vector<RiggedBone> rigged_bones(const RiggedSpec& spec);

// Writes the character; .gltf with its data in a .bin beside it.
void write_rigged(const RiggedSpec& spec, const std::string& path);

}  // namespace legwork
