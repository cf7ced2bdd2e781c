#pragma once
// What walking demands of a limb space (Wills 2008, ch. III and appendix H, steps 4 and 5).
//
// Events of the right limb: RD (right down), RLU (when the left foot lifts), RLD (when it lands), RU (right
// lifts). In dual support both limbs must agree on the root; left and right do the same half a cycle apart.
// So the root at RLD is the mirror image of that at RD, half a stride further, and RU that of RLU: a sample
// can be RD or RLU only if it has such a sibling.

#include <cstdint>
#include <vector>

#include "base/parallel.h"
#include "reach/space.h"

namespace legwork::reaching {

// What a step length means.
using StepOf = ReachOptions::StepOf;

// Distances along travel, m.
struct Ways {
  double half = 0;    // RD to RLD: half a stride
  double dual = 0;    // RD to RLU: dual support
  double stance = 0;  // RD to RU
};
Ways ways_of(double step, double duty, StepOf of);

struct Constrained {
  std::vector<std::uint32_t> sample, sibling;  // in the order of the boxes
  std::size_t with_siblings = 0;               // distinct samples among both
};

// Samples with a sibling: in the box a half stride ahead, mirrored and of the same height, the one whose
// mirrored turns differ least, by less than epsilon (rad, root mean square).
Constrained constrain(const Space& space, const Boxes& boxes, double half, double epsilon,
                      const Workers& workers);

// The box of the siblings of a box's samples, or -1 where that is outside.
int sibling_box(const Boxes& boxes, int box, double half);

}  // namespace legwork::reaching
