#pragma once
// A walker without physics: a trunk and pairs of two-link legs whose feet follow a gait of known timing.
// Every number about its gait is known in advance.

#include <string>
#include <vector>

#include <legwork/motion.h>

namespace legwork {

struct WalkerOptions {
  std::string name = "walker";
  int pairs = 2;        // of legs
  int tail = 0;         // links behind the trunk
  double speed = 0.5;   // m/s, along +x
  double period = 0.8;  // s, one stride
  double duty = 0.62;
  std::vector<double> phase;  // of each leg: left and right of the first pair, then of the next; touch-down
                              // at time (k - phase) period
  double seconds = 10, rate = 240;
  double climb = 0;  // slope of the ground, rad, rising along +x
};

Creature walker_body(const WalkerOptions& options);

// Legs by inverse kinematics: feet in stance stay where they came down, to rounding. Contact forces share the
// weight among the feet that are down.
Motion walk(const WalkerOptions& options);

}  // namespace legwork
