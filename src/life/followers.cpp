#include "life/followers.h"

#include <algorithm>
#include <cmath>

#include "creature/tree.h"
#include "dynamics/dynamics.h"
#include "math/dense.h"
#include "math/real.h"

namespace legwork {

namespace {

constexpr double firm = 3;       // times the cycle's rate: how fast a chain swings by itself
constexpr double damping = 0.5;  // ratio
constexpr int harmonics = 8;
constexpr double armed = 0.8;       // share of the legs' angular momentum that arms take
constexpr double most_swing = 0.3;  // sizes: of a hand
constexpr double most_bend = 0.3;   // rad: that a spring gives way

// Velocities and accelerations of a cycle by central differences.
struct Moving {
  std::vector<std::vector<double>> v, a;
};
Moving differentiate(const FollowProblem& p) {
  const Model<double>& m = *p.model;
  const int n = int(p.cycle.size());
  const double dt = p.period / n;
  const size_t nv = size_t(m.nv);
  // steps[i]: from sample i to the next
  std::vector<std::vector<double>> steps(p.cycle.size(), std::vector<double>(nv));
  for (int i = 0; i < n; ++i)
    difference_positions(m, p.cycle[size_t(i)].data(),
                         i + 1 < n ? p.cycle[size_t(i) + 1].data() : p.next.data(), steps[size_t(i)].data());
  Moving moving;
  for (int i = 0; i < n; ++i) {
    const std::vector<double>&after = steps[size_t(i)], &before = steps[size_t((i + n - 1) % n)];
    std::vector<double> v(nv), a(nv);
    for (size_t j = 0; j < nv; ++j)
      v[j] = (after[j] + before[j]) / (2 * dt), a[j] = (after[j] - before[j]) / (dt * dt);
    moving.v.push_back(std::move(v)), moving.a.push_back(std::move(a));
  }
  return moving;
}

// The first `harmonics` of a row: re and im of the coefficients of cos and sin.
struct Waves {
  std::vector<double> re, im;
};
Waves waves_of(const std::vector<double>& row) {
  const int n = int(row.size());
  Waves w;
  for (int k = 1; k <= harmonics; ++k) {
    double re = 0, im = 0;
    for (int i = 0; i < n; ++i)
      re += row[size_t(i)] * cos(2 * pi * k * i / n) * 2 / n,
          im += row[size_t(i)] * sin(2 * pi * k * i / n) * 2 / n;
    w.re.push_back(re), w.im.push_back(im);
  }
  return w;
}

// How many followers lie on the longest way from each one's chain's first to its last.
std::vector<int> chain_lengths(const FollowProblem& p) {
  const std::vector<int>& link = p.model->link_of_dof;
  std::vector<int> lengths;
  for (const int j : p.dofs) {
    int longest = 1;
    for (const int tip : p.dofs) {
      if (!is_below(*p.creature, link[size_t(tip)], link[size_t(j)]) &&
          !is_below(*p.creature, link[size_t(j)], link[size_t(tip)]))
        continue;
      int count = 0, last = -1;
      for (const int k : p.dofs)
        if (is_below(*p.creature, link[size_t(tip)], link[size_t(k)]) && link[size_t(k)] != last)
          ++count, last = link[size_t(k)];
      longest = std::max(longest, count);
    }
    lengths.push_back(longest);
  }
  return lengths;
}

// Adds the response of springs to the torques.
void give_way(const FollowProblem& p, const Eigen::MatrixXd& M,
              const std::vector<std::vector<double>>& torques, std::vector<std::vector<double>>& x) {
  if (p.lag <= 0) return;
  const Eigen::Index f = M.rows();
  const int n = int(p.cycle.size());
  const double rate = 2 * pi / p.period, own = firm * rate / p.lag;
  const std::vector<int> chain = chain_lengths(p);
  Eigen::VectorXd K(f);
  for (Eigen::Index j = 0; j < f; ++j) K(j) = own * own * M(j, j) * chain[size_t(j)];
  std::vector<Waves> pushed;
  for (const std::vector<double>& row : torques) pushed.push_back(waves_of(row));
  for (int k = 1; k <= harmonics; ++k) {
    const double w = k * rate;
    // x = a cos + b sin: (K - w^2 M) a + w C b = -re, -w C a + (K - w^2 M) b = -im
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * f, 2 * f);
    Eigen::VectorXd b(2 * f);
    A.topLeftCorner(f, f) = -w * w * M;
    for (Eigen::Index j = 0; j < f; ++j) {
      A(j, j) += K(j);
      const double c = w * 2 * damping * K(j) / own;
      A(j, f + j) = c, A(f + j, j) = -c;
      b(j) = -pushed[size_t(j)].re[size_t(k - 1)], b(f + j) = -pushed[size_t(j)].im[size_t(k - 1)];
    }
    A.bottomRightCorner(f, f) = A.topLeftCorner(f, f);
    const Eigen::VectorXd found = least_squares(A, b);
    for (Eigen::Index j = 0; j < f; ++j)
      for (int i = 0; i < n; ++i)
        x[size_t(j)][size_t(i)] +=
            found(j) * cos(2 * pi * k * i / n) + found(f + j) * sin(2 * pi * k * i / n);
  }
  for (std::vector<double>& row : x) {
    double most = 0;
    for (const double value : row) most = std::max(most, std::fabs(value));
    for (double& value : row) value *= most > most_bend ? most_bend / most : 1;
  }
}

// Adds the swing of arms, left against right, that takes the first harmonic of the angular momentum about the
// vertical: `yaw`, per sample.
void swing_arms(const FollowProblem& p, Workspace<double>& w, const std::vector<double>& yaw,
                std::vector<std::vector<double>>& x) {
  if (p.arms.size() < 2) return;
  const Model<double>& m = *p.model;
  const size_t nv = size_t(m.nv);
  const int n = int(p.cycle.size());
  // joints' motion for a metre of the hands, left forward and right back
  std::vector<double> d(nv, 0), J(6 * nv);
  for (const FollowingArm& arm : p.arms) {
    point_jacobian(m, w, arm.hand, arm.pos, J.data());
    double sum = 0;
    for (const int j : p.dofs) sum += J[3 * nv + size_t(j)] * J[3 * nv + size_t(j)];
    if (sum < 1e-9) return;
    for (const int j : p.dofs) d[size_t(j)] += (arm.left ? 1 : -1) * J[3 * nv + size_t(j)] / sum;
  }
  update_velocities(m, p.cycle[0].data(), d.data(), w);
  const Wrench<double> L = momentum(m, w);
  const Vec3d c = center_of_mass(m, w);
  const double per_speed = L.ang.z - cross(c, L.lin).z;  // of a metre a second
  if (std::fabs(per_speed) < 1e-9) return;
  const Waves legs = waves_of(yaw);
  const double rate = 2 * pi / p.period;
  // s = a cos + b sin (m) with s' per_speed = -armed yaw
  double a = armed * legs.im[0] / (per_speed * rate), b = -armed * legs.re[0] / (per_speed * rate);
  const double swing = std::sqrt(a * a + b * b), most = most_swing * p.size;
  if (swing > most) a *= most / swing, b *= most / swing;
  for (size_t k = 0; k < p.dofs.size(); ++k)
    for (int i = 0; i < n; ++i)
      x[k][size_t(i)] += d[size_t(p.dofs[k])] * (a * cos(2 * pi * i / n) + b * sin(2 * pi * i / n));
}

}  // namespace

std::vector<std::vector<double>> follow(const FollowProblem& p) {
  const Model<double>& m = *p.model;
  const size_t f = p.dofs.size(), n = p.cycle.size(), nv = size_t(m.nv);
  std::vector<std::vector<double>> x(f, std::vector<double>(n, 0.0)), torques = x;
  if (f == 0) return x;
  Workspace<double> w(m);
  const Moving moving = differentiate(p);
  std::vector<double> tau(nv), yaw(n);
  for (size_t i = 0; i < n; ++i) {
    update_positions(m, p.cycle[i].data(), w);
    update_velocities(m, p.cycle[i].data(), moving.v[i].data(), w);
    clear_forces(m, w);
    inverse_dynamics(m, moving.a[i].data(), w, tau.data());
    for (size_t k = 0; k < f; ++k) torques[k][i] = tau[size_t(p.dofs[k])];
    const Wrench<double> L = momentum(m, w);
    yaw[i] = L.ang.z - cross(center_of_mass(m, w), L.lin).z;
  }
  update_positions(m, p.cycle[0].data(), w);
  std::vector<double> all(nv * nv);
  mass_matrix(m, w, all.data());
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(Eigen::Index(f), Eigen::Index(f));
  for (size_t a = 0; a < f; ++a)
    for (size_t b = 0; b < f; ++b)
      M(Eigen::Index(a), Eigen::Index(b)) = all[size_t(p.dofs[a]) * nv + size_t(p.dofs[b])];
  give_way(p, M, torques, x);
  update_positions(m, p.cycle[0].data(), w);
  swing_arms(p, w, yaw, x);
  return x;
}

}  // namespace legwork
