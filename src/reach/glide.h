#pragma once
// All frames of a stride together: what accelerates is costly, so the body glides through its events.

#include <Eigen/Core>
#include <array>
#include <vector>

#include "base/parallel.h"
#include "reach/moving_body.h"

namespace legwork::reaching {

// The ends of ranges as walls of a primal-dual interior-point method: room * push tends to mu.
class Walls {
 public:
  // Moves all frames inside, and sets the pushes that belong to mu.
  Walls(const MovingBody& body, double mu, std::vector<std::vector<double>>& q);

  // Adds to the k-th free coordinate of a frame what its walls say: to the diagonal of H d = g, and to g.
  void add(const MovingBody& body, const std::vector<double>& q, int frame, int k, double& H,
           double& g) const;
  // How much of a step d stays inside; the pushes follow it.
  double step(const MovingBody& body, const std::vector<std::vector<double>>& q, const Eigen::VectorXd& d);

  double mu = 0;

 private:
  std::array<Eigen::MatrixXd, 2> push_;  // from the lower and upper ends; frames x free coordinates
};

// One Gauss-Newton step of all frames q, towards what is aimed at and, faintly, the start. stride: m between
// the first frame and its like one stride on.
void glide(const MovingBody& body, const std::vector<std::vector<Goal>>& aims,
           const std::vector<std::vector<double>>& start, double stride, const Workers& workers, Walls& walls,
           std::vector<std::vector<double>>& q);

}  // namespace legwork::reaching
