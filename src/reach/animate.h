#pragma once
// From two samples to a gait: the right limb's eight events and its mid-swing, left from right, footprints,
// and the whole body frame by frame.

#include <array>
#include <vector>

#include "reach/find.h"

namespace legwork::reaching {

struct Timing {
  double duty = 0.6, contralateral = 0.5, ipsilateral = 0.5;  // shares of a stride
  double step_height = 0;                                     // m: height of the foot in mid-swing
  int frames = 60;                                            // in a stride
};

// The right limb of one girdle: values of its degrees of freedom at the events and in mid-swing, and the
// root.
struct LimbKeys {
  std::vector<double> rd, rlu, rld, ru, swing;
  RootPose rd_pose, rlu_pose, rld_pose, ru_pose;
};
LimbKeys keys_of(const GirdleProblem& girdle, const std::array<std::uint32_t, 2>& events, const Ways& ways,
                 const Timing& timing);
// Mid-swing alone, by cyclic descent over the degrees of freedom: the foot halfway forward,
// lifted.
std::vector<double> mid_swing(const Limb& limb, const Placement& foot, const LimbKeys& keys, const Ways& ways,
                              double height);

struct Footfall {
  int leg = 0;     // index in the creature
  int girdle = 0;  // index in the problem
  bool left = false;
  double down = 0;  // share of the stride at which it comes down
  Placement print;  // foot frame in the world at its first footfall in [0, 1); then every stride on
};
// Its sole on the ground, `ahead` of where it stands; for the caller to say when.
Footfall footfall(const Problem& problem, size_t girdle, bool left, double ahead);

// A gait as it is planned: what the polish keeps.
struct Plan {
  std::vector<LimbKeys> keys;  // one for each girdle
  std::vector<Footfall> feet;
  double stride = 0;  // m
  Timing timing;
  // Where a foot is to be at a share of the stride counted on over strides; in swing along an arc.
  Placement foot_at(const Footfall& foot, double phase) const;
  bool stance(const Footfall& foot, double phase) const;
};
Plan plan_gait(const Problem& problem, const std::vector<LimbKeys>& keys, const Timing& timing);

// Frames of one stride, each a configuration of the creature: the first girdle's root from its stance limb
// (appendix F), the trunk bent to come nearest to where the others are, nothing mended.
struct RawGait {
  std::vector<std::vector<double>> q;
  double trunk_gap = 0;         // m, largest distance between trunk and a further girdle's root
  double trunk_gap_angle = 0;   // rad
  double dual_error = 0;        // m, largest disagreement on the root at the events
  double dual_error_angle = 0;  // rad
};
RawGait animate(const Creature& creature, const Problem& problem, const Plan& plan);

}  // namespace legwork::reaching
