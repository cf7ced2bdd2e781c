#pragma once
// A body that sits down and gets up again, feet planted all the while.

#include "reach/polish.h"

namespace legwork::reaching {

struct Sitting {
  Polished motion;
  double depth = 0;  // how far the root sank, as a share of its height
};
// From the pose stand and back to it. depth: how far the roots are to sink, as a share of their height; less
// where ranges end it. frames: for going down and up together.
Sitting sit_and_stand(const Creature& creature, const Problem& problem, double depth, int frames);

}  // namespace legwork::reaching
