#pragma once
// A leg that feedback bends along the body's modes: its joints follow the lowest elastic ones, cut to that
// leg and weighted by their elastic energy (omega^2).

#include <Eigen/Core>
#include <vector>

#include "dynamics/model.h"
#include "modes/analysis.h"
#include "modes/limbs.h"

namespace legwork {

// Where a root is.
struct Place {
  Vec3d p;
  Quatd turn;
};
// The turn that leads from one to the other, world axes.
Vec3d turn_between(const Quatd& from, const Quatd& to);
// Between the two, at the share u.
Place between(const Place& a, const Place& b, double u);

// A free joint's coordinates.
struct FreeRoot {
  int q = 0, v = 0;

  FreeRoot(const Model<double>& model, int link);
  Place place(const double* q) const;
  void put(const Place& place, double* q) const;
};

class ModalLeg {
 public:
  // modes: how many of the elastic ones, at most. hip_height: m.
  ModalLeg(const Model<double>& model, const JointForces<double>& joints, const Modes& modes,
           const LimbLeg& limb, const FreeRoot& root, double hip_height, int count);

  // Moves the offset so that with the root there and all other joints at x the foot's point comes to `foot`,
  // and as much as flatness says its sole to the given orientation's: Gauss-Newton steps, damped, of least
  // elastic energy.
  void bend(const std::vector<double>& x, const Place& root, const Vec3d& foot, const Mat3d& orientation,
            double flatness, int iterations);
  // Adds the present offset to joint coordinates.
  void add_offset(std::vector<double>& x) const;
  void straighten() { beta_.setZero(); }

 private:
  static constexpr int most_modes = 40, most_dofs = 24;

  const Model<double>& model_;
  const JointForces<double>& joints_;
  const LimbLeg& limb_;
  FreeRoot root_;
  double hip_height_;
  std::vector<int> dofs_;  // that feedback moves
  // dofs x modes: shapes over omega, so that the sum of squares is elastic energy
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_dofs, most_modes> basis_;
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_modes, 1> beta_;  // present offset along the modes
  Workspace<double> w_;
  std::vector<double> x_, q_;
};

}  // namespace legwork
