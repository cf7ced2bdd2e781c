#pragma once
// A motion between its frames: the state at any time, and the whole at an even rate.

#include <vector>

#include <legwork/motion.h>
#include "dynamics/model.h"

namespace legwork {

// Times from the first frame to the last, `rate` a second; the last frame's time ends the list when it is no
// multiple. rate <= 0: the motion's own times.
std::vector<double> sample_times(const Motion& motion, double rate);

// Walks along a motion; cheapest when times rise. At a frame's own time (within 1e-9 s) its values come out
// bit for bit; between frames configurations follow the shortest path (quaternions turn at constant speed),
// all else is linear. Times outside are those of the first and the last frame.
class Sampler {
 public:
  Sampler(const Model<double>& model, const Motion& motion);

  void at(double time);
  void positions(double* q);  // nq
  // Linear in time: rows of `width` values, one for each frame of the motion.
  void values(const std::vector<double>& rows, int width, double* out) const;

 private:
  const Model<double>& model_;
  const Motion& motion_;
  int frame_ = 0;
  double share_ = 0;  // where it is between this frame and the next, 0 .. 1
  std::vector<double> v_;
};

// All of a motion but its frames: body, ground, status, how it was made, and its channels without values.
Motion without_frames(const Motion& motion);

// The same motion at an even rate (Hz), every array and channel with it.
Motion resample(const Motion& motion, double rate);

// Fills v of a motion whose frames come at an even rate (Hz) and hold only q: central differences, one-sided
// at the ends.
void fill_velocities(const Model<double>& model, double rate, Motion& motion);

}  // namespace legwork
