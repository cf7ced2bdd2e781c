#pragma once
// A whole rollout as one tape: network, sensors, actuators, contact, integrator, and what a candidate is
// measured by.

#include <memory>
#include <optional>

#include "compile/tape.h"
#include "discover/measures.h"
#include "discover/problem.h"

namespace legwork {

struct RolloutTape {
  std::unique_ptr<Tape> tape;
  int weights = 0, numbers = 0;  // sizes of the arrays that are read
  int results = 0;            // size of the array that is written: measures, turnover, 1 or 0 for going well,
                              // steps that each touch sensor was on
  int rows = 0, signals = 0;  // of the list `track`: frames from the settled frame on, and each one's length
  // What numbers must be for this code to be a candidate's: those that are constants in it, or NaN.
  std::vector<double> pattern;
};

// Empty: it can be recorded; else what cannot, in words.
std::string not_recordable(const Problem& problem);
RolloutTape record_rollout(const Problem& problem);

// The numbers of a candidate that the code reads, or nothing where the code is not this candidate's. nominal:
// the body of candidates without parameters.
std::optional<std::vector<double>> inputs_of(const Problem& problem, const RolloutTape& rollout,
                                             const Expressed& nominal, const Candidate& candidate);
// What the code wrote, with the cycle that was found in its track.
Outcome outcome_of(const Problem& problem, const double* result, int results, double lag, double likeness);
// The point to follow, three numbers a step.
std::vector<double> follow_table(const Problem& problem, const FollowPath& path);

}  // namespace legwork
