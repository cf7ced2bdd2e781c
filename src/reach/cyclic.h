#pragma once
// Symmetric positive definite systems of blocks on a ring: what a periodic motion's frames make, each of them
// coupled to its neighbours only.

#include <Eigen/Core>
#include <vector>

namespace legwork::reaching {

struct Ring {
  std::vector<Eigen::MatrixXd> at;    // blocks of the diagonal; at least three
  std::vector<Eigen::MatrixXd> next;  // from block k (rows) to k + 1 (columns); the last leads to the first
};

// x with K x = b, by block elimination with the last block as a border; uses up the ring. b holds the blocks'
// parts one after another.
Eigen::VectorXd solve(Ring& ring, Eigen::VectorXd b);

}  // namespace legwork::reaching
