#pragma once
// A small dense quadratic problem:
//
//   minimise  1/2 y'Hy - c'y   subject to  rows of equality  a y = b  and of inequality  a y >= b
//
// Equalities are eliminated in the order in which they were added by Householder reflections from the right
// (A = L Q'), so that an earlier row always counts more than a later one: a later row that depends on earlier
// ones either agrees with them and is redundant, or is in conflict with exactly those it depends on. What
// they leave free, y = y0 + Z z, is found from the cost by Cholesky; inequalities by the dual active-set
// method of Goldfarb and Idnani (Mathematical Programming 27, 1983), which starts at the free optimum and so
// costs nothing while no inequality is in the way.
//
// Plain loops in a fixed order: same bits everywhere. Memory grows to the largest problem seen and stays.

#include <vector>

namespace legwork {

enum class QuadraticOutcome { solved, conflict, infeasible };

class QuadraticProblem {
 public:
  // Starts anew with n unknowns, no rows and no cost.
  void clear(int n);
  int unknowns() const { return n_; }

  // A row of zeros, for the caller to fill before the next call; owner names it in conflicts. A row that
  // depends on earlier ones may miss its value by `slack`, and is then left out.
  double* add_equality(double value, int owner, double slack = 0);
  double* add_inequality(double bound, int owner);
  // weight (a y - target)^2 / 2
  void add_cost(const double* a, double target, double weight);
  // The Hessian's lower triangle (row-major) and the linear term, for callers that know their structure.
  double* hessian() { return H_.data(); }
  double* linear() { return c_.data(); }
  // The same small weight on unknowns [first, last), so that the cost has one minimum.
  void regularize(int first, int last, double weight);

  QuadraticOutcome solve(double* y);
  // Largest amount by which y misses an equality whose owner is below the limit.
  double residual(const double* y, int owner_limit) const;

  int rank() const { return rank_; }                  // independent equalities
  int freedom() const { return n_ - rank_; }          // what was left to the cost
  int active() const { return int(active_.size()); }  // inequalities that stand in the way
  // How hard the k-th of them pushes (the multiplier of its row), and which row it is.
  double push(int k) const { return multiplier_[std::size_t(k)]; }
  int pushing_row(int k) const { return active_[std::size_t(k)]; }

  // After a conflict: the row that could not hold, by how much it misses, and the owners of those that stand
  // against it. After infeasible: the inequality that could not be met, and by how much at the last try.
  struct Clash {
    int owner = -1;
    double gap = 0;
    std::vector<int> against;
  };
  const Clash& clash() const { return clash_; }

  // A row counts as dependent when less than this share of it is new.
  double dependent = 1e-9;
  // The same of a row that may miss its value by anything: what it asks beyond the others would take large
  // unknowns, so that it joins the cost with this weight.
  double loosely_dependent = 1e-9, loose_weight = 0;
  // A dependent row may miss its value by this share of (1 + |value|).
  double tolerance = 1e-7;

 private:
  bool eliminate();
  bool note_clash(int row, double gap);
  void reduce_cost();
  void reduce_inequalities();
  bool minimize(double* y);
  void find_free_optimum();
  void begin_active_set();
  int most_violated() const;
  bool meet(int p);
  void activate(int p, double multiplier);
  void deactivate(int leaving);
  void reflect(double* x) const;       // x := Q' x
  void reflect_back(double* x) const;  // x := Q x
  double slack(int i) const;

  int n_ = 0, rank_ = 0;
  std::vector<double> H_, c_;
  std::vector<double> equality_, value_, slack_, inequality_, bound_;
  std::vector<int> owner_, inequality_owner_;
  // LQ: row k of L in the first k + 1 entries, reflector k in v_
  std::vector<double> L_, v_, beta_, solution_, row_;
  std::vector<int> kept_;
  std::vector<double> y0_, Z_, turned_, p_, Hz_, gz_, z_;
  std::vector<char> known_;
  // the active set
  std::vector<double> N_, s_, J_, R_, d_, step_, r_, multiplier_;
  std::vector<int> active_;
  Clash clash_;
};

}  // namespace legwork
