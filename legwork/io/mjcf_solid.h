#pragma once
// The mass of solids, of unit density.
#include "legwork/creature/creature.h"
namespace legwork::mjcf {
struct MassProperties {
  double mass = 0;
  Vec3d com;
  Sym3d inertia;  // about com
};
MassProperties operator+(const MassProperties& a, const MassProperties& b);
MassProperties mass_properties(const Shape& shape);
}  // namespace legwork::mjcf
