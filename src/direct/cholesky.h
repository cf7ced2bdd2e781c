#pragma once
// Cholesky's factors of a small dense matrix, in place; plain loops, same bits everywhere.

#include <cmath>
#include <cstddef>
#include <vector>

namespace legwork {

// Cholesky, lower triangle of A (n x n).
inline void factorize(std::vector<double>& A, int n) {
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) {
      double sum = A[std::size_t(i) * n + j];
      for (int k = 0; k < j; ++k) sum -= A[std::size_t(i) * n + k] * A[std::size_t(j) * n + k];
      A[std::size_t(i) * n + j] = i == j ? std::sqrt(sum) : sum / A[std::size_t(j) * n + j];
    }
}
inline void solve_factored(const std::vector<double>& A, int n, double* x) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= A[std::size_t(i) * n + k] * x[k];
    x[i] /= A[std::size_t(i) * n + i];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) x[i] -= A[std::size_t(k) * n + i] * x[k];
    x[i] /= A[std::size_t(i) * n + i];
  }
}

}  // namespace legwork
