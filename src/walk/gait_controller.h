#pragma once
// The gait controller: a pacemaker for each leg, coupled by Wilson's rules (Annual Review of Entomology 1966)
// as McKenna made them mathematics (1990, sections 3.2 and 4.6).
//
//   1  a wave of steps runs from the hind leg to the fore leg of a side
//   2  legs across from each other alternate: half a cycle apart
//   3  a step takes a constant time
//   4  the frequency varies: that alone sets the speed
//   5  neighbours of one side step a constant time after each other
//
// With a step time T, a leg delay D and a cycle C = 2 T slowness, pacemaker i runs at phase
//   master + rank D / C + (right ? 1/2 : 0)    cycles,
// rank counting legs from the front of its side; it fires when it passes a quarter, the peak of a sine.
// Slowness 1 gives the tripod (any number of pairs: neighbours alternate), large slowness the wave.
//
// Plain data and functions, no hidden state: copy a GaitState to back it up.

#include <vector>

#include <legwork/creature.h>

namespace legwork {

// How fast the legs go.
struct Pace {
  double step = 0.05;   // s, T
  double delay = 0.05;  // s, D; the thesis: the step time
  double slowness = 1;  // 1 = top speed

  double cycle() const { return 2 * step * slowness; }
  double stance() const { return cycle() - step; }
};

// Where a leg sits among the others.
struct GaitLeg {
  bool right = false;
  double along = 0;                          // m, position of the hip, forward positive
  int rank = 0;                              // among the legs of its side that are there, 0 = foremost
  bool there = true;                         // false: lost
  int ahead = -1, behind = -1, across = -1;  // neighbours, or -1
};

// Side, rank and neighbours of a creature's legs as it stands. Legs in the middle join the side that has
// fewer.
std::vector<GaitLeg> gait_legs(const Creature& creature);
// Ranks and neighbours anew, after a leg was lost or came back.
void rank_legs(std::vector<GaitLeg>& legs);

enum class LegMode { stance, ready, step };  // ready: due to step, but inhibited

struct GaitState {
  double master = 0;          // cycles, 0 .. 1
  std::vector<double> phase;  // for each pacemaker: its place in the cycle, 0 .. 1
  std::vector<LegMode> mode;
  std::vector<double> waited;   // s that a leg has been due
  std::vector<double> in_mode;  // s since the step or stance began
  std::vector<double> length;   // s: planned length of the present step or stance
};

// What the body reports about a leg.
struct LegFeeling {
  bool bent_back = false;  // the step reflex asks for a step
  bool loaded = false;     // the load reflex forbids one
};

struct GaitRules {
  bool inhibit_neighbours = false;  // no step while a leg ahead, behind or across is stepping
  // 1/s: how fast a pacemaker that lags (a step came early or late) returns to its place; 0 = it is never
  // out of it, as in the thesis
  double coupling = 0;
  double patience = 0;  // s that a due leg waits for its load or its neighbours at most; 0 = for ever
};

enum class LegEvent { none, step, stance };

// All legs in stance, phases in their places. first_right: the gait begins with the other side.
GaitState start_gait(const std::vector<GaitLeg>& legs, const Pace& pace, bool first_right = false);

// The phase that Wilson's rules give a leg.
double wilson_phase(const GaitLeg& leg, const Pace& pace, double master) noexcept;

// Advances by dt. feelings and events: one for each leg; an event says which program begins now.
void step_gait(const std::vector<GaitLeg>& legs, const Pace& pace, const GaitRules& rules,
               const std::vector<LegFeeling>& feelings, double dt, GaitState& state,
               std::vector<LegEvent>& events) noexcept;

}  // namespace legwork
