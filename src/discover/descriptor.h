#pragma once
// What kind of motion it is, as a few numbers; how far two kinds are apart; whether a motion repeats itself.
//
// A descriptor has one number for each touch sensor and five more, each about 0 to 1:
//   contact      share of the time that the touch sensor is on, over the root of their number, so that all
//                touch sensors together weigh as much as one of the others
//   tumbling     turns of the root about the lateral axis, t: 1/2 + t / (2 + 2|t|)
//   turning      the same about the vertical
//   height       mean height of the centre of mass over twice that at the start, at most 1
//   frequency    of the cycle, times four delays of its nodes, over 2; 0 without a cycle
//   direction    1/2 + forward distance over the whole path / 2
// The distance of two kinds is Euclidean (search/elites.h).

#include <vector>

namespace legwork {

struct MotionKind {
  std::vector<double> contact;       // share of each touch sensor
  double tumbling = 0, turning = 0;  // turns
  double height = 1;                 // over that at the start
  double frequency = 0;              // in units of the expected
  double direction = 0;              // forward way over way, -1 to 1
};

std::vector<double> describe_kind(const MotionKind& kind);

// The shortest lag after which all signals repeat themselves, of frames x signals numbers.
struct Cycle {
  int lag = 0;  // frames; 0: none
  // 1 - mean square difference over twice the variance, mean over signals; 0 where nothing moves, -1 where
  // there are too few frames to tell
  double likeness = 0;
};
Cycle find_cycle(const std::vector<double>& rows, int signals, int shortest);

}  // namespace legwork
