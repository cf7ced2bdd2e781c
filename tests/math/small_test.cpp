// Small systems against what they must give back.

#include "math/small.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace legwork {
namespace {

TEST(Small, SolvesDefiniteSystems) {
  Random random(7);
  std::array<Numbers<6>, 6> R, A{};
  Numbers<6> b;
  for (size_t i = 0; i < 6; ++i) {
    b[i] = random.uniform(-1, 1);
    for (size_t j = 0; j < 6; ++j) R[i][j] = random.uniform(-1, 1);
  }
  for (size_t i = 0; i < 6; ++i)
    for (size_t j = 0; j < 6; ++j) {
      A[i][j] = i == j ? 0.1 : 0;
      for (size_t k = 0; k < 6; ++k) A[i][j] += R[i][k] * R[j][k];
    }
  const Numbers<6> x = SmallCholesky<6>(A).solve(b);
  for (size_t i = 0; i < 6; ++i) {
    double sum = 0;
    for (size_t j = 0; j < 6; ++j) sum += A[i][j] * x[j];
    EXPECT_NEAR(sum, b[i], 1e-12);
  }
}

}  // namespace
}  // namespace legwork
