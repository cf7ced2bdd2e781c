#pragma once
// Where a body travels: the frame in which steps are long and wide.
//
// The heading is the direction in which the centre of mass goes over a whole stride, seen from above, so that
// neither sway nor a link that yaws turns it. A body that stays where it is has its own heading, the root's x
// axis.

#include <vector>

#include "motion/footfalls.h"

namespace legwork {

struct Heading {
  bool travels = false;  // else `direction` is `body`
  Vec3d direction;       // unit, level
  Vec3d body;            // the root's x axis, level, mean over the time, unit
};

// Angle about z from one direction to another, -pi .. pi.
double turn_between(const Vec3d& from, const Vec3d& to);

class Course {
 public:
  // stride: s, not a number: the whole motion counts as one. least: m, what a stride covers at least if the
  // body travels.
  Course(const Motion& motion, const GaitTrack& track, double stride, double least);

  // From one time to another.
  Heading over(double from, double to) const;
  // Over the stride around a time; at the motion's ends over the first and the last.
  Heading at(double time) const;

 private:
  Vec3d com(double time) const;
  int frame(double time) const;  // the first that is not before it

  const std::vector<double>& time_;
  const std::vector<Vec3d>& com_;
  std::vector<Vec3d> forward_sum_;  // frames + 1: sum of the root's x axes before each frame
  double stride_, least_;
};

}  // namespace legwork
