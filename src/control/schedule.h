#pragma once
// Which feet stand when: a cycle in which every leg swings once.

#include <vector>

#include "control/legged_body.h"

namespace legwork {

struct Schedule {
  std::vector<double> offset;  // for each leg: cycles by which its lift-off precedes the clock's zero
  double duty = 0.6;           // share of the cycle that a foot stands
  double swing = 0;            // s: how long a foot is in the air
  double speed = 0;            // m/s that it was chosen for
  double cost = 0;             // what it was chosen by: how it throws the body about, the less the better

  double cycle() const { return swing / (1 - duty); }
  double stance() const { return duty * cycle(); }
  // A leg's place in its cycle, 0 .. 1: it lifts off at 0 and lands at 1 - duty.
  double phase(size_t leg, double clock) const noexcept;
};

// Orders and duties are tried on level ground, and the one is taken that throws the centre of mass about
// least for its speed: by how far the divergent component of motion must leave the straight path. speed: m/s,
// 0 = what suits the body. swing: s, 0 likewise. there: legs that take part.
Schedule choose_schedule(const LeggedBody& body, double speed, double swing, const std::vector<char>& there);

// m: the longest way that a foot can go back in stance, for the leg that has least.
double longest_stroke(const LeggedBody& body);

}  // namespace legwork
