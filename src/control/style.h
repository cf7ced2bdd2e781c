#pragma once
// How a body is to look while it balances: what a method brings of its own, a modal gait or a recorded
// motion, where standing and stepping leave a choice. The controller follows it with what they do not need.

#include <vector>

#include "math/vec.h"

namespace legwork {

// The body at one time of its cycle. Rates are those at the schedule's own pace.
struct BodyLook {
  std::vector<double> x, rate;         // nv: joints, rad or m, and per s
  Mat3d trunk = Mat3d::identity();     // the root's axes, heading along x
  Vec3d spin;                          // rad/s, heading axes
  double rise = 0, climb = 0, up = 0;  // m, m/s, m/s^2: of the centre of mass beyond its usual height
};

// A foot at one time of its swing.
struct SwingLook {
  double high = 0;                 // m: how high it goes at most
  double peak = 0.45;              // share of the swing at which it does
  Mat3d axes = Mat3d::identity();  // the foot's, heading along x
};

class Style {
 public:
  virtual ~Style() = default;
  // clock: the controller's; cycles of its schedule, or s of its footfalls.
  virtual void body(double clock, BodyLook& look) const = 0;
  // share: of the leg's swing, 0 .. 1.
  virtual void swing(size_t leg, double clock, double share, SwingLook& look) const = 0;
};

}  // namespace legwork
