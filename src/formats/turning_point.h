#pragma once
// Where links turn: the places of a skeleton's bones, the same in every format.

#include <legwork/creature.h>

namespace legwork {

struct TurningPoint {
  Vec3d point;          // link frame: the joints' common anchor; the origin where there is none
  bool shifts = false;  // that point moves in the parent's frame
};
TurningPoint turning_point(const Link& link);

}  // namespace legwork
