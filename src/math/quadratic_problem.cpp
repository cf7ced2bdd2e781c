#include "math/quadratic_problem.h"

#include <algorithm>
#include <cmath>

namespace legwork {

namespace {

// Sums in four lanes, the same on every machine.
double dot(const double* a, const double* b, int n) {
  typedef double Lanes __attribute__((vector_size(32)));
  Lanes sum = {0, 0, 0, 0};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    Lanes x, y;
    __builtin_memcpy(&x, a + i, sizeof x);
    __builtin_memcpy(&y, b + i, sizeof y);
    sum += x * y;
  }
  double rest = 0;
  for (; i < n; ++i) rest += a[i] * b[i];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest;
}

void add_scaled(double* y, const double* x, double s, int n) {
  for (int i = 0; i < n; ++i) y[i] += s * x[i];
}

// Rows x and w turned into each other by the angle of cosine c and sine s.
void turn(double* x, double* w, double c, double s, int n) {
  for (int i = 0; i < n; ++i) {
    const double old = x[i];
    x[i] = c * old + s * w[i];
    w[i] = c * w[i] - s * old;
  }
}

template <class V>
void grow(V& v, size_t size) {
  if (v.size() < size) v.resize(size);
}

constexpr double feasible = 1e-9;  // an inequality may be missed by this share of (1 + |bound|)

}  // namespace

void QuadraticProblem::clear(int n) {
  n_ = n, rank_ = 0;
  H_.assign(size_t(n) * n, 0);
  c_.assign(size_t(n), 0);
  equality_.clear(), value_.clear(), owner_.clear(), slack_.clear();
  inequality_.clear(), bound_.clear(), inequality_owner_.clear();
  active_.clear();
}

double* QuadraticProblem::add_equality(double value, int owner, double slack) {
  value_.push_back(value), owner_.push_back(owner), slack_.push_back(slack);
  equality_.resize(equality_.size() + size_t(n_), 0);
  return equality_.data() + equality_.size() - n_;
}

double* QuadraticProblem::add_inequality(double bound, int owner) {
  bound_.push_back(bound), inequality_owner_.push_back(owner);
  inequality_.resize(inequality_.size() + size_t(n_), 0);
  return inequality_.data() + inequality_.size() - n_;
}

void QuadraticProblem::add_cost(const double* a, double target, double weight) {
  for (int i = 0; i < n_; ++i) {
    if (a[i] == 0) continue;
    add_scaled(H_.data() + size_t(i) * n_, a, weight * a[i], i + 1);
    c_[i] += weight * target * a[i];
  }
}

void QuadraticProblem::regularize(int first, int last, double weight) {
  for (int i = first; i < last; ++i) H_[size_t(i) * n_ + i] += weight;
}

void QuadraticProblem::reflect(double* x) const {
  for (int k = 0; k < rank_; ++k) {
    const double* v = v_.data() + size_t(k) * n_;
    add_scaled(x + k, v + k, -beta_[k] * dot(v + k, x + k, n_ - k), n_ - k);
  }
}

void QuadraticProblem::reflect_back(double* x) const {
  for (int k = rank_ - 1; k >= 0; --k) {
    const double* v = v_.data() + size_t(k) * n_;
    add_scaled(x + k, v + k, -beta_[k] * dot(v + k, x + k, n_ - k), n_ - k);
  }
}

// Which of the rows kept so far make up the dependent one in row_: c' L = row_.
bool QuadraticProblem::note_clash(int row, double gap) {
  clash_ = {owner_[row], gap, {}};
  std::vector<double> c(row_.begin(), row_.begin() + rank_);
  double largest = 0;
  for (int k = rank_ - 1; k >= 0; --k) {
    const double* l = L_.data() + size_t(k) * n_;
    c[k] /= l[k];
    for (int i = 0; i < k; ++i) c[i] -= c[k] * l[i];
    largest = std::max(largest, std::abs(c[k]));
  }
  for (int k = 0; k < rank_; ++k) {
    const int who = owner_[kept_[k]];
    if (std::abs(c[k]) > 1e-6 * largest && who != owner_[row] &&
        std::find(clash_.against.begin(), clash_.against.end(), who) == clash_.against.end())
      clash_.against.push_back(who);
  }
  return false;
}

bool QuadraticProblem::eliminate() {
  const int rows = int(value_.size());
  const size_t most = size_t(std::min(rows, n_));
  grow(L_, most * n_), grow(v_, most * n_), grow(beta_, most), grow(kept_, most);
  grow(solution_, size_t(n_)), grow(row_, size_t(n_));
  for (int r = 0; r < rows; ++r) {
    const double* a = equality_.data() + size_t(r) * n_;
    std::copy(a, a + n_, row_.begin());
    const double size = std::sqrt(dot(a, a, n_));
    reflect(row_.data());
    const int k = rank_;
    const double known = dot(row_.data(), solution_.data(), k);
    const double tail = k < n_ ? std::sqrt(dot(row_.data() + k, row_.data() + k, n_ - k)) : 0;
    if (!(tail > (std::isfinite(slack_[r]) ? dependent : loosely_dependent) * size)) {
      const double gap = value_[r] - known;
      if (!(std::abs(gap) <= tolerance * (1 + std::abs(value_[r])) + slack_[r])) return note_clash(r, gap);
      if (tail > dependent * size) add_cost(a, value_[r], loose_weight);
      continue;
    }
    double* v = v_.data() + size_t(k) * n_;
    double* l = L_.data() + size_t(k) * n_;
    std::copy(row_.begin(), row_.begin() + k, l);
    std::copy(row_.begin() + k, row_.begin() + n_, v + k);
    const double pivot = v[k] > 0 ? -tail : tail;
    v[k] -= pivot;
    beta_[k] = 2 / dot(v + k, v + k, n_ - k);
    l[k] = pivot;
    solution_[k] = (value_[r] - known) / pivot;
    kept_[k] = r;
    ++rank_;
  }
  grow(y0_, size_t(n_));
  std::copy(solution_.begin(), solution_.begin() + rank_, y0_.begin());
  std::fill(y0_.begin() + rank_, y0_.begin() + n_, 0);
  reflect_back(y0_.data());
  return true;
}

// Hz = Z H Z' and gz = Z (H y0 - c) with Z the rows of Q' beyond the rank. H is turned by the reflectors from
// both sides, one after the other (Golub and Van Loan, Matrix Computations, 8.3): with p = beta H v and
// w = p - beta/2 (p v) v it becomes H - v w' - w v'. What a reflector leaves alone is not needed later.
void QuadraticProblem::reduce_cost() {
  const int f = freedom();
  grow(turned_, size_t(n_) * n_), grow(p_, size_t(n_)), grow(Hz_, size_t(f) * f), grow(gz_, size_t(f));
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j < i; ++j) H_[size_t(j) * n_ + i] = H_[size_t(i) * n_ + j];
  for (int i = 0; i < n_; ++i) p_[i] = dot(H_.data() + size_t(i) * n_, y0_.data(), n_) - c_[i];
  reflect(p_.data());
  std::copy_n(p_.begin() + rank_, f, gz_.begin());
  std::copy_n(H_.begin(), size_t(n_) * n_, turned_.begin());
  for (int k = 0; k < rank_; ++k) {
    const double* v = v_.data() + size_t(k) * n_;
    for (int i = k; i < n_; ++i) p_[i] = beta_[k] * dot(turned_.data() + size_t(i) * n_ + k, v + k, n_ - k);
    const double half = 0.5 * beta_[k] * dot(p_.data() + k, v + k, n_ - k);
    add_scaled(p_.data() + k, v + k, -half, n_ - k);
    for (int i = k + 1; i < n_; ++i) {
      double* row = turned_.data() + size_t(i) * n_ + k;
      for (int j = 0; j < n_ - k; ++j) row[j] -= v[i] * p_[k + j] + p_[i] * v[k + j];
    }
  }
  for (int j = 0; j < f; ++j)
    std::copy_n(turned_.data() + size_t(rank_ + j) * n_ + rank_, j + 1, Hz_.data() + size_t(j) * f);
}

// Inequalities in terms of z: N z + s >= 0. Their rows hold few unknowns; what each of those is in z is found
// once.
void QuadraticProblem::reduce_inequalities() {
  const int f = freedom(), rows = int(bound_.size());
  grow(N_, size_t(rows) * f), grow(s_, size_t(rows)), grow(Z_, size_t(n_) * f), grow(row_, size_t(n_));
  known_.assign(size_t(n_), 0);
  for (int i = 0; i < rows; ++i) {
    const double* a = inequality_.data() + size_t(i) * n_;
    double* normal = N_.data() + size_t(i) * f;
    std::fill(normal, normal + f, 0);
    for (int k = 0; k < n_; ++k) {
      if (a[k] == 0) continue;
      double* z = Z_.data() + size_t(k) * f;
      if (!known_[k]) {
        std::fill(row_.begin(), row_.begin() + n_, 0);
        row_[k] = 1;
        reflect(row_.data());
        std::copy_n(row_.begin() + rank_, f, z);
        known_[k] = 1;
      }
      add_scaled(normal, z, a[k], f);
    }
    s_[i] = dot(a, y0_.data(), n_) - bound_[i];
    // what the equalities have settled is no longer free to move
    if (dot(normal, normal, f) < 1e-18 * dot(a, a, n_)) std::fill(normal, normal + f, 0);
  }
}

double QuadraticProblem::slack(int i) const {
  const int f = freedom();
  return dot(N_.data() + size_t(i) * f, z_.data(), f) + s_[i];
}

// Cholesky of Hz in place, lower triangle; then L L' z = -gz.
void QuadraticProblem::find_free_optimum() {
  const int f = freedom();
  for (int j = 0; j < f; ++j) {
    double* row = Hz_.data() + size_t(j) * f;
    for (int i = 0; i < j; ++i) {
      const double* other = Hz_.data() + size_t(i) * f;
      row[i] = (row[i] - dot(row, other, i)) / other[i];
    }
    row[j] = std::sqrt(std::max({row[j] - dot(row, row, j), 1e-14 * row[j], 1e-30}));
  }
  for (int j = 0; j < f; ++j) {
    const double* row = Hz_.data() + size_t(j) * f;
    z_[j] = (-gz_[j] - dot(row, z_.data(), j)) / row[j];
  }
  for (int j = f - 1; j >= 0; --j) {
    const double* row = Hz_.data() + size_t(j) * f;
    z_[j] /= row[j];
    add_scaled(z_.data(), row, -z_[j], j);
  }
}

// J' = L^-1: row j of J_ is column j of L^-T; the first active_.size() of them span the active normals.
void QuadraticProblem::begin_active_set() {
  const int f = freedom();
  for (int j = 0; j < f; ++j) {
    double* row = J_.data() + size_t(j) * f;
    std::fill(row, row + f, 0);
    row[j] = 1 / Hz_[size_t(j) * f + j];
    for (int i = 0; i < j; ++i) {
      const double l = Hz_[size_t(j) * f + i];
      if (l != 0) add_scaled(row, J_.data() + size_t(i) * f, -l * row[j], i + 1);
    }
  }
  multiplier_.clear();
}

// The inequality that is missed by most, or -1.
int QuadraticProblem::most_violated() const {
  int p = -1;
  double worst = 0;
  for (int i = 0; i < int(bound_.size()); ++i) {
    const double v = slack(i);
    if (v < -feasible * (1 + std::abs(bound_[i])) && v < worst &&
        std::find(active_.begin(), active_.end(), i) == active_.end())
      worst = v, p = i;
  }
  return p;
}

// p becomes active with its multiplier: turns J so that d has no entries beyond the active ones.
void QuadraticProblem::activate(int p, double multiplier) {
  const int f = freedom(), m = int(active_.size());
  for (int j = f - 1; j > m; --j) {
    const double a = d_[j - 1], b = d_[j], h = std::sqrt(a * a + b * b);
    if (b == 0 || h == 0) continue;
    turn(J_.data() + size_t(j - 1) * f, J_.data() + size_t(j) * f, a / h, b / h, f);
    d_[j - 1] = h, d_[j] = 0;
  }
  for (int i = 0; i <= m; ++i) R_[size_t(i) * f + m] = d_[i];
  active_.push_back(p), multiplier_.push_back(multiplier);
}

// An active one leaves: closes the gap in R by rotations.
void QuadraticProblem::deactivate(int leaving) {
  const int f = freedom(), m = int(active_.size());
  active_.erase(active_.begin() + leaving), multiplier_.erase(multiplier_.begin() + leaving);
  for (int j = leaving; j + 1 < m; ++j)
    for (int i = 0; i <= j + 1; ++i) R_[size_t(i) * f + j] = R_[size_t(i) * f + j + 1];
  for (int j = leaving; j + 1 < m; ++j) {
    const double a = R_[size_t(j) * f + j], b = R_[size_t(j + 1) * f + j], h = std::sqrt(a * a + b * b);
    if (h == 0) continue;
    double *upper = R_.data() + size_t(j) * f, *lower = upper + f;
    turn(upper + j, lower + j, a / h, b / h, m - 1 - j);
    turn(J_.data() + size_t(j) * f, J_.data() + size_t(j + 1) * f, a / h, b / h, f);
  }
}

// Steps until p holds, others leaving the active set on the way; false where nothing can give way.
bool QuadraticProblem::meet(int p) {
  const int f = freedom();
  const double* normal = N_.data() + size_t(p) * f;
  double u = 0;
  for (;;) {
    const int m = int(active_.size());
    for (int j = 0; j < f; ++j) d_[j] = dot(J_.data() + size_t(j) * f, normal, f);
    // step in z, and in the multipliers of the active ones
    std::fill(step_.begin(), step_.begin() + f, 0);
    for (int j = m; j < f; ++j) add_scaled(step_.data(), J_.data() + size_t(j) * f, d_[j], f);
    for (int i = m - 1; i >= 0; --i) {
      r_[i] = d_[i];
      for (int j = i + 1; j < m; ++j) r_[i] -= R_[size_t(i) * f + j] * r_[j];
      r_[i] /= R_[size_t(i) * f + i];
    }
    const double along = dot(step_.data(), normal, f);
    const double violation = slack(p);
    double partial = INFINITY;
    int leaving = -1;
    for (int i = 0; i < m; ++i)
      if (r_[i] > 1e-14 && multiplier_[i] / r_[i] < partial) partial = multiplier_[i] / r_[i], leaving = i;
    double size = 0;
    for (int j = 0; j < f; ++j) size += d_[j] * d_[j];
    const bool blocked = !(along > 1e-12 * size) || m == f;
    if (blocked && leaving < 0) {
      clash_ = {inequality_owner_[p], violation, {}};
      for (int i = 0; i < m; ++i) {
        const int who = inequality_owner_[active_[i]];
        if (std::find(clash_.against.begin(), clash_.against.end(), who) == clash_.against.end())
          clash_.against.push_back(who);
      }
      return false;
    }
    const double full = blocked ? INFINITY : -violation / along;
    const double t = std::min(partial, full);
    if (!blocked) add_scaled(z_.data(), step_.data(), t, f);
    for (int i = 0; i < m; ++i) multiplier_[i] -= t * r_[i];
    u += t;
    if (t == full && full <= partial) return activate(p, u), true;
    deactivate(leaving);
  }
}

bool QuadraticProblem::minimize(double* y) {
  const int f = freedom(), rows = int(bound_.size());
  grow(z_, size_t(f)), grow(d_, size_t(f)), grow(step_, size_t(f)), grow(r_, size_t(f));
  grow(J_, size_t(f) * f), grow(R_, size_t(f) * f);
  find_free_optimum();
  reduce_inequalities();
  const int most_changes = 20 * (rows + f);
  for (int change = 0;; ++change) {
    const int p = most_violated();
    if (p < 0) {
      std::copy_n(solution_.begin(), rank_, y);
      std::copy_n(z_.begin(), f, y + rank_);
      reflect_back(y);
      return true;
    }
    if (change == 0) begin_active_set();
    if (change == most_changes) break;
    if (!meet(p)) return false;
  }
  clash_ = {-1, 0, {}};
  return false;
}

double QuadraticProblem::residual(const double* y, int owner_limit) const {
  double worst = 0;
  for (size_t r = 0; r < value_.size(); ++r)
    if (owner_[r] < owner_limit)
      worst = std::max(worst, std::abs(dot(equality_.data() + r * size_t(n_), y, n_) - value_[r]));
  return worst;
}

QuadraticOutcome QuadraticProblem::solve(double* y) {
  rank_ = 0;
  active_.clear();
  if (!eliminate()) return QuadraticOutcome::conflict;
  reduce_cost();
  return minimize(y) ? QuadraticOutcome::solved : QuadraticOutcome::infeasible;
}

}  // namespace legwork
