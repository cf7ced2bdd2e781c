#pragma once
// From the samples' gait to a smooth one off the grid: every frame of a stride is a configuration of the
// whole body whose stance feet are exactly where the plan has them, within all ranges, nearest to a smooth
// course. The trunk cannot come apart, since the body is one tree.
//
// All frames of a stride together: minimise what accelerates, even travel above all, with weighted squares of
// the girdles' turns, sway and height, of the swinging feet's distance from their arcs and, faintly, of the
// distance from the samples' gait. Stance feet's six (a point's three) equations by the method of
// multipliers, ranges by a primal-dual interior-point method; one Gauss-Newton step a round solves a ring of
// frames. Then each frame alone is put on its prints.

#include <vector>

#include "base/parallel.h"
#include "reach/animate.h"

namespace legwork::reaching {

struct PolishOptions {
  int rounds = 14;
  bool keep_width = false;  // keeps the width of the trackway, where it was asked for
  bool keep_trunk = false;  // girdles are led to how they are in the samples' gait, not to how they stand
};

struct Polished {
  std::vector<std::vector<double>> q;
  Plan plan;                                    // with the prints that were settled on
  double planted_error = 0, planted_angle = 0;  // m, rad: largest of a stance foot
};

// frames of one stride from plan.timing.frames configurations to begin with.
Polished polish(const Creature& creature, const Problem& problem, const Plan& plan,
                const std::vector<std::vector<double>>& start, const PolishOptions& options,
                const Workers& workers);

// Each girdle's root in a frame, displaced and turned from standing and from even travel; and the values of
// its right (or left) limb's degrees of freedom.
RootPose girdle_pose(const Girdle& girdle, const std::vector<LinkFrame>& frames, double travelled);
std::vector<double> limb_values(const Girdle& girdle, bool left, const std::vector<double>& q);

}  // namespace legwork::reaching
