#pragma once

#include <vector>

#include <legwork/creature.h>
#include "math/vec.h"

namespace legwork {

// One of each kind but mesh, in the order of ShapeType, off the origin and turned.
inline std::vector<Shape> example_shapes() {
  const Vec3d sizes[] = {{0.3, 0.2, 0.5}, {0.2, 0, 0}, {0.1, 0.4, 0}, {0.15, 0.3, 0}, {0.3, 0.2, 0.1}};
  std::vector<Shape> shapes;
  for (int i = 0; i < 5; ++i) {
    Shape s;
    s.type = ShapeType(i);
    s.size = sizes[i];
    s.pos = {0.3, -0.2, 0.1};
    s.rot = normalized(Quatd(1, 0.3, -0.5, 0.2 * i));
    s.density = 700;
    shapes.push_back(s);
  }
  return shapes;
}

}  // namespace legwork
