#pragma once
// Refinement (Wills 2008, ch. III, "Gait refinement"): one degree of freedom at a time is sampled finely
// around the gait's own events while the others stay, and the best gait among these samples is taken on.

#include "reach/animate.h"

namespace legwork::reaching {

struct Refined {
  LimbKeys keys;
  ErrorTerms terms;
  int changes = 0;  // degrees of freedom that gave a better gait
};
// Siblings within the box size and epsilon, as in constrain(). angle and length: the fine resolutions.
Refined refine(const GirdleProblem& girdle, const LimbKeys& keys, const Ways& ways, const Measure& measure,
               double epsilon, double angle, double length);

}  // namespace legwork::reaching
