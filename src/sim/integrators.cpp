// Integrators. All act on the flat state y = (q, v, springs' rests, controllers' x).
//
// Runge-Kutta on quaternions: stages combine derivatives dq/dt = q (0, w) / 2 linearly and the result is
// normalised, which keeps the order of the method, because the vector field extends smoothly off the unit
// sphere. (Stages in the rotation vector through the exponential map lose it above order 2 without the
// correction of Munthe-Kaas.)

#include <algorithm>
#include <type_traits>

#include "base/text.h"
#include "math/trace.h"
#include "sim/simulation.h"

namespace legwork {

namespace {

// dq/dt of all coordinates.
template <class T>
void position_rates(const Model<T>& m, const T* q, const T* v, T* rate) noexcept {
  for (const Screw<T>& s : m.screws) {
    const bool ball = s.type == ScrewType::ball, whole = s.type == ScrewType::free;
    const int scalars = ball ? 0 : whole ? 3 : s.type == ScrewType::path ? s.paths : 1;
    for (int i = 0; i < scalars; ++i) rate[s.q + i] = v[s.v + i];
    if (!ball && !whole) continue;
    const T *a = q + s.q + scalars, *w = v + s.v + scalars;
    const Quat<T> d = Quat<T>(a[0], a[1], a[2], a[3]) * Quat<T>(T(0), w[0], w[1], w[2]);
    T* r = rate + s.q + scalars;
    r[0] = T(0.5) * d.w, r[1] = T(0.5) * d.x, r[2] = T(0.5) * d.y, r[3] = T(0.5) * d.z;
  }
}

// The Runge-Kutta-Fehlberg formulas (Fehlberg, NASA TR R-315, 1969).
constexpr double fehlberg_time[6] = {0, 1.0 / 4, 3.0 / 8, 12.0 / 13, 1, 1.0 / 2};
constexpr double fehlberg[6][5] = {
    {},
    {1.0 / 4},
    {3.0 / 32, 9.0 / 32},
    {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197},
    {439.0 / 216, -8, 3680.0 / 513, -845.0 / 4104},
    {-8.0 / 27, 2, -3544.0 / 2565, 1859.0 / 4104, -11.0 / 40},
};
constexpr double fehlberg_5[6] = {16.0 / 135, 0, 6656.0 / 12825, 28561.0 / 56430, -9.0 / 50, 2.0 / 55};
constexpr double fehlberg_4[6] = {25.0 / 216, 0, 1408.0 / 2565, 2197.0 / 4104, -1.0 / 5, 0};

// x^(1/5) for x in [1e-4, 1e4], by Newton from above: the same bits everywhere, unlike libm's.
double fifth_root(double x) {
  double y = 7;
  for (int i = 0; i < 60; ++i) y -= (y - x / (y * y * y * y)) / 5;
  return y;
}

constexpr int tries_between_questions = 500;  // a few ms

// Factor for the next step from the error of this one, in units of the tolerance.
double step_factor(double error) {
  if (!(error >= 1e-4)) return error < 1e-4 ? 5 : 0.2;
  return std::clamp(0.9 * fifth_root(1 / std::min(error, 1e4)), 0.2, 5.0);
}

}  // namespace

template <class T>
void Simulation<T>::pack(std::vector<T>& y) const {
  const Drive<T>& d = state.drive;
  y.resize(state.q.size() + state.v.size() + d.rest.size() + d.x.size() + state.flows.size());
  auto at = std::copy(state.q.begin(), state.q.end(), y.begin());
  at = std::copy(state.v.begin(), state.v.end(), at);
  at = std::copy(d.rest.begin(), d.rest.end(), at);
  at = std::copy(d.x.begin(), d.x.end(), at);
  std::copy(state.flows.begin(), state.flows.end(), at);
}

template <class T>
void Simulation<T>::unpack(const std::vector<T>& y) noexcept {
  auto at = y.begin();
  for (auto* field : {&state.q, &state.v, &state.drive.rest, &state.drive.x, &state.flows}) {
    std::copy(at, at + field->size(), field->begin());
    at += field->size();
  }
  normalize_positions(system_->model, state.q.data());
}

// k = dy/dt at the present state.
template <class T>
void Simulation<T>::derivative(std::vector<T>& k, double h, bool first) {
  evaluate(h, first);
  const Drive<T>& d = state.drive;
  k.resize(state.q.size() + state.v.size() + d.rest.size() + d.x.size() + state.flows.size());
  position_rates(system_->model, state.q.data(), state.v.data(), k.data());
  auto at = std::copy(qdd.begin(), qdd.end(), k.begin() + state.q.size());
  at = std::copy(d.rest_rate.begin(), d.rest_rate.end(), at);
  std::copy_n(d.x_rate.begin(), std::min(d.x.size(), d.x_rate.size()), at);
  std::fill(at + std::min(d.x.size(), d.x_rate.size()), k.end(), T(0));
  if constexpr (std::is_same_v<T, double>)
    if (rigid.on) find_flows(k.data() + k.size() - flow_count);
}

// Makes y_ the present state.
template <class T>
void Simulation<T>::stage(double time) noexcept {
  unpack(y_);
  state.time = time;
  refresh();
}

// Velocities first, then positions with the new velocities. With implicit forces in the evaluation this is
// the linearly implicit method.
template <class T>
void Simulation<T>::advance_euler(double h) {
  evaluate(h, true);
  Drive<T>& d = state.drive;
  if constexpr (std::is_same_v<T, double>)
    if (rigid.on) add_flows(h);
  for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] += T(h) * qdd[i];
  for (std::size_t k = 0; k < friction_.held.size(); ++k) {
    T& v = state.v[std::size_t(system_->friction.dof[k])];
    v = select(friction_.held[k] > T(0), T(0), v);
  }
  integrate_positions(system_->model, state.q.data(), state.v.data(), T(h), state.q.data());
  for (std::size_t i = 0; i < d.rest.size(); ++i) d.rest[i] += T(h) * d.rest_rate[i];
  for (std::size_t i = 0; i < std::min(d.x.size(), d.x_rate.size()); ++i) d.x[i] += T(h) * d.x_rate[i];
  state.time += h;
}

template <class T>
void Simulation<T>::advance_rk4(double h) {
  const double t = state.time;
  pack(y0_);
  derivative(k_[0], h, true);
  y_.resize(y0_.size());
  for (int s = 1; s < 4; ++s) {
    const double part = s < 3 ? 0.5 * h : h;
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] = y0_[i] + T(part) * k_[s - 1][i];
    stage(t + part);
    derivative(k_[s], h, false);
  }
  for (std::size_t i = 0; i < y_.size(); ++i)
    y_[i] = y0_[i] + T(h / 6) * ((k_[0][i] + k_[3][i]) + T(2) * (k_[1][i] + k_[2][i]));
  unpack(y_);
  state.time = t + h;
}

// One step of h; returns its error in units of the tolerance. Scalar only.
template <>
double Simulation<double>::try_rkf45(double h) {
  const double t = state.time;
  step_start_ = t;
  step_length_ = h;
  pack(y0_);
  derivative(k_[0], h, true);
  y_.resize(y0_.size());
  for (int s = 1; s < 6; ++s) {
    for (std::size_t i = 0; i < y_.size(); ++i) {
      double sum = 0;
      for (int j = 0; j < s; ++j) sum += fehlberg[s][j] * k_[j][i];
      y_[i] = y0_[i] + h * sum;
    }
    stage(t + fehlberg_time[s] * h);
    derivative(k_[s], h, false);
  }
  double error = 0;
  bool finite = true;
  const std::size_t judged = y_.size() - state.flows.size();  // accounts do not set the step
  for (std::size_t i = 0; i < y_.size(); ++i) {
    double sum = 0, difference = 0;
    for (int s = 0; s < 6; ++s) {
      sum += fehlberg_5[s] * k_[s][i];
      difference += (fehlberg_5[s] - fehlberg_4[s]) * k_[s][i];
    }
    y_[i] = y0_[i] + h * sum;
    if (i >= judged) continue;
    // Fehlberg's second stage has no weight in the estimate: a foot that touches in that stage alone and
    // flies off in the others would go unseen. So no stage may change a value by more than a tenth against
    // the first.
    double change = 0;
    for (int s = 1; s < 6; ++s) change = max(change, abs(h * (k_[s][i] - k_[0][i])));
    const double unit = 1 + abs(y_[i]);
    const double e =
        max(abs(h * difference) / (options.tolerance * unit), change / (max(options.tolerance, 0.1) * unit));
    finite = finite && e - e == 0;
    error = max(error, e);
  }
  stage(t + h);
  return finite ? error : unlimited;
}

// Steps of its own within h. A step with too large an error is taken back with everything that is not
// integrated (anchors, broken attachments, drives) and tried again shorter.
template <>
void Simulation<double>::advance_rkf45(double h) {
  const double end = state.time + h;
  double left = h;
  if (adapted_ <= 0) adapted_ = h;
  for (int tries = 1; left > 0; ++tries) {
    if (tries % tries_between_questions == 0 && interrupt && interrupt()) return stop();
    const double taken = adapted_ < left * (1 - 1e-9) ? adapted_ : left;
    substep_ = state;
    const double error = try_rkf45(taken);
    const double wanted = max(taken * step_factor(error), options.shortest);
    if (error > 1 && taken > options.shortest) {
      state = substep_;
      refresh();
      adapted_ = wanted;
      continue;
    }
    // a step cut short by the end says little about the one before
    adapted_ = taken < adapted_ ? max(adapted_, wanted) : wanted;
    break_attachments(system_->attachments, w, state.broken);
    left = taken == left ? 0 : end - state.time;
  }
  state.time = end;
}

// Lanes would want different steps: batches take Runge-Kutta's fixed one.
template <>
void Simulation<Batch>::advance_rkf45(double h) {
  advance_rk4(h);
}
template <>
void Simulation<Trace>::advance_rkf45(double h) {
  advance_rk4(h);
}

Integrator parse_integrator(const std::string& name) {
  std::vector<std::string> names;
  for (const Integrator i : {Integrator::euler, Integrator::rk4, Integrator::rkf45, Integrator::implicit}) {
    if (name == to_string(i)) return i;
    names.push_back(to_string(i));
  }
  throw Error({}, "integrator", "no integrator '" + name + "'", did_you_mean(name, names));
}

const char* to_string(Integrator integrator) {
  switch (integrator) {
    case Integrator::euler:
      return "euler";
    case Integrator::rk4:
      return "rk4";
    case Integrator::rkf45:
      return "rkf45";
    case Integrator::implicit:
      return "implicit";
  }
  return "?";
}

std::vector<std::pair<std::string, std::string>> integrator_choices() {
  return {{"implicit", "linearly implicit in springs, dampers and contact, order 1: stable with long steps"},
          {"euler", "semi-implicit Euler, order 1: simple"},
          {"rk4", "Runge-Kutta, order 4: accurate where nothing is stiff"},
          {"rkf45", "Runge-Kutta-Fehlberg, order 5: adapts its step to a tolerance"}};
}

template void Simulation<double>::advance_euler(double);
template void Simulation<Batch>::advance_euler(double);
template void Simulation<Trace>::advance_euler(double);
template void Simulation<double>::advance_rk4(double);
template void Simulation<Batch>::advance_rk4(double);
template void Simulation<Trace>::advance_rk4(double);

}  // namespace legwork
