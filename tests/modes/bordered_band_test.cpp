// Bands with a border against a dense product.

#include "modes/bordered_band.h"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "base/random.h"

namespace legwork {
namespace {

// Blocks of 3 that reach two further down, the last two in the border, and two single unknowns after them.
TEST(BorderedBand, IsSolvedAsADenseMatrixIs) {
  constexpr int blocks = 7, inner = 5, n = 3, span = 3, singles = 2, all = blocks * n + singles;
  Random random(3, 0);
  BorderedBand equations;
  equations.resize(inner, n, span, (blocks - inner) * n + singles);
  equations.clear();
  Eigen::MatrixXd K = 20 * Eigen::MatrixXd::Identity(all, all);
  equations.add_diagonal(20);
  for (int row = 0; row < blocks; ++row)
    for (int column = std::max(0, row - span + 1); column <= row; ++column) {
      Eigen::Matrix<double, n, n, Eigen::RowMajor> block;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) block(i, j) = block(j, i) = random.uniform(-1, 1);
      equations.add_block(row, column, block.data(), 0.5);
      K.block(row * n, column * n, n, n) += 0.5 * block;
      if (row == column) continue;
      equations.add_block(column, row, block.data(), 0.5);
      K.block(column * n, row * n, n, n) += 0.5 * block;
    }
  for (int single = 0; single < singles; ++single)
    for (int i = 0; i < blocks * n; ++i) {
      const double value = random.uniform(-1, 1);
      equations.add_cross(i, (blocks - inner) * n + single, value);
      K(i, blocks * n + single) += value, K(blocks * n + single, i) += value;
    }
  Eigen::VectorXd b(all);
  for (int i = 0; i < all; ++i) equations.values()[size_t(i)] = b(i) = random.uniform(-1, 1);
  ASSERT_TRUE(equations.solve());
  const Eigen::VectorXd x = Eigen::VectorXd::Map(equations.values().data(), all);
  EXPECT_LT((K * x - b).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(BorderedBand, RefusesWhatIsNotPositiveDefinite) {
  for (const int bad : {0, 1, 2}) {
    BorderedBand equations;
    equations.resize(2, 1, 2, 1);
    equations.clear();
    for (int k = 0; k < 2; ++k) {
      const double value = k == bad ? -1 : 1;
      equations.add_block(k, k, &value, 1);
    }
    equations.corner(0, 0) = bad == 2 ? -1 : 1;
    EXPECT_FALSE(equations.solve()) << bad;
  }
}

}  // namespace
}  // namespace legwork
