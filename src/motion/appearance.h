#pragma once
// How a motion looks: what an animator's eye finds wrong with feet, legs and knees, measured.

#include <string>

#include <legwork/gait.h>
#include <legwork/motion.h>

namespace legwork {

// Lengths in m, angles in rad. Where two names of links are given, the worst is between them.
struct Appearance {
  // How far a foot slid along the ground in a stance: what 19 of 20 stances stay below, and the worst.
  double slide = 0, worst_slide = 0;
  std::string slide_of;  // leg
  // The deepest that a foot lay in the ground: what it stays below for 19 twentieths of the time, and the
  // worst.
  double sink = 0, worst_sink = 0;
  std::string sink_of;  // link
  double buried = 0;  // the deepest that any other part lay in the ground
  std::string buried_of;
  double crossing = 0;        // the deepest that parts of two legs lay in each other
  double crossing_share = 0;  // of the time, that some did
  std::string crossing_of;
  double bent_back = 0;  // the farthest that a knee was bent the other way than it bends when standing
  std::string bent_back_of;
  // The share of the joint torques' power (their mean square, summed over joints) above 5 sqrt(g/h) Hz, and
  // the same of the torques less their means. Unknown where no torques were recorded, or fewer than two
  // frames in a period of that rate.
  double rough = unknown, rough_of_change = unknown;
  std::string rough_of;  // the degree of freedom with most of that power
};

// Parts that lie in each other in the body's reference pose are built so and do not count as crossing, nor do
// parts that lie lower than its soles when it stands count as buried.
// Throws Error where the motion has no gait (measure_gait).
Appearance measure_appearance(const Motion& motion, const Gait& gait);

// The share of a signal's power above a rate (Hz, frames evenly spaced by `step` s), by a low-pass filter of
// finite length whose edge is a fifth of the rate wide; for the sum of several signals the powers are added.
struct Power {
  double all = 0, high = 0;
};
Power high_power(const double* values, int frames, int stride, double step, double rate);

}  // namespace legwork
