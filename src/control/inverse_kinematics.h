#pragma once
// Joints that bring a foot to a place: Levenberg's and Marquardt's method within the joints' ranges: every
// step comes nearer, so that a leg keeps the way it bends. For set-up; what moves
// a body step by step works on accelerations (whole_body.h).

#include <vector>

#include "dynamics/dynamics.h"
#include "math/small.h"
#include "sim/joints.h"

namespace legwork {

// How a point of the last link of a chain moves and turns for a unit of each of the chain's degrees of
// freedom.
void chain_columns(const Model<double>& m, const Workspace<double>& w, const std::vector<int>& dofs,
                   const Vec3d& point_w, std::vector<Twist<double>>& columns);

// The vector that turns the axes a into the axes b, world axes.
Vec3d turn_between(const Mat3d& a, const Mat3d& b) noexcept;

struct FootGoal {
  int foot = -1;                   // link
  Vec3d sole;                      // its point, link's frame
  Vec3d place;                     // where that is to be, world
  Mat3d axes = Mat3d::identity();  // what axes the foot is to have, as nearly as it can
  double arm = 0;                  // m: how much a radian of turning counts beside a metre; 0 = nothing
};

class FootSolver {
 public:
  FootSolver(const Model<double>& model, const JointForces<double>& joints);

  // Moves q's dofs until the sole is at its goal and returns by how much it misses, m. What the goal leaves
  // free is drawn to `rest` (nv). size: m, the length that tells far from near.
  double place(const std::vector<int>& dofs, const FootGoal& goal, const std::vector<double>& rest,
               double size, std::vector<double>& q);

  std::vector<double> lower, upper;  // nv: ranges that are used
  Workspace<double> w;               // after place: at q

 private:
  struct Miss {
    Numbers<6> error{};  // place and turn, in sizes
    double cost = 0;     // its square, and what the joints are away from rest
    double place = 0;    // m
  };
  Miss look(const FootGoal& goal, const std::vector<int>& dofs, const std::vector<double>& rest, double size,
            const std::vector<double>& q);
  void find_step(const FootGoal& goal, const std::vector<int>& dofs, const std::vector<double>& rest,
                 double size, const Miss& miss, double damping);

  const Model<double>* model_;
  const JointForces<double>* joints_;
  std::vector<double> x_, v_;  // nv: the joints; the step that is tried
  std::vector<double> tried_;  // nq: where it leads
  std::vector<char> ended_;    // nv: joints that it takes to the end of their range
  std::vector<Twist<double>> columns_;
};

}  // namespace legwork
