#pragma once
// How a trunk bends so that its girdles turn as a gait wants them to.
//
// A girdle yaws forward over the leg that reaches forward and lists towards the leg that carries less, as
// pelves of people and animals do (docs/life.md has the figures); the carrier of arms yaws against the
// pelvis. Joints of the spine take what differs between girdles, each in proportion to its range; the root
// takes the rest.

#include <Eigen/Core>
#include <vector>

#include "dynamics/model.h"
#include "life/momentum.h"

namespace legwork {

// What carries a pair of legs or arms.
struct TrunkEnd {
  int link = 0;
  bool arms = false;
  // Legs of the problem that hang on it, and the distance of their hips; none: arms.
  int left = -1, right = -1;
  double width = 1;  // m
};

class TrunkBend {
 public:
  // ends: their links hang on the root by the joints that bend. q: the rest pose.
  TrunkBend(const Creature& creature, const std::vector<double>& q, int root, std::vector<TrunkEnd> ends);

  // Degrees of freedom between the root and the ends.
  const std::vector<int>& dofs() const { return dofs_; }

  struct Bent {
    std::vector<Vec3d> root;                 // rotation vectors, per sample
    std::vector<std::vector<double>> joint;  // per degree of freedom in dofs(), per sample, rad
  };
  // share: of the girdles' own turns.
  Bent bend(const MomentumProblem& problem, const MomentumCycle& cycle, double share) const;

 private:
  std::vector<TrunkEnd> ends_;
  std::vector<int> dofs_;
  Eigen::MatrixXd solution_;  // (3 + dofs) x (3 ends)
};

}  // namespace legwork
