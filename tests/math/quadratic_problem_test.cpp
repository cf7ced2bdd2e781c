#include "math/quadratic_problem.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "base/random.h"
#include "math/vec.h"

namespace legwork {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

struct Case {
  Matrix C, E, G;  // cost |C y - d|^2 / 2, E y = e, G y >= g
  Vector d, e, g;
};

Matrix random_matrix(Random& random, int rows, int columns) {
  Matrix m(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) m(i, j) = random.uniform(-1, 1);
  return m;
}

// Inequalities that one point fulfils, so that there is a solution.
Case random_case(unsigned seed, int n, int equalities, int inequalities) {
  Random random(seed, 0);
  Case c;
  c.C = random_matrix(random, n, n), c.E = random_matrix(random, equalities, n);
  c.G = random_matrix(random, inequalities, n);
  c.d = 3 * random_matrix(random, n, 1), c.e = random_matrix(random, equalities, 1);
  const Vector point = c.E.completeOrthogonalDecomposition().solve(c.e);
  c.g = c.G * point - 0.1 * random_matrix(random, inequalities, 1).cwiseAbs();
  return c;
}

void fill(const Case& c, QuadraticProblem& p) {
  p.clear(int(c.C.cols()));
  for (int i = 0; i < c.E.rows(); ++i) Vector::Map(p.add_equality(c.e[i], i), c.E.cols()) = c.E.row(i);
  for (int i = 0; i < c.G.rows(); ++i)
    Vector::Map(p.add_inequality(c.g[i], 100 + i), c.G.cols()) = c.G.row(i);
  for (int i = 0; i < c.C.rows(); ++i) {
    const Vector row = c.C.row(i);
    p.add_cost(row.data(), c.d[i], 1);
  }
}

// Optimal exactly when the gradient is made of equality rows and of inequality rows that are met with
// equality and push the right way (Karush, Kuhn, Tucker).
TEST(QuadraticProblem, SolutionsFulfilTheConditionsOfOptimality) {
  QuadraticProblem p;
  int with_active = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const int n = 4 + int(seed % 17), equalities = int(seed % 4), inequalities = int(seed % 23);
    const Case c = random_case(seed, n, equalities, inequalities);
    fill(c, p);
    Vector y(n);
    ASSERT_EQ(p.solve(y.data()), QuadraticOutcome::solved);
    ASSERT_LT((c.E * y - c.e).cwiseAbs().sum(), 1e-10);
    const Vector slack = c.G * y - c.g;
    Matrix normals(n, 0);
    normals = c.E.transpose();
    std::vector<int> active;
    for (int i = 0; i < slack.size(); ++i) {
      ASSERT_GT(slack[i], -1e-7);
      if (slack[i] > 1e-7) continue;
      active.push_back(i);
      normals.conservativeResize(n, normals.cols() + 1);
      normals.col(normals.cols() - 1) = c.G.row(i);
    }
    with_active += !active.empty();
    const Vector gradient = c.C.transpose() * (c.C * y - c.d);
    if (normals.cols() == 0) {
      ASSERT_LT(gradient.norm(), 1e-8);
      continue;
    }
    const Vector multipliers = normals.completeOrthogonalDecomposition().solve(gradient);
    ASSERT_LT((normals * multipliers - gradient).norm(), 1e-7);
    for (size_t i = 0; i < active.size(); ++i) ASSERT_GT(multipliers[equalities + int(i)], -1e-6);
  }
  EXPECT_GT(with_active, 100);
}

TEST(QuadraticProblem, NamesTheRowsThatContradictEachOther) {
  QuadraticProblem p;
  p.clear(3);
  p.add_equality(1, 7)[0] = 1;
  p.add_equality(2, 8)[1] = 1;
  p.add_equality(5, 9)[2] = 1;
  double* sum = p.add_equality(3.5, 10);
  sum[0] = sum[1] = 1;
  p.regularize(0, 3, 1);
  double y[3];
  ASSERT_EQ(p.solve(y), QuadraticOutcome::conflict);
  EXPECT_EQ(p.clash().owner, 10);
  EXPECT_NEAR(p.clash().gap, 0.5, 1e-14);
  EXPECT_EQ(p.clash().against, (std::vector<int>{7, 8}));
}

TEST(QuadraticProblem, RedundantRowsThatAgreeDoNoHarm) {
  QuadraticProblem p;
  p.clear(2);
  p.add_equality(1, 0)[0] = 1;
  p.add_equality(2, 1)[0] = 2;
  p.regularize(0, 2, 1);
  double y[2];
  ASSERT_EQ(p.solve(y), QuadraticOutcome::solved);
  EXPECT_EQ(p.rank(), 1);
  EXPECT_NEAR(y[0], 1, 1e-15);
  EXPECT_NEAR(y[1], 0, 1e-15);
}

// y0 = 0 and y0 + e y1 = 1 hold together only with y1 = 1 / e. As a cost w (y0 + e y1 - 1)^2 beside r y1^2
// the second leaves y1 = w e / (w e^2 + r).
TEST(QuadraticProblem, ARowThatWouldTakeAHugeUnknownJoinsTheCost) {
  const double e = 1e-6, w = 1000, r = 1e-3;
  for (const double loose : {1e-9, 1e-4}) {
    QuadraticProblem p;
    p.loosely_dependent = loose, p.loose_weight = w;
    p.clear(2);
    p.add_equality(0, 0)[0] = 1;
    double* row = p.add_equality(1, 1, INFINITY);
    row[0] = 1, row[1] = e;
    p.regularize(0, 2, r);
    double y[2];
    ASSERT_EQ(p.solve(y), QuadraticOutcome::solved);
    const double soft = w * e / (w * e * e + r);
    EXPECT_NEAR(y[1], loose > e ? soft : 1 / e, 1e-9 / e);
    EXPECT_NEAR(y[0], 0, 1e-12);
  }
}

TEST(QuadraticProblem, SaysWhichInequalityCannotBeMet) {
  QuadraticProblem p;
  p.clear(1);
  p.add_inequality(1, 3)[0] = 1;     // y >= 1
  p.add_inequality(0.5, 4)[0] = -1;  // y <= -0.5
  p.regularize(0, 1, 1);
  double y[1];
  ASSERT_EQ(p.solve(y), QuadraticOutcome::infeasible);
  EXPECT_TRUE(p.clash().owner == 3 || p.clash().owner == 4);
}

}  // namespace
}  // namespace legwork
