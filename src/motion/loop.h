#pragma once
// One clean loop out of a motion, for animators: the last frame equals the first.
//
// The stride taken is [start, start + period]. No gait repeats itself exactly, so what is left over after a
// period (d in position, e in speed, per coordinate) is taken away over the whole loop, as d s + e T (s^2 -
// s)/2 for s from 0 to 1: position and speed then both join. Frames fall on the rate exactly, so the loop
// lasts a whole number of them and is played up to half a frame faster or slower.
//
// The travel of a stride is the turn and shift in the ground's plane that carries the first free body from
// its first pose to its last. In place, each frame is carried back by its share of the travel (constant
// speed, or constant turning), as on a treadmill; else the last frame is the first one carried on by the
// travel exactly. A planar body travels by its root's horizontal slides.

#include <legwork/motion.h>

namespace legwork {

struct LoopOptions {
  double start = 0;      // s
  double period = 1;     // s: length of a stride
  double rate = 30;      // Hz
  bool in_place = true;  // root motion removed
};

// An Error for a stride outside the motion, or shorter than two frames.
void check_loop(const Motion& motion, const LoopOptions& options);

// The loop from time 0; with a channel "travel" (x m, y m, turn rad: what was, or would have been, travelled
// by then). Forces, torques and channels are those of the motion; v follows from the frames.
Motion loop(const Motion& motion, const LoopOptions& options);

}  // namespace legwork
