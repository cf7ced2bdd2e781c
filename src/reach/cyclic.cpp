#include "reach/cyclic.h"

#include <cassert>

#include "math/dense.h"

namespace legwork::reaching {

Eigen::VectorXd solve(Ring& ring, Eigen::VectorXd b) {
  const int m = int(ring.at.size()), last = m - 1;
  assert(m >= 3);
  const Eigen::Index n = ring.at[0].rows();
  const auto part = [&](int k) { return b.segment(k * n, n); };
  std::vector<Cholesky> factor;
  std::vector<Eigen::MatrixXd> border(static_cast<size_t>(last));  // from block k to the last
  border[0] = ring.next[size_t(last)].transpose();
  for (int k = 1; k < last; ++k) border[size_t(k)] = Eigen::MatrixXd::Zero(n, n);
  border[size_t(last - 1)] += ring.next[size_t(last - 1)];

  for (int k = 0; k < last; ++k) {
    const size_t i = size_t(k);
    factor.emplace_back(ring.at[i]);
    const Eigen::MatrixXd W = factor[i].solve(border[i]);
    const Eigen::VectorXd y = factor[i].solve(Eigen::VectorXd(part(k)));
    ring.at[size_t(last)].noalias() -= border[i].transpose() * W;
    part(last).noalias() -= border[i].transpose() * y;
    if (k + 1 == last) continue;
    const Eigen::MatrixXd& E = ring.next[i];
    ring.at[i + 1].noalias() -= E.transpose() * factor[i].solve(E);
    border[i + 1].noalias() -= E.transpose() * W;
    part(k + 1).noalias() -= E.transpose() * y;
  }
  part(last) = Cholesky(ring.at[size_t(last)]).solve(Eigen::VectorXd(part(last)));
  for (int k = last - 1; k >= 0; --k) {
    Eigen::VectorXd r = part(k) - border[size_t(k)] * part(last);
    if (k + 1 < last) r.noalias() -= ring.next[size_t(k)] * part(k + 1);
    part(k) = factor[size_t(k)].solve(r);
  }
  return b;
}

}  // namespace legwork::reaching
