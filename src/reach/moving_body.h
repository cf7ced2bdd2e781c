#pragma once
// The whole body as the polish moves it: which coordinates may move, within which ranges and how dearly, and
// what links are asked to do.

#include <Eigen/Core>
#include <vector>

#include "dynamics/model.h"
#include "reach/animate.h"

namespace legwork::reaching {

// Where a foot or a girdle is to be, and how strongly: infinite strength is an equation.
struct Goal {
  int link;
  Vec3d point;                                    // link frame
  Mat3d R;                                        // wanted
  Vec3d p;                                        // wanted place of the point
  double turn, place;                             // strengths; < 0: an equation, 0: free
  Vec3d turn_axes{1, 1, 1}, place_axes{1, 1, 1};  // shares of each axis in a strength
};

// The body's moving coordinates and what holds them.
struct MovingBody {
  const Creature& creature;
  Model<double> model;
  std::vector<double> lower, upper;  // nv
  std::vector<double> weight;        // nv; 0: held
  std::vector<int> q_of_v;           // -1 for the root's and balls' turns
  std::vector<int> free;             // degrees of freedom that may move
  double length = 1;                 // hip height, m

  MovingBody(const Creature& creature, const Problem& problem);
};

// What a plan demands of feet and girdles at a share of the stride: equations of stance feet first, in the
// order of the plan's feet, then wishes of the girdles.
std::vector<Goal> goals_at(const MovingBody& body, const Problem& problem, const Plan& plan, double phase);

// Equations A d = r of a frame's Newton step.
struct Equations {
  std::vector<Eigen::VectorXd> rows;
  std::vector<double> residuals;
};
// What the goals say about a move d of the free coordinates: soft ones are added to H d = g, equations to
// `equations`, or with the strength `hard` (for places; turns count as a length's) to H and g where it is
// null.
void add_goals(const MovingBody& body, const std::vector<Goal>& goals, const std::vector<double>& q,
               double hard, Equations* equations, Eigen::MatrixXd& H, Eigen::VectorXd& g);

// One Newton step of a frame q: the goals' equations, and least squares of its wishes and of the distance
// from a reference, weighted by `pull`. give: compliance of the equations where they contradict each other.
// Returns the largest residual of the equations before it.
double newton_step(const MovingBody& body, const std::vector<Goal>& goals,
                   const std::vector<double>& reference, double pull, double give, std::vector<double>& q);

// Raises place (m) and turn (rad) to what equations are off.
void measure_feet(const MovingBody& body, const std::vector<Goal>& goals, const std::vector<double>& q,
                  double& place, double& turn);

// Moves what is aimed at by what equations are still off.
void aim_further(const MovingBody& body, const std::vector<Goal>& goals, const std::vector<double>& q,
                 std::vector<Goal>& aims);

}  // namespace legwork::reaching
