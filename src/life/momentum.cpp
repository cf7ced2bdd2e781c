#include "life/momentum.h"

#include <algorithm>
#include <cmath>

#include "math/curves.h"
#include "math/dense.h"
#include "math/real.h"

namespace legwork {

namespace {

constexpr int n = MomentumCycle::samples;
constexpr double pivot = 0.1;     // heights of the centre of mass: how far over it forces point
constexpr double vaulting = 0.5;  // v^2/(g h) below which legs vault
constexpr double airborne = 0.1;  // weights
constexpr double to_hip = 0.25;   // share of the way from it to the hip
constexpr double fewest_humps = -0.1, most_humps = 0.8, hump_step = 0.05;
constexpr double posture = 1.5;      // times the cycle's rate: how firmly hips keep the trunk
constexpr double least_share = 0.2;  // of an equal share

// The periodic x with x'' = push, less their means.
std::vector<double> twice_integrated(const std::vector<double>& push, double dt) {
  const auto free_of_mean = [](std::vector<double>& x) {
    double mean = 0;
    for (const double value : x) mean += value / double(x.size());
    for (double& value : x) value -= mean;
  };
  std::vector<double> step = push, x(push.size());
  free_of_mean(step);
  for (size_t i = 1; i < step.size(); ++i) step[i] += step[i - 1];
  free_of_mean(step);
  for (size_t i = 1; i < x.size(); ++i) x[i] = x[i - 1] + step[i - 1] * dt * dt;
  free_of_mean(x);
  return x;
}

// What one shape of the force curves makes of the cycle.
class Trial {
 public:
  Trial(const MomentumProblem& p, const std::vector<double>& shares, double two_humps)
      : p_(p), dt_(p.period / n), height_(p.com.z * (1 + pivot)) {
    cycle_.two_humps = two_humps;
    press(shares);
    for (int k = 0; k < 3; ++k) place_[k].assign(size_t(n), 0);
    place_[2] = rise();
    for (const int k : {0, 1}) place_[k] = drift(k);
    cycle_.shift.resize(size_t(n));
    for (size_t i = 0; i < size_t(n); ++i) cycle_.shift[i] = {place_[0][i], place_[1][i], place_[2][i]};
  }

  // How far legs are from springs: what is left of their forces' variance after the best line through force
  // over length, weighed by it; 2 where a longer leg presses more.
  double unlike_springs() const {
    double left = 0, all = 0;
    for (size_t l = 0; l < p_.legs.size(); ++l) {
      double count = 0, sum_f = 0, sum_s = 0, ff = 0, ss = 0, fs = 0;
      for (int i = 0; i < n; ++i) {
        if (share(l, i) >= 1) continue;
        const double f = cycle_.press[l][size_t(i)];
        const double s = norm(center(i) + p_.legs[l].hip - p_.com - foot(l, i));
        count += 1, sum_f += f, sum_s += s, ff += f * f, ss += s * s, fs += f * s;
      }
      if (count < 2) continue;
      ff -= sum_f * sum_f / count, ss -= sum_s * sum_s / count, fs -= sum_f * sum_s / count;
      const double fitted = ss > 0 ? fs * fs / ss : 0;
      all += ff, left += fs < 0 ? ff - fitted : ff + fitted;
    }
    return all > 0 ? left / all : 0;
  }

  // Positive work on the centre of mass in a cycle, over the mass.
  double external_work() const {
    const auto energy = [&](int i) {
      const Vec3d v = (shift(i + 1) - shift(i - 1)) * (1 / (2 * dt_)) + Vec3d{p_.speed, 0, 0};
      return 0.5 * dot(v, v) + p_.gravity * shift(i).z;
    };
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += std::max(0.0, energy(i + 1) - energy(i));
    return sum;
  }

  bool leaves_the_ground() const {
    for (size_t i = 0; i < size_t(n); ++i) {
      double total = 0;
      for (const std::vector<double>& f : cycle_.press) total += f[i];
      if (total < airborne) return true;
    }
    return false;
  }

  MomentumCycle finish() {
    std::vector<double> moment[2];
    for (std::vector<double>& m : moment) m.assign(size_t(n), 0);
    for (int i = 0; i < n; ++i)
      for (size_t l = 0; l < p_.legs.size(); ++l) {
        const Vec3d r = foot(l, i) - center(i), torque = cross(r, force(l, i));
        moment[0][size_t(i)] += torque.x, moment[1][size_t(i)] += torque.y;
      }
    const double rate = posture * 2 * pi / p_.period;
    const std::vector<double> stiff(size_t(n), rate * rate);
    cycle_.turn.assign(size_t(n), {});
    for (const int k : {0, 1}) {
      double mean = 0;
      for (const double m : moment[k]) mean += m / n;
      for (double& m : moment[k]) m = (m - mean) / std::max(p_.inertia[k], 1e-12);
      const std::vector<double> angle = periodic_solution(stiff, 2 * rate, moment[k], p_.period);
      for (size_t i = 0; i < size_t(n); ++i) cycle_.turn[i][k] = angle[i];
    }
    return cycle_;
  }

 private:
  // The share u of leg l's stance at sample i; 1 and more: it swings.
  double share(size_t l, int i) const { return fraction(double(i) / n - p_.legs[l].begin) / p_.legs[l].duty; }

  void press(const std::vector<double>& shares) {
    const double q = cycle_.two_humps;
    for (size_t l = 0; l < p_.legs.size(); ++l) {
      std::vector<double> f(size_t(n), 0.0);
      double sum = 0;
      for (int i = 0; i < n; ++i) {
        const double u = share(l, i);
        if (u < 1) sum += f[size_t(i)] = std::max(0.0, sin(pi * u) + q * sin(3 * pi * u));
      }
      for (double& value : f) value *= sum > 0 ? shares[l] * n / sum : 0;
      cycle_.press.push_back(std::move(f));
    }
  }

  std::vector<double> rise() const {
    std::vector<double> up(size_t(n), -p_.gravity);
    for (const std::vector<double>& f : cycle_.press)
      for (size_t i = 0; i < size_t(n); ++i) up[i] += p_.gravity * f[i];
    return twice_integrated(up, dt_);
  }

  // Where leg l stands at sample i.
  Vec3d foot(size_t l, int i) const {
    const LegSupport& leg = p_.legs[l];
    const double u = share(l, i) - 0.5;
    Vec3d at = leg.foot;
    at.x += u * (leg.roll - p_.speed * p_.period * leg.duty);
    return at;
  }
  const Vec3d& shift(int i) const { return cycle_.shift[size_t((i % n + n) % n)]; }
  Vec3d center(int i) const {
    return p_.com + Vec3d{place_[0][size_t(i)], place_[1][size_t(i)], place_[2][size_t(i)]};
  }
  double toward(size_t l, int k) const { return to_hip * (p_.legs[l].hip[k] - p_.com[k]); }

  // Forward or sideways: each force points from its foot to its place over the centre of mass.
  std::vector<double> drift(int k) const {
    std::vector<double> stiff(size_t(n), 0.0), push(size_t(n), 0.0);
    for (size_t l = 0; l < p_.legs.size(); ++l)
      for (int i = 0; i < n; ++i) {
        const double a = p_.gravity * cycle_.press[l][size_t(i)] / height_;
        stiff[size_t(i)] -= a;
        push[size_t(i)] += a * (p_.com[k] + toward(l, k) - foot(l, i)[k]);
      }
    return periodic_solution(stiff, 0, push, p_.period);
  }

  // Over the mass.
  Vec3d force(size_t l, int i) const {
    const double up = p_.gravity * cycle_.press[l][size_t(i)];
    const Vec3d at = foot(l, i), c = center(i);
    return {up * (c.x + toward(l, 0) - at.x) / height_, up * (c.y + toward(l, 1) - at.y) / height_, up};
  }

  const MomentumProblem& p_;
  double dt_, height_;
  std::vector<double> place_[3];
  MomentumCycle cycle_;
};

}  // namespace

std::vector<double> periodic_solution(const std::vector<double>& stiffness, double damping,
                                      const std::vector<double>& push, double period) {
  const Eigen::Index count = Eigen::Index(push.size());
  const double dt = period / double(count), side = 1 / (dt * dt), slope = damping / (2 * dt);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(count, count);
  Eigen::VectorXd b(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    A(i, i) += stiffness[size_t(i)] - 2 * side;
    A(i, (i + 1) % count) += side + slope;
    A(i, (i + count - 1) % count) += side - slope;
    b(i) = push[size_t(i)];
  }
  const Eigen::VectorXd x = least_squares(A, b);
  return {x.data(), x.data() + count};
}

// Least squares of the shares about equal ones, their sum and moments held; a leg never pulls.
std::vector<double> weight_shares(const std::vector<LegSupport>& legs, const Vec3d& com) {
  const Eigen::Index count = Eigen::Index(legs.size());
  double size = 1e-9;
  for (const LegSupport& leg : legs)
    size = std::max({size, std::fabs(leg.foot.x - com.x), std::fabs(leg.foot.y - com.y)});
  constexpr double held = 1e3;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(count + 3, count);
  Eigen::VectorXd b = Eigen::VectorXd::Constant(count + 3, 1.0 / double(count));
  A.topRows(count).setIdentity();
  for (Eigen::Index l = 0; l < count; ++l) {
    const Vec3d r = (legs[size_t(l)].foot - com) * (1 / size);
    A(count, l) = held, A(count + 1, l) = held * r.x, A(count + 2, l) = held * r.y;
  }
  b(count) = held, b(count + 1) = 0, b(count + 2) = 0;
  const Eigen::VectorXd w = least_squares(A, b);
  std::vector<double> shares(legs.size());
  double sum = 0;
  for (size_t l = 0; l < legs.size(); ++l)
    sum += shares[l] = std::max(w[Eigen::Index(l)], least_share / double(count));
  for (double& share : shares) share /= sum;
  return shares;
}

MomentumCycle find_momentum(const MomentumProblem& p) {
  const std::vector<double> shares = weight_shares(p.legs, p.com);
  const bool vaults =
      p.speed * p.speed < vaulting * p.gravity * p.com.z && !Trial(p, shares, 0).leaves_the_ground();
  double least = 0, best = fewest_humps;
  const int steps = int(std::lround((most_humps - fewest_humps) / hump_step));
  for (int k = 0; k <= steps; ++k) {
    const double q = fewest_humps + k * hump_step;
    const double miss = vaults ? Trial(p, shares, q).external_work() : Trial(p, shares, q).unlike_springs();
    if (k == 0 || miss < least) least = miss, best = q;
  }
  return Trial(p, shares, best).finish();
}

}  // namespace legwork
