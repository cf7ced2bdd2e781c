// Decompositions against what they must give back.

#include "math/dense.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace legwork {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_matrix(int rows, int columns, Random& random) {
  MatrixXd A(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < columns; ++k) A(i, k) = random.uniform(-1, 1);
  return A;
}

TEST(Dense, SolvesSymmetricSystems) {
  Random random(1);
  const MatrixXd R = random_matrix(7, 7, random), definite = R * R.transpose() + MatrixXd::Identity(7, 7);
  const MatrixXd B = random_matrix(7, 3, random), indefinite = R + R.transpose();
  EXPECT_LT((definite * Cholesky(definite).solve(B) - B).norm(), 1e-12);
  const VectorXd b = B.col(0);
  EXPECT_LT((definite * Cholesky(definite).solve(b) - b).norm(), 1e-12);
  EXPECT_LT((indefinite * solve_symmetric(indefinite, b) - b).norm(), 1e-11);
}

TEST(Dense, LeastSquaresLeaveARestNormalToTheColumns) {
  Random random(2);
  const MatrixXd A = random_matrix(9, 4, random);
  const VectorXd b = random_matrix(9, 1, random);
  const VectorXd rest = b - A * least_squares(A, b);
  EXPECT_GT(rest.norm(), 0.1);
  EXPECT_LT((A.transpose() * rest).norm(), 1e-12);
}

TEST(Dense, NullSpaceIsWhatTheRowsDoNotSee) {
  Random random(3);
  MatrixXd A = random_matrix(4, 7, random);
  A.row(3) = 2 * A.row(0) - A.row(1);  // follows from others
  EXPECT_EQ(rank(A, 1e-9), 3);
  const MatrixXd N = null_space(A, 1e-9);
  ASSERT_EQ(N.cols(), 4);
  EXPECT_LT((A * N).norm(), 1e-12);
  EXPECT_LT((N.transpose() * N - MatrixXd::Identity(4, 4)).norm(), 1e-12);
  EXPECT_EQ(null_space(MatrixXd(0, 5), 1e-9), MatrixXd::Identity(5, 5));
}

TEST(Dense, EigenpairsSatisfyTheirEquation) {
  Random random(4);
  const MatrixXd R = random_matrix(6, 6, random), S = random_matrix(6, 6, random);
  const MatrixXd K = R + R.transpose(), M = S * S.transpose() + MatrixXd::Identity(6, 6);
  const auto [values, vectors] = eigenpairs(K, M);
  EXPECT_LT((K * vectors - M * vectors * values.asDiagonal()).norm(), 1e-11);
  EXPECT_LT((vectors.transpose() * M * vectors - MatrixXd::Identity(6, 6)).norm(), 1e-11);
  for (int i = 1; i < 6; ++i) EXPECT_LE(values[i - 1], values[i]);
}

TEST(Dense, PrincipalAxesTurnAnInertiaToItsMoments) {
  const Quatd turn = normalized(Quatd{0.3, -0.5, 0.7, 0.2});
  const Sym3d inertia = rotate(matrix(turn), Sym3d::diagonal(2, 5, 4));
  const auto [moments, axes] = principal(inertia);
  EXPECT_LT(norm(moments - Vec3d(5, 4, 2)), 1e-12);
  const Sym3d back = rotate(axes, Sym3d::diagonal(moments.x, moments.y, moments.z));
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(back(i, k), inertia(i, k), 1e-12);
  EXPECT_NEAR(dot(cross(axes * Vec3d(1, 0, 0), axes * Vec3d(0, 1, 0)), axes * Vec3d(0, 0, 1)), 1, 1e-12);
}

}  // namespace
}  // namespace legwork
