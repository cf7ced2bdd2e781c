#pragma once
// Symmetric positive definite equations whose matrix is a band of blocks with a border: what a spline's
// neighbouring knots have to do with each other, and, in the border, what has to do with all of them.

#include <cstddef>
#include <vector>

namespace legwork {

class BorderedBand {
 public:
  // A band of `blocks` blocks of `size` unknowns each, a block reaching `span` blocks down from its own on;
  // then `border` single unknowns.
  void resize(int blocks, int size, int span, int border);
  void clear();

  // Adds scale times a block (size x size, symmetric) at a row and a column of blocks, the border's counted
  // on. Every pair is to come both ways.
  void add_block(int row, int column, const double* block, double scale);
  // Adds to the entries of a border's unknown and any other, counted over all; once for both ways.
  void add_cross(int unknown, int border, double value);
  double& corner(int i, int j) { return corner_[size_t(i * border_ + j)]; }
  void add_diagonal(double value);

  int border() const { return border_; }
  int first_border() const { return inner_ * size_; }
  // The right side, then the answer.
  std::vector<double>& values() { return values_; }

  // By Cholesky's factors; the matrix is gone after. False where it is not positive definite.
  bool solve();

 private:
  bool factor_band();
  bool factor_corner();
  void substitute_back();

  int inner_ = 0, size_ = 0, width_ = 0, border_ = 0;
  std::vector<double> band_;    // lower half, column by column, width_ of each
  std::vector<double> edge_;    // border rows, column by column of the band
  std::vector<double> corner_;  // border x border
  std::vector<double> values_;
};

}  // namespace legwork
