#pragma once
// Kinematic gaits (Kry et al. 2008, equation 4) that stand on the ground.
//
//   theta(t) = theta_0 + sum_i RNu_i (alpha_i sin(2 pi f_i t + gamma_i) + beta_i)
//
// with joints kept softly in their ranges (SoftLimit of leg_body.h).
//
// The paper leaves the ground open. Here every foot has a stance, centred on the time when its modes carry it
// back under the body, in which its contact points stay where they were put down (balls roll; a foot with
// toes may rise on them). The root goes along its path at the speed of the feet in stance, as high as the
// legs reach, in flight as gravity has it. Legs get what is missing from leg_path.h: a whole cycle at once,
// which repeats; on uneven ground the whole motion. Where a leg cannot do it, the whole gait gives way: the
// trunk goes lower or moves less, then steps get shorter.

#include <memory>
#include <vector>

#include <legwork/life.h>
#include <legwork/motion.h>
#include "ground/terrain.h"
#include "modes/select.h"

namespace legwork {

// Joint coordinates (nv) of equation 4 at a time, before the limits.
void modal_pose(const Modes& modes, const std::vector<ModeUse>& uses, double time, double* y) noexcept;

struct PlantedOptions {
  double hz = 1, duty = 0.6;
  std::vector<double> phase;  // per leg of Limbs: its touch-down as a share of a cycle; empty: from the modes
  bool in_place = false;      // the body stays; else it goes at the speed of its feet
  double turn = 0;            // rad/s, to the left +
  double soft = 0.087;        // rad: how far joints may pass their limits
  double clearance = 0.03;    // hip heights: feet in swing go at least this high
  double sway = 0;            // share of the distance to the feet in stance by which the root moves sideways
  double heel = 0.65;         // a foot with toes: share of the stance in which all of it stands
  double gravity = 9.81;      // m/s^2, during flight
  double seconds = 10;        // what uneven ground is prepared for
  Life life{.state = Life::State::off};  // with a speed where it is on
  bool ground = true;                    // false: equation 4 alone, the root at rest
};

struct PlantedMeasures {
  double speed = 0;          // m/s
  double slide = 0;          // m: largest distance of a standing contact point along the ground in one stance
  double sink = 0;           // m, largest depth of a contact point
  double limit_excess = 0;   // rad or m: how far a joint goes past its limit at most
  double correction = 0;     // rad, largest angle by which the ground layer moved a joint
  double velocity_jump = 0;  // rad/s, by which a joint's velocity changes however short the time
  // How modal the planted legs still are, by elastic energy: the correlation of their swing with that of the
  // modes alone, and the root mean square of the difference as a share of the modes' swing.
  double modal_correlation = 1, modal_distance = 0;
  double pace = 1;  // share of the strides that the joints let the feet have
};

class PlantedGait {
 public:
  PlantedGait(const Creature& creature, const Modes& modes, const std::vector<ModeShape>& shapes,
              const Limbs& limbs, const std::vector<ModeUse>& uses, const PlantedOptions& options,
              const Terrain& terrain);
  ~PlantedGait();
  PlantedGait(PlantedGait&&) noexcept;

  // The configuration (nq) at a time.
  void at(double time, double* q);
  // Whether a leg is in stance.
  bool stance(int leg, double time) const;
  double speed() const;
  // What the gait gave way by: shares of the strides, of the trunk's own motion; hip heights lower.
  struct Manner {
    double pace = 1, calm = 1, drop = 0;
    double miss = 0;  // slip or sink of planted points, as a share of what is allowed
  };
  const Manner& manner() const;

  // Frames from 0 on. No physics: tau is zero and there are no forces; the channel "stance" says which feet
  // stand.
  Motion animate(double seconds, double rate);
  // Measures a motion that animate made.
  PlantedMeasures measure(const Motion& motion);

 private:
  void record_stances(Motion& motion) const;
  void measure_modality(const Motion& motion, PlantedMeasures& measures);

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace legwork
