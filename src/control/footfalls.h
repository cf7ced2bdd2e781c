#pragma once
// A motion's own footfalls, in place of a schedule that repeats: which feet stand when and where, and where
// the body goes meanwhile. Times are the motion's; places are its own too: the controller moves them along
// with the body where that has gone off.

#include <cstddef>

#include "control/polygon.h"
#include "math/vec.h"

namespace legwork {

class Footfalls {
 public:
  virtual ~Footfalls() = default;
  virtual bool stands(size_t leg, double time) const = 0;
  // The next time after this one at which the leg lands or lifts; infinite where none comes.
  virtual double next_change(size_t leg, double time) const = 0;
  // The ground below the sole in the stance at this time.
  virtual Vec2 place(size_t leg, double time) const = 0;
  // The point below the centre of mass, and the heading, rad.
  virtual Vec2 path(double time) const = 0;
  virtual double heading(double time) const = 0;
};

}  // namespace legwork
