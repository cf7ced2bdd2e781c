#include "math/dense.h"

#include <Eigen/Dense>

namespace legwork {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

Eigen::ColPivHouseholderQR<MatrixXd> pivoted_qr(const MatrixXd& A, double tolerance) {
  Eigen::ColPivHouseholderQR<MatrixXd> qr(A);
  qr.setThreshold(tolerance);
  return qr;
}

}  // namespace

VectorXd solve_symmetric(const MatrixXd& A, const VectorXd& b) { return A.ldlt().solve(b); }

Cholesky::Cholesky(const MatrixXd& A) : L_(A.llt().matrixL()) {}

MatrixXd Cholesky::solve(MatrixXd b) const {
  L_.triangularView<Eigen::Lower>().solveInPlace(b);
  L_.transpose().triangularView<Eigen::Upper>().solveInPlace(b);
  return b;
}

VectorXd Cholesky::solve(VectorXd b) const {
  L_.triangularView<Eigen::Lower>().solveInPlace(b);
  L_.transpose().triangularView<Eigen::Upper>().solveInPlace(b);
  return b;
}

VectorXd least_squares(const MatrixXd& A, const VectorXd& b) { return A.colPivHouseholderQr().solve(b); }

int rank(const MatrixXd& A, double tolerance) { return int(pivoted_qr(A, tolerance).rank()); }

MatrixXd null_space(const MatrixXd& A, double tolerance) {
  const Eigen::Index n = A.cols();
  if (A.rows() == 0) return MatrixXd::Identity(n, n);
  const auto qr = pivoted_qr(A.transpose(), tolerance);
  const MatrixXd Q = qr.householderQ();
  return Q.rightCols(n - qr.rank());
}

Eigenpairs eigenpairs(const MatrixXd& K, const MatrixXd& M) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(K, M);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Principal principal(const Sym3d& inertia) {
  Eigen::Matrix3d m;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m(i, j) = inertia(i, j);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(m);
  Principal found;
  Vec3d columns[3];
  for (int i = 0; i < 3; ++i) {
    found.moments[i] = solver.eigenvalues()[2 - i];
    const auto column = solver.eigenvectors().col(2 - i);
    columns[i] = {column[0], column[1], column[2]};
  }
  found.axes = Mat3d::columns(columns[0], columns[1], cross(columns[0], columns[1]));
  return found;
}

}  // namespace legwork
