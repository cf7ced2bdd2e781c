#pragma once
// What a body sees, is paid for, and when it has fallen: in units of the body.

#include <span>
#include <vector>

#include <legwork/environment.h>
#include "base/random.h"
#include "physics/lanes.h"

namespace legwork {

// A body's constants for its task.
class TaskBody {
 public:
  explicit TaskBody(const Arena& arena);

  const std::vector<Signal>& observations() const { return observations_; }
  void observe(const Lanes& lanes, int lane, const double* v, double* out) const noexcept;
  bool fallen(const BodyView& view) const noexcept;
  // How well a body stands: 1 upright at its height, 0 or less fallen.
  double upright(const BodyView& view) const noexcept;

  double height() const { return height_; }  // m: hip height, or that of the centre of mass
  double moment() const { return moment_; }  // s: sqrt(height / g)
  // A start near the arena's: joints moved at random by up to noise, feet not below the ground.
  std::vector<double> start(double noise, Random random) const;

 private:
  double ground_under(const BodyView& view) const noexcept;

  const Arena& arena_;
  double height_ = 1, moment_ = 1;
  double root_height_ = 0;  // m, of the root above the ground in the pose stand
  Mat3d upright_;           // root to world in that pose
  bool legged_ = false;
  std::vector<int> joints_;             // degrees of freedom that are not the root's
  std::vector<std::vector<int>> feet_;  // contact points of each leg's foot
  std::vector<Signal> observations_;
};

// The ends of an actuator's commands. Throws Error where there are none.
Signal command_range(const Actuator& actuator);

}  // namespace legwork
