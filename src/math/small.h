#pragma once
// Small symmetric systems in a fixed order of sums. Eigen's order depends on how wide the machine's vectors
// are; what runs inside a simulation must not.

#include <array>
#include <cstddef>

namespace legwork {

// A symmetric, positive definite n x n matrix as L D L^T in place: reads the lower triangle of A, by rows,
// and leaves L below the diagonal and D on it.
inline void factorize(double* A, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    double* row = A + i * n;
    for (std::size_t j = 0; j <= i; ++j) {
      const double* other = A + j * n;
      double sum = row[j];
      for (std::size_t k = 0; k < j; ++k) sum -= row[k] * other[k] * A[k * n + k];
      row[j] = j < i ? sum / other[j] : sum;
    }
  }
}

// x with A x = b, in place of b.
inline void solve_factored(const double* A, std::size_t n, double* b) noexcept {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < i; ++k) b[i] -= A[i * n + k] * b[k];
  for (std::size_t i = 0; i < n; ++i) b[i] /= A[i * n + i];
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= A[k * n + i] * b[k];
}

template <std::size_t n>
using Numbers = std::array<double, n>;

// The same where the size is known.
template <std::size_t n>
class SmallCholesky {
 public:
  // Reads the lower triangle of A, by rows.
  explicit SmallCholesky(const std::array<Numbers<n>, n>& A) noexcept : L_(A) { factorize(L_[0].data(), n); }

  // x with A x = b.
  Numbers<n> solve(Numbers<n> b) const noexcept {
    solve_factored(L_[0].data(), n, b.data());
    return b;
  }

 private:
  std::array<Numbers<n>, n> L_;
};

}  // namespace legwork
