// Cyclic block systems against a dense solver.

#include "reach/cyclic.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "base/random.h"
#include "math/vec.h"

namespace legwork::reaching {
namespace {

TEST(Ring, IsSolvedAsADenseMatrixIs) {
  for (const int blocks : {3, 4, 9}) {
    constexpr int n = 4;
    Random random(7, std::uint64_t(blocks));
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(blocks * n, blocks * n);
    Eigen::VectorXd b(blocks * n);
    Ring ring;
    for (int k = 0; k < blocks; ++k) {
      Eigen::MatrixXd E(n, n), D(n, n);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) E(i, j) = random.uniform(-1, 1), D(i, j) = random.uniform(-1, 1);
      D = (D * D.transpose() + 10 * Eigen::MatrixXd::Identity(n, n)).eval();
      const int next = (k + 1) % blocks;
      K.block(k * n, k * n, n, n) += D;
      K.block(k * n, next * n, n, n) += E;
      K.block(next * n, k * n, n, n) += E.transpose();
      ring.at.push_back(D), ring.next.push_back(E);
    }
    for (int i = 0; i < b.size(); ++i) b(i) = random.uniform(-1, 1);
    const Eigen::VectorXd x = solve(ring, b);
    EXPECT_LT((K * x - b).cwiseAbs().maxCoeff(), 1e-12) << blocks;
  }
}

}  // namespace
}  // namespace legwork::reaching
