#pragma once
// Decompositions of dense matrices. Eigen's are templates that take seconds to compile: here they are
// compiled once.

#include <Eigen/Core>

#include "math/vec.h"

namespace legwork {

// x with A x = b, A symmetric: L D L^T with pivoting.
Eigen::VectorXd solve_symmetric(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

// A symmetric and positive definite, as L L^T: for several right-hand sides.
class Cholesky {
 public:
  explicit Cholesky(const Eigen::MatrixXd& A);
  Eigen::MatrixXd solve(Eigen::MatrixXd b) const;
  Eigen::VectorXd solve(Eigen::VectorXd b) const;

 private:
  Eigen::MatrixXd L_;
};

// x for which |A x - b| is least: QR with pivoting.
Eigen::VectorXd least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

// How many rows or columns are independent; a pivot below tolerance times the largest counts as zero.
int rank(const Eigen::MatrixXd& A, double tolerance);

// An orthonormal basis, in columns, of all x with A x = 0.
Eigen::MatrixXd null_space(const Eigen::MatrixXd& A, double tolerance);

// K u = lambda M u with K symmetric and M positive definite; values ascend, u^T M u = 1.
struct Eigenpairs {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
Eigenpairs eigenpairs(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M);

// Principal moments of an inertia, descending, and its axes as columns of a rotation.
struct Principal {
  Vec3d moments;
  Mat3d axes;
};
Principal principal(const Sym3d& inertia);

}  // namespace legwork
