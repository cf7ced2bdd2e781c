#pragma once
// Several creatures and props as one forest.

#include <string>
#include <vector>

#include <legwork/creature.h>

namespace legwork {

struct WorldPart {
  Creature creature;   // completed
  std::string prefix;  // put before every name
  Vec3d pos{};         // where its own origin comes to lie
  Quatd rot{};
  bool fixed = false;  // without its root's free joint: stays where its pose stand puts it
};

// One creature of all parts in order; degrees of freedom of the first come first. Every root, the free
// coordinates of every pose, and points held to the world are moved by pos and rot. A pose of one part's name
// holds for all: parts that lack it stand. The time step is the smallest asked for, the integrator that of
// the first that asks, with a warning where others differ; the trunk the first one.
Creature assemble(const std::vector<WorldPart>& parts);

}  // namespace legwork
