#include "formats/turning_point.h"

#include "math/vec.h"

namespace legwork {

namespace {

void add_turn(TurningPoint& at, int& turns, const Vec3d& anchor) {
  if (turns++ == 0) at.point = anchor;
  if (norm(anchor - at.point) > 1e-12) at.shifts = true;
}

}  // namespace

TurningPoint turning_point(const Link& link) {
  TurningPoint at;
  int turns = 0;
  for (const Joint& joint : link.joints) {
    switch (joint.type) {
      case JointType::fixed:
        break;
      case JointType::hinge:
      case JointType::ball:
      case JointType::universal:
        add_turn(at, turns, joint.anchor);
        break;
      case JointType::keyframed:
        add_turn(at, turns, {});
        for (const Keyframes& path : joint.paths)
          for (int i = 3; i < 6; ++i) at.shifts = at.shifts || path.min[i] != 0 || path.max[i] != 0;
        break;
      case JointType::slide:
      case JointType::planar:
      case JointType::free:
        at.shifts = true;
        break;
    }
  }
  return at;
}

}  // namespace legwork
