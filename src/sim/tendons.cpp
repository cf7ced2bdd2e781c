#include "sim/tendons.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "creature/gravity.h"
#include "sim/record.h"

namespace legwork {

namespace {

constexpr double sag_share = 0.02;
constexpr double limit_damping_ratio = 0.5;

// Degrees of freedom above the points, in order.
std::vector<int> dofs_above(const Model<double>& m, const Tendon& tendon) {
  std::vector<char> above(std::size_t(m.nlink), 0);
  for (const TendonPoint& p : tendon.points)
    for (int link = p.link; link >= 0; link = m.parent[std::size_t(link)]) above[std::size_t(link)] = 1;
  std::vector<int> dofs;
  for (int b = 0; b < m.nlink; ++b)
    if (above[std::size_t(b)])
      for (int j = m.dof_begin[std::size_t(b)]; j < m.dof_begin[std::size_t(b) + 1]; ++j) dofs.push_back(j);
  return dofs;
}

// What the joints feel of a unit force in a direction at a point of a link.
template <class T>
void add_pull(const Model<T>& m, const Workspace<T>& w, int link, const Vec3<T>& pos,
              const Vec3<T>& direction, T* J) noexcept {
  if (link < 0) return;
  Wrench<T> f{cross(w.R[link] * pos, direction), direction};
  for (int b = link; b >= 0; b = m.parent[b]) {
    for (int j = m.dof_begin[b]; j < m.dof_begin[b + 1]; ++j) J[j] += dot(w.S[j], f);
    f = shift_back(f, w.r[b]);
  }
}

template <class T>
void follow_points(const TendonUnit<T>& t, const Model<T>& m, const Workspace<T>& w, T& length, T& rate,
                   T* J) noexcept {
  for (int j = 0; j < m.nv; ++j) J[j] = T(0);
  length = rate = T(0);
  for (std::size_t i = 1; i < t.points.size(); ++i) {
    const auto &a = t.points[i - 1], &b = t.points[i];
    if (b.starts) continue;
    const auto at = [&](const auto& p) { return p.link < 0 ? p.pos : point_position(w, p.link, p.pos); };
    const auto speed = [&](const auto& p) {
      return p.link < 0 ? Vec3<T>() : point_velocity(w, p.link, p.pos);
    };
    const Vec3<T> d = at(b) - at(a);
    const T way = norm(d), share = T(1) / b.divisor;
    const Vec3<T> direction = d * (share / max(way, T(1e-12)));
    length += way * share;
    rate += dot(direction, speed(b) - speed(a));
    add_pull(m, w, b.link, b.pos, direction, J);
    add_pull(m, w, a.link, a.pos, -direction, J);
  }
}

// The inertia that a tendon moves in the reference pose: 1 / (J M^-1 J^T).
double inertia_of(const Creature& creature, const Model<double>& m, Tendons<double>& tendons,
                  std::size_t index) {
  Workspace<double> w(m);
  const std::vector<double> q = creature.pose("");
  std::vector<double> still(std::size_t(m.nv), 0.0), J(std::size_t(m.nv), 0.0), y(std::size_t(m.nv), 0.0);
  update_positions(m, q.data(), w);
  update_velocities(m, q.data(), still.data(), w);
  clear_forces(m, w);
  forward_dynamics(m, still.data(), w, y.data());
  TendonState<double> s;
  s.size(tendons, m);
  update_tendons(tendons, m, still.data(), still.data(), w, s);
  const TendonUnit<double>& t = tendons[index];
  for (std::size_t k = 0; k < t.dof.size(); ++k)
    J[std::size_t(t.dof[k])] = s.factor[std::size_t(t.first) + k];
  solve_mass_matrix(m, w, J.data(), y.data());
  double response = 0;
  for (std::size_t j = 0; j < J.size(); ++j) response += J[j] * y[j];
  return response > 0 ? 1 / response : 0;
}

// The fields that differ between lanes, in one order.
template <class T, class Visit>
void for_each_parameter(TendonUnit<T>& t, Visit visit) {
  for (T& f : t.factor) visit(f);
  for (auto& p : t.points) visit(p.pos.x), visit(p.pos.y), visit(p.pos.z), visit(p.divisor);
  for (T* x : {&t.lower, &t.upper, &t.limit_stiffness, &t.limit_damping, &t.stiffness, &t.rest_lower,
               &t.rest_upper, &t.damper})
    visit(*x);
}

template <class T>
T spring_stretch(const TendonUnit<T>& t, const T& length) noexcept {
  return max(length - t.rest_upper, T(0)) - max(t.rest_lower - length, T(0));
}

}  // namespace

Tendons<double> make_tendons(const Creature& creature, const Model<double>& m) {
  Tendons<double> all;
  int first = 0;
  for (const Tendon& t : creature.tendons) {
    TendonUnit<double> unit;
    for (const DofTerm& term : t.terms) unit.dof.push_back(term.dof), unit.factor.push_back(term.factor);
    if (t.terms.empty()) unit.dof = dofs_above(m, t);
    for (const TendonPoint& p : t.points) unit.points.push_back({p.link, p.pos, p.starts, p.divisor});
    unit.first = first;
    first += int(unit.dof.size());
    unit.lower = t.lower, unit.upper = t.upper;
    unit.limit_stiffness = t.limit_stiffness, unit.limit_damping = t.limit_damping;
    unit.stiffness = t.stiffness, unit.rest_lower = t.rest_lower, unit.rest_upper = t.rest_upper;
    unit.damper = t.damper;
    unit.pulls = t.lower > -unlimited || t.upper < unlimited || t.stiffness > 0 || t.damper > 0;
    all.push_back(std::move(unit));
  }
  double mass = 0;
  for (const double x : m.mass) mass += x;
  for (std::size_t i = 0; i < all.size(); ++i) {
    TendonUnit<double>& t = all[i];
    const bool limited = t.lower > -unlimited || t.upper < unlimited;
    if (!limited || (t.limit_stiffness > 0 && t.limit_damping > 0)) continue;
    const double inertia = inertia_of(creature, m, all, i), range = t.upper - t.lower;
    const double sag = sag_share * (range < unlimited ? range : 0.5);
    if (t.limit_stiffness == 0)
      t.limit_stiffness = own_gravity(creature) * mass * std::sqrt(inertia / std::max(mass, 1e-300)) / sag;
    if (t.limit_damping == 0)
      t.limit_damping = 2 * limit_damping_ratio * std::sqrt(t.limit_stiffness * inertia);
  }
  return all;
}

Tendons<Batch> make_batch_tendons(const std::vector<const Creature*>& creatures) {
  Tendons<Batch> all;
  if (creatures.front()->tendons.empty()) return all;
  for (int i = 0; i < batch_lanes; ++i) {
    const Creature& c = *creatures[std::min<std::size_t>(std::size_t(i), creatures.size() - 1)];
    Tendons<double> one = make_tendons(c, make_model(c));
    if (i == 0)
      for (const TendonUnit<double>& t : one) {
        TendonUnit<Batch> unit;
        unit.dof = t.dof, unit.first = t.first, unit.pulls = t.pulls;
        unit.factor.resize(t.factor.size());
        for (const auto& p : t.points) unit.points.push_back({p.link, {}, p.starts, Batch(1.0)});
        all.push_back(std::move(unit));
      }
    assert(one.size() == all.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
      std::vector<double> values;
      for_each_parameter(one[k], [&](double& x) { values.push_back(x); });
      std::size_t next = 0;
      for_each_parameter(all[k], [&](Batch& x) { x.set(i, values[next++]); });
    }
  }
  return all;
}

Tendons<Trace> record(Tendons<double> tendons, const NumberOf& number) {
  Tendons<Trace> all;
  for (TendonUnit<double>& t : tendons) {
    TendonUnit<Trace> unit;
    unit.dof = t.dof, unit.first = t.first, unit.pulls = t.pulls;
    unit.factor.resize(t.factor.size());
    for (const auto& p : t.points) unit.points.push_back({p.link, {}, p.starts, Trace(1)});
    std::vector<Trace> values;
    for_each_parameter(t, [&](double& x) { values.push_back(number(x)); });
    std::size_t k = 0;
    for_each_parameter(unit, [&](Trace& x) { x = values[k++]; });
    all.push_back(std::move(unit));
  }
  return all;
}

template <class T>
void TendonState<T>::size(const Tendons<T>& tendons, const Model<T>& model) {
  length.assign(tendons.size(), T(0)), rate.assign(tendons.size(), T(0));
  J.assign(tendons.empty() ? 0 : std::size_t(model.nv), T(0));
  factor.clear();
  for (const TendonUnit<T>& t : tendons) {
    if (t.factor.empty())
      factor.resize(factor.size() + t.dof.size(), T(0));
    else
      factor.insert(factor.end(), t.factor.begin(), t.factor.end());
  }
}

template <class T>
void update_tendons(const Tendons<T>& tendons, const Model<T>& m, const T* x, const T* v,
                    const Workspace<T>& w, TendonState<T>& s) noexcept {
  for (std::size_t i = 0; i < tendons.size(); ++i) {
    const TendonUnit<T>& t = tendons[i];
    if (!t.points.empty()) {
      follow_points(t, m, w, s.length[i], s.rate[i], s.J.data());
      for (std::size_t k = 0; k < t.dof.size(); ++k)
        s.factor[std::size_t(t.first) + k] = s.J[std::size_t(t.dof[k])];
      continue;
    }
    T length(0), rate(0);
    for (std::size_t k = 0; k < t.dof.size(); ++k)
      length += t.factor[k] * x[t.dof[k]], rate += t.factor[k] * v[t.dof[k]];
    s.length[i] = length, s.rate[i] = rate;
  }
}

template <class T>
void pull_tendon(const TendonUnit<T>& t, const TendonState<T>& s, const T& force, const T& gain, T* tau,
                 Constraints<T>* rows) noexcept {
  const T* J = &s.factor[std::size_t(t.first)];
  for (std::size_t k = 0; k < t.dof.size(); ++k) tau[t.dof[k]] += J[k] * force;
  if (!rows) return;
  assert(!rows->full() && rows->terms_used + int(t.dof.size()) <= int(rows->terms.size()));
  Row<T>& row = rows->row[std::size_t(rows->rows++)];
  row = {};
  row.first = rows->terms_used, row.count = int(t.dof.size());
  for (std::size_t k = 0; k < t.dof.size(); ++k)
    rows->terms[std::size_t(rows->terms_used++)] = {t.dof[k], J[k]};
  row.compliance = T(1) / max(gain, T(1e-100));
}

template <class T>
void add_tendon_forces(const Tendons<T>& tendons, const TendonState<T>& s, const T& h, const Workspace<T>& w,
                       T* tau, Constraints<T>& rows) noexcept {
  for (std::size_t i = 0; i < tendons.size(); ++i) {
    const TendonUnit<T>& t = tendons[i];
    if (!t.pulls) continue;
    const T length = s.length[i], rate = s.rate[i], stretch = spring_stretch(t, length);
    T force = -(t.stiffness * stretch) - t.damper * rate;
    T stiffness = select(abs(stretch) > T(0), t.stiffness, T(0)), damping = t.damper;
    // pushes back only, as the limits of joints do
    const T below = t.lower - length, above = length - t.upper;
    const T depth = max(below, above), inward = select(below > above, T(1), T(-1));
    const T push = t.limit_stiffness * depth - t.limit_damping * rate * inward;
    const auto active = (depth > T(0)) & (push > T(0));
    force += select(active, push * inward, T(0));
    stiffness += select(active, t.limit_stiffness, T(0));
    damping += select(active, t.limit_damping, T(0));
    if (w.implicit)
      pull_tendon(t, s, force - h * stiffness * rate, h * damping + h * h * stiffness, tau, &rows);
    else
      pull_tendon<T>(t, s, force, T(0), tau, nullptr);
  }
}

template <class T>
T tendon_energy(const Tendons<T>& tendons, const TendonState<T>& s) noexcept {
  T sum(0);
  for (std::size_t i = 0; i < tendons.size(); ++i) {
    const TendonUnit<T>& t = tendons[i];
    if (!t.pulls) continue;
    const T stretch = spring_stretch(t, s.length[i]);
    const T depth = max(max(t.lower - s.length[i], s.length[i] - t.upper), T(0));
    sum += T(0.5) * (t.stiffness * stretch * stretch + t.limit_stiffness * depth * depth);
  }
  return sum;
}

#define LEGWORK_INSTANTIATE(T)                                                                              \
  template struct TendonState<T>;                                                                           \
  template void update_tendons(const Tendons<T>&, const Model<T>&, const T*, const T*, const Workspace<T>&, \
                               TendonState<T>&) noexcept;                                                   \
  template void pull_tendon(const TendonUnit<T>&, const TendonState<T>&, const T&, const T&, T*,            \
                            Constraints<T>*) noexcept;                                                      \
  template void add_tendon_forces(const Tendons<T>&, const TendonState<T>&, const T&, const Workspace<T>&,  \
                                  T*, Constraints<T>&) noexcept;                                            \
  template T tendon_energy(const Tendons<T>&, const TendonState<T>&) noexcept;
LEGWORK_INSTANTIATE(double)
LEGWORK_INSTANTIATE(Batch)
LEGWORK_INSTANTIATE(Trace)
#undef LEGWORK_INSTANTIATE

}  // namespace legwork
