#pragma once
// Observables of a gait over the whole cycle (Wills 2008, ch. IV, tables 17 to 29), every recorded frame of a
// stride counting once:
//   pitch, yaw, roll   root mean square deviation of the girdle's turn from its mean over the cycle, degrees
//   lateral, vertical  the same for its displacement, cm
//   excursion          of each degree of freedom, from its least to its greatest value, degrees (cm for
//                      translations)

#include <string>
#include <utility>
#include <vector>

#include "reach/limb.h"

namespace legwork::reaching {

struct Observables {
  double pitch = 0, yaw = 0, roll = 0, lateral = 0, vertical = 0;
  std::vector<std::pair<std::string, double>> excursion;
};

// roots: the girdle in each frame of one stride; values: those of the right limb's degrees of freedom.
Observables observe(const Limb& limb, const std::vector<RootPose>& roots,
                    const std::vector<std::vector<double>>& values);

}  // namespace legwork::reaching
