#include "modes/bordered_band.h"

#include <algorithm>
#include <cmath>

namespace legwork {

void BorderedBand::resize(int blocks, int size, int span, int border) {
  inner_ = blocks, size_ = size, width_ = span * size, border_ = border;
  band_.resize(size_t(inner_ * size_ * width_)), edge_.resize(size_t(inner_ * size_ * border_));
  corner_.resize(size_t(border_ * border_)), values_.resize(size_t(inner_ * size_ + border_));
}

void BorderedBand::clear() {
  for (std::vector<double>* part : {&band_, &edge_, &corner_, &values_})
    std::fill(part->begin(), part->end(), 0);
}

void BorderedBand::add_block(int row, int column, const double* block, double scale) {
  const int n = size_;
  if (row < inner_ && column < inner_) {
    if (row < column) return;
    for (int j = 0; j < n; ++j)
      for (int i = row == column ? j : 0; i < n; ++i) {
        const int at = column * n + j, down = (row - column) * n + i - j;
        band_[size_t(at * width_ + down)] += scale * block[i * n + j];
      }
  } else if (row >= inner_) {
    std::vector<double>& part = column < inner_ ? edge_ : corner_;
    const int from = column < inner_ ? column : column - inner_;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        part[size_t((from * n + j) * border_ + (row - inner_) * n + i)] += scale * block[i * n + j];
  }
}

void BorderedBand::add_cross(int unknown, int border, double value) {
  const int row = unknown - first_border();
  if (row < 0) {
    edge_[size_t(unknown * border_ + border)] += value;
  } else {
    corner(row, border) += value;
    corner(border, row) += value;
  }
}

void BorderedBand::add_diagonal(double value) {
  for (int i = 0; i < first_border(); ++i) band_[size_t(i * width_)] += value;
  for (int i = 0; i < border_; ++i) corner(i, i) += value;
}

bool BorderedBand::solve() {
  if (!factor_band() || !factor_corner()) return false;
  substitute_back();
  return true;
}

// Column after column; the border and the right side go along.
bool BorderedBand::factor_band() {
  const int n = first_border(), w = width_, b = border_;
  for (int j = 0; j < n; ++j) {
    double* column = &band_[size_t(j * w)];
    if (!(column[0] > 0)) return false;
    const double root = std::sqrt(column[0]);
    const int last = std::min(w, n - j);
    for (int i = 0; i < last; ++i) column[i] /= root;
    double* own = edge_.data() + size_t(j * b);
    for (int i = 0; i < b; ++i) own[i] /= root;
    const double right = values_[size_t(j)] / root;
    values_[size_t(j)] = right;
    for (int k = 1; k < last; ++k) {
      const double f = column[k];
      if (f == 0) continue;
      double* __restrict other = column + size_t(k * w), * __restrict beside = own + size_t(k * b);
      const double* __restrict from = column + k;
      for (int i = 0; i < last - k; ++i) other[i] -= f * from[i];
      for (int i = 0; i < b; ++i) beside[i] -= f * own[i];
      values_[size_t(j + k)] -= f * right;
    }
    // only the lower half of the corner is needed
    for (int i = 0; i < b; ++i) {
      const double f = own[i];
      if (f == 0) continue;
      values_[size_t(n + i)] -= f * right;
      double* __restrict rest = corner_.data() + size_t(i * b);
      for (int k = i; k < b; ++k) rest[k] -= f * own[k];
    }
  }
  return true;
}

bool BorderedBand::factor_corner() {
  const int n = first_border(), b = border_;
  for (int j = 0; j < b; ++j) {
    if (!(corner(j, j) > 0)) return false;
    const double root = std::sqrt(corner(j, j));
    for (int i = j; i < b; ++i) corner(j, i) /= root;
    for (int k = j + 1; k < b; ++k)
      for (int i = k; i < b; ++i) corner(k, i) -= corner(j, k) * corner(j, i);
    double& y = values_[size_t(n + j)];
    y /= corner(j, j);
    for (int i = j + 1; i < b; ++i) values_[size_t(n + i)] -= corner(j, i) * y;
  }
  return true;
}

void BorderedBand::substitute_back() {
  const int n = first_border(), w = width_, b = border_;
  for (int j = b - 1; j >= 0; --j) {
    double& y = values_[size_t(n + j)];
    for (int i = j + 1; i < b; ++i) y -= corner(j, i) * values_[size_t(n + i)];
    y /= corner(j, j);
  }
  for (int j = n - 1; j >= 0; --j) {
    double& y = values_[size_t(j)];
    const int last = std::min(w, n - j);
    for (int i = 0; i < b; ++i) y -= edge_[size_t(j * b + i)] * values_[size_t(n + i)];
    for (int i = 1; i < last; ++i) y -= band_[size_t(j * w + i)] * values_[size_t(j + i)];
    y /= band_[size_t(j * w)];
  }
}

}  // namespace legwork
