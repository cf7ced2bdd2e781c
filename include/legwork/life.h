#pragma once
// Life in kinematic gaits: how a body moves over its feet, and what follows it.

namespace legwork {

class Options;

// For verbs that make gaits without physics, with the dials of an animator. The motion itself comes from
// the gait's own physics: the forces that its feet can give move the trunk. 1 = as that has it.
struct Life {
  enum class State { on, off };

  State state = State::on;
  double speed = 0;   // m/s; 0 = what suits the body and the gait
  double lift = 1;    // how high feet swing
  double bounce = 1;  // up and down, and the change of speed in a stride
  double sway = 1;    // from side to side
  double lag = 1;     // how far arms, neck, tail and ears trail; 0 = not at all

  bool on() const { return state == State::on; }
};

// Adds them to the options of a verb.
void describe(Options& v, Life& life);

}  // namespace legwork
