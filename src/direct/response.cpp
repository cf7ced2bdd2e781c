// What torques do on rigid ground: accelerations under f >= 0, a >= 0, f a = 0 and Coulomb's friction,
// whatever the equations assumed.

#include <algorithm>
#include <cmath>

#include "direct/director.h"
#include "dynamics/dynamics.h"
#include "math/small.h"

namespace legwork {

bool Director::agrees_with_physics() const {
  if (slides_) return false;
  if (!overlooked_) return true;
  const int nv = system_.model.nv;
  for (size_t i = 0; i < constraints_.size(); ++i) {
    const Constraint& c = constraints_[i];
    if (c.touch < 0 || usable_[size_t(c.touch)] || (i > 0 && constraints_[i - 1].touch == c.touch)) continue;
    double a = 0;
    for (int j = 0; j < nv; ++j) a += Jc_[i * nv + j] * qdd_[size_t(j)];
    if (a < c.wanted - 1e-9 * (1 + std::abs(c.wanted))) return false;
  }
  return true;
}

// Every row (nv numbers) becomes (M + firmness)^-1 times it.
void Director::respond(std::vector<double>& rows) {
  const int nv = system_.model.nv;
  factor_ = M_;
  for (int j = 0; j < nv; ++j) factor_[size_t(j) * nv + j] += firm_[size_t(j)];
  factorize(factor_.data(), size_t(nv));
  for (size_t i = 0; i + size_t(nv) <= rows.size(); i += size_t(nv))
    solve_factored(factor_.data(), size_t(nv), rows.data() + i);
}

// qdd without constraints: M qdd + h = tau + firmness (meant - qdd).
void Director::free_acceleration() {
  for (size_t j = 0; j < qdd_.size(); ++j) qdd_[j] = tau_[j] + firm_[j] * meant_[j] - h_[j];
  respond(qdd_);
}

void Director::resist(const std::vector<double>& qdd) {
  for (size_t j = 0; j < qdd.size(); ++j) tau_[j] += firm_[j] * (meant_[j] - qdd[j]);
}

// Loops and holds come before touches.
int Director::two_sided_rows() const {
  int rows = 0;
  while (rows < int(constraints_.size()) && constraints_[size_t(rows)].touch < 0) ++rows;
  return rows;
}

// The constraints' rows answering one another's forces, A = J (M + firmness)^-1 J', with everything else to
// be filled in.
ContactProblem& Director::begin_contact_problem() {
  const int nv = system_.model.nv, nc = int(constraints_.size());
  ContactProblem& p = contact_problem_;
  p.resize(two_sided_rows(), int(contacts_.touches.size()));
  response_ = Jc_;
  respond(response_);
  for (int i = 0; i < nc; ++i)
    for (int k = 0; k < nc; ++k)
      for (int j = 0; j < nv; ++j)
        p.A[size_t(i) * nc + k] += Jc_[size_t(i) * nv + j] * response_[size_t(k) * nv + j];
  for (double& mu : p.mu) mu = system_.contacts.options.friction;
  return p;
}

// qdd and lambda that the torques give; two-sided rows are loops and holds.
void Director::physics() {
  const int nv = system_.model.nv, nc = int(constraints_.size());
  const int two_sided = two_sided_rows();
  free_acceleration();
  ContactProblem& p = begin_contact_problem();
  for (int i = 0; i < nc; ++i) {
    const double* J = Jc_.data() + size_t(i) * nv;
    p.b[size_t(i)] = -constraints_[size_t(i)].wanted;
    for (int j = 0; j < nv; ++j) p.b[size_t(i)] += J[j] * qdd_[size_t(j)];
  }
  for (size_t i = 0; i < contacts_.touches.size(); ++i) {
    const Touch& t = contacts_.touches[i];
    const double a = dot(t.slip, t.tangent[0]), b = dot(t.slip, t.tangent[1]), s = std::sqrt(a * a + b * b);
    p.sliding[i] = s > still * units_.time;
    if (p.sliding[i]) p.slide[2 * i] = a / s, p.slide[2 * i + 1] = b / s;
  }
  if (int(lambda_.size()) == nc) p.f = lambda_;
  double size = 0;
  for (const double b : p.b) size = std::max(size, std::abs(b));
  // touches wedged against each other: the convex problem, whose forces are bounded by what they stop
  if (!(solve_contacts(p, scratch_) < 1e-3 * (1 + size))) {
    wanted_.clear();
    for (const Constraint& c : constraints_) wanted_.push_back(c.wanted);
    if (push_apart_convex(two_sided, qdd_)) return resist(qdd_);
  }
  lambda_ = p.f;
  for (int i = 0; i < nc; ++i)
    for (int j = 0; j < nv; ++j) qdd_[size_t(j)] += response_[size_t(i) * nv + j] * lambda_[size_t(i)];
  resist(qdd_);
}

}  // namespace legwork
