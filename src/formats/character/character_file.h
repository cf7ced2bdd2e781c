#pragma once
// A rigged character of another program: a .glb or .gltf with a skin, read for its skeleton and surface.
//
// Everything is in the file's own world (glTF asks for Y up and metres; files differ) and in the bind pose:
// the one in which the skin was bound to its bones, which need not be the pose of the file's nodes.

#include <array>
#include <string>
#include <vector>

#include <legwork/error.h>
#include "math/vec.h"

namespace legwork {

// x -> M x + p
struct Placing {
  Mat3d M = Mat3d::identity();
  Vec3d p;
};
Placing operator*(const Placing& l, const Placing& r);
Placing inverse(const Placing& a);

struct CharacterNode {
  std::string name;  // of its own: unnamed ones and namesakes get the node's number
  int parent = -1;
  Placing local, world;  // as the file's nodes say
  Placing bind;          // world, in the bind pose
  bool bone = false;     // a joint of a skin
};

// A vertex in the bind pose, and the bones that it follows; weights sum to 1.
struct CharacterVertex {
  Vec3d pos;
  std::array<int, 4> bones{-1, -1, -1, -1};
  std::array<double, 4> weights{};
};

class CharacterFile {
 public:
  // Throws Error for a file that is damaged, or has no skin, vertices without weights, bones that are sheared
  // or too many.
  explicit CharacterFile(const std::string& path);
  CharacterFile() = default;  // to be filled by hand

  std::string path;
  std::string json;          // the document, all its data in one buffer
  std::vector<char> binary;  // that buffer
  std::vector<CharacterNode> nodes;
  std::vector<int> order;  // nodes, parents first
  std::vector<int> bones;  // nodes that are bones, parents first
  std::vector<CharacterVertex> vertices;
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::string> clips;  // names of its animations
};

}  // namespace legwork
