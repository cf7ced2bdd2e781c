#pragma once
// What a body sees, is paid for, and when it has fallen: in units of the body.

#include <span>
#include <vector>

#include <legwork/environment.h>
#include "base/random.h"
#include "motion/fallen.h"
#include "physics/lanes.h"

namespace legwork {

// A body's constants for its task.
class TaskBody {
 public:
  explicit TaskBody(const Arena& arena);

  const std::vector<Signal>& observations() const { return observations_; }
  void observe(const Lanes& lanes, int lane, const double* v, double* out) const noexcept;
  BodyView view(const Lanes& lanes, int lane) const noexcept { return lanes.view(lane, standing_.root); }
  bool fallen(const Lanes& lanes, int lane) const noexcept;
  // How well a body stands: 1 upright at its height, 0 or less lying.
  double upright(const Lanes& lanes, int lane) const noexcept;

  double height() const { return height_; }  // m: hip height, or that of the centre of mass
  double moment() const { return moment_; }  // s: sqrt(height / g)
  // A start near the arena's: joints moved at random by up to noise, feet not below the ground.
  std::vector<double> start(double noise, Random random) const;

 private:
  // m: the centre of mass over the ground below the hips.
  double raised(const Lanes& lanes, int lane, const BodyView& view) const noexcept;
  double ground_at(const Vec3d& p) const noexcept;

  const Arena& arena_;
  double height_ = 1, moment_ = 1;
  StandingBody standing_;
  bool legged_ = false;
  std::vector<int> joints_;             // degrees of freedom that are not the root's
  std::vector<std::vector<int>> feet_;  // contact points of each leg's foot
  std::vector<Signal> observations_;
};

// The ends of an actuator's commands. Throws Error where there are none.
Signal command_range(const Actuator& actuator);

}  // namespace legwork
