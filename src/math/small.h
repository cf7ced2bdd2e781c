#pragma once
// Small symmetric systems in a fixed order of sums. Eigen's order depends on how wide the machine's vectors
// are; what runs inside a simulation must not.

#include <array>
#include <cstddef>

namespace legwork {

template <std::size_t n>
using Numbers = std::array<double, n>;

// A symmetric, positive definite n x n matrix, as L D L^T.
template <std::size_t n>
class SmallCholesky {
 public:
  // Reads the lower triangle of A, by rows.
  explicit SmallCholesky(const std::array<Numbers<n>, n>& A) noexcept : L_(A) {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = L_[i][j];
        for (std::size_t k = 0; k < j; ++k) sum -= L_[i][k] * L_[j][k] * L_[k][k];
        L_[i][j] = j < i ? sum / L_[j][j] : sum;
      }
  }

  // x with A x = b.
  Numbers<n> solve(Numbers<n> b) const noexcept {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < i; ++k) b[i] -= L_[i][k] * b[k];
    for (std::size_t i = 0; i < n; ++i) b[i] /= L_[i][i];
    for (std::size_t i = n; i-- > 0;)
      for (std::size_t k = i + 1; k < n; ++k) b[i] -= L_[k][i] * b[k];
    return b;
  }

 private:
  std::array<Numbers<n>, n> L_;  // below the diagonal, D on it
};

}  // namespace legwork
