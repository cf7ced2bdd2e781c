#pragma once
// Calibration of the reflexes, which the thesis left to be done (section 5.2): watch undisturbed walking, per
// leg pair, and set the limits beyond what happens there.

#include <vector>

#include "walk/walker.h"

namespace legwork {

// Sees every step of a walk on flat ground.
class ReflexCalibration {
 public:
  ReflexCalibration(const Creature& creature, const WalkBody& body);

  // After a step of the simulation.
  void see(const Walker& walker, const Simulation<double>& sim);
  // Limits beyond the norm of each pair: the furthest that a leg was bent back in stance and a quarter of its
  // range more; the largest load under which a leg began to step and a quarter of its largest load more.
  // The limit on touching forces at a foot in the air is a quarter above the largest, and 5 % of the weight
  // more. Legs of one girdle share their limits.
  ReflexLimits limits() const;
  bool complete() const;  // every leg stepped at least twice

 private:
  const WalkBody* body_;
  std::vector<int> group_;  // for each leg: the first leg of its girdle
  std::vector<double> least_, most_, load_at_step_, most_load_, touch_;
  std::vector<int> steps_;
  double weight_ = 0;
};

}  // namespace legwork
