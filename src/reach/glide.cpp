#include "reach/glide.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "dynamics/dynamics.h"
#include "math/real.h"
#include "reach/cyclic.h"

namespace legwork::reaching {

namespace {

// Weights of the feet's equations, of the samples' gait, and of the step itself.
constexpr double hard = 3e4, faithful = 0.02, damping = 0.1;
constexpr double even_travel = 200, even_root = 5;  // how much their accelerations matter beside a joint's
constexpr double inside = 0.01;                     // share of a range: frames begin this far from its ends
constexpr double most = 0.95;                       // share of the room before a wall that a step may use
constexpr double longest_step = 0.5;                // rad or m

// What it costs a free coordinate to move over its whole range.
double scale(const MovingBody& body, int i) {
  const double range = body.upper[size_t(i)] - body.lower[size_t(i)];
  return body.weight[size_t(i)] * range * range;
}

// Distance from an end; none (-1) where there is no end.
double room(const MovingBody& body, int i, bool upper, const std::vector<double>& q) {
  const int c = body.q_of_v[size_t(i)];
  const double end = upper ? body.upper[size_t(i)] : body.lower[size_t(i)];
  if (c < 0 || !std::isfinite(body.upper[size_t(i)] - body.lower[size_t(i)])) return -1;
  return upper ? end - q[size_t(c)] : q[size_t(c)] - end;
}

// What the acceleration of each free coordinate costs, in units in which a motion of two cycles a stride
// counts by its amplitude.
Eigen::VectorXd smoothness(const MovingBody& body, int frames) {
  const double per = double(frames) * frames / (16 * pi * pi), share = 18.0 / frames;
  Eigen::VectorXd smooth(Eigen::Index(body.free.size()));
  for (size_t a = 0; a < body.free.size(); ++a) {
    const int i = body.free[a];
    const double matters = i == 0 ? even_travel : i < 6 ? even_root : 1;
    smooth(Eigen::Index(a)) = share * per * per * body.weight[size_t(i)] * matters;
  }
  return smooth;
}

// The equations of one stride: frames in pairs, whose blocks make a ring.
class StrideEquations {
 public:
  StrideEquations(const MovingBody& body, const std::vector<std::vector<double>>& q, double stride)
      : body_(body),
        q_(q),
        stride_(stride),
        frames_(int(q.size())),
        n_(int(body.free.size())),
        gradient_(q.size()),
        bend_(q.size()) {
    const size_t pairs = q.size() / 2;
    ring_.at.assign(pairs, Eigen::MatrixXd::Zero(2 * n_, 2 * n_));
    ring_.next.assign(pairs, Eigen::MatrixXd::Zero(2 * n_, 2 * n_));
  }

  // Frame f by itself; touches no other's numbers.
  void add_frame(int f, const std::vector<Goal>& aims, const std::vector<double>& start, const Walls& walls) {
    const std::vector<double> before = way_to(f, f - 1), after = way_to(f, f + 1);
    std::vector<double> back(static_cast<size_t>(body_.model.nv));
    difference_positions(body_.model, q_[size_t(f)].data(), start.data(), back.data());
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(n_, n_);
    Eigen::VectorXd g(n_), a(n_);
    for (int k = 0; k < n_; ++k) {
      const size_t i = size_t(body_.free[size_t(k)]);
      a(k) = before[i] + after[i];
      H(k, k) = (faithful + damping) * body_.weight[i];
      g(k) = faithful * body_.weight[i] * back[i];
      walls.add(body_, q_[size_t(f)], f, k, H(k, k), g(k));
    }
    add_goals(body_, aims, q_[size_t(f)], hard / (body_.length * body_.length), nullptr, H, g);
    ring_.at[size_t(f / 2)].block(f % 2 * n_, f % 2 * n_, n_, n_) += H;
    gradient_[size_t(f)] = g, bend_[size_t(f)] = a;
  }

  // 1/2 sum |d(f-1) - 2 d(f) + d(f+1) + bend(f)|^2: rows of 6, -4 and 1 around each frame.
  Eigen::VectorXd solve_smoothly() {
    const Eigen::VectorXd smooth = smoothness(body_, frames_);
    const auto couple = [&](int f, int other, double by) {
      const int g = wrapped(other), k = f / 2, l = g / 2;
      Eigen::MatrixXd& block = k == l ? ring_.at[size_t(k)] : ring_.next[size_t(k)];
      block.block(f % 2 * n_, g % 2 * n_, n_, n_).diagonal() += by * smooth;
    };
    Eigen::VectorXd b(frames_ * n_);
    for (int f = 0; f < frames_; ++f) {
      const auto bent = [&](int other) -> const Eigen::VectorXd& { return bend_[size_t(wrapped(other))]; };
      b.segment(f * n_, n_) =
          gradient_[size_t(f)] - smooth.cwiseProduct(bent(f - 1) - 2 * bent(f) + bent(f + 1));
      couple(f, f, 6), couple(f, f + 1, -4), couple(f, f + 2, 1);
      if (f % 2) couple(f, f - 1, -4);
    }
    return solve(ring_, std::move(b));
  }

 private:
  int wrapped(int frame) const { return (frame + frames_) % frames_; }
  // From a frame to its neighbour, also beyond the stride's ends.
  std::vector<double> way_to(int f, int other) const {
    std::vector<double> there = q_[size_t(wrapped(other))], v(static_cast<size_t>(body_.model.nv));
    there[0] += other < 0 ? -stride_ : other >= frames_ ? stride_ : 0;
    difference_positions(body_.model, q_[size_t(f)].data(), there.data(), v.data());
    return v;
  }

  const MovingBody& body_;
  const std::vector<std::vector<double>>& q_;
  double stride_;
  int frames_, n_;
  Ring ring_;
  std::vector<Eigen::VectorXd> gradient_, bend_;  // per frame
};

}  // namespace

Walls::Walls(const MovingBody& body, double mu, std::vector<std::vector<double>>& q) : mu(mu) {
  for (auto& p : push_) p = Eigen::MatrixXd::Zero(Eigen::Index(q.size()), Eigen::Index(body.free.size()));
  for (size_t f = 0; f < q.size(); ++f)
    for (size_t k = 0; k < body.free.size(); ++k) {
      const size_t i = size_t(body.free[k]);
      if (room(body, int(i), true, q[f]) == -1) continue;
      const double range = body.upper[i] - body.lower[i];
      double& x = q[f][size_t(body.q_of_v[i])];
      x = std::clamp(x, body.lower[i] + inside * range, body.upper[i] - inside * range);
      for (const bool upper : {false, true})
        push_[upper](Eigen::Index(f), Eigen::Index(k)) =
            mu * scale(body, int(i)) / room(body, int(i), upper, q[f]);
    }
}

void Walls::add(const MovingBody& body, const std::vector<double>& q, int frame, int k, double& H,
                double& g) const {
  const int i = body.free[size_t(k)];
  for (const bool upper : {false, true}) {
    const double space = room(body, i, upper, q);
    if (space <= 0) continue;
    H += push_[upper](frame, k) / space;
    g += (upper ? -1 : 1) * mu * scale(body, i) / space;
  }
}

double Walls::step(const MovingBody& body, const std::vector<std::vector<double>>& q,
                   const Eigen::VectorXd& d) {
  const Eigen::Index n = Eigen::Index(body.free.size());
  const double largest = d.cwiseAbs().maxCoeff();
  double limit = largest > longest_step ? longest_step / largest : 1, limit_push = 1;
  std::array<Eigen::MatrixXd, 2> change = push_;
  for (size_t f = 0; f < q.size(); ++f)
    for (Eigen::Index k = 0; k < n; ++k)
      for (const bool upper : {false, true}) {
        const Eigen::Index row = Eigen::Index(f);
        const int i = body.free[size_t(k)];
        const double space = room(body, i, upper, q[f]), z = push_[upper](row, k);
        if (space <= 0) continue;
        const double toward = upper ? d(row * n + k) : -d(row * n + k);
        if (toward * limit > most * space) limit = most * space / toward;
        const double dz = mu * scale(body, i) / space - z + z / space * toward;
        change[upper](row, k) = dz;
        if (-dz * limit_push > most * z) limit_push = -most * z / dz;
      }
  for (const bool upper : {false, true}) push_[upper] += limit_push * change[upper];
  return limit;
}

void glide(const MovingBody& body, const std::vector<std::vector<Goal>>& aims,
           const std::vector<std::vector<double>>& start, double stride, const Workers& workers, Walls& walls,
           std::vector<std::vector<double>>& q) {
  const int frames = int(q.size()), n = int(body.free.size());
  StrideEquations equations(body, q, stride);
  parallel_for(frames, workers,
               [&](int f, int) { equations.add_frame(f, aims[size_t(f)], start[size_t(f)], walls); });
  const Eigen::VectorXd d = equations.solve_smoothly();
  const double limit = walls.step(body, q, d);
  for (int f = 0; f < frames; ++f) {
    std::vector<double> move(size_t(body.model.nv), 0);
    for (int k = 0; k < n; ++k) move[size_t(body.free[size_t(k)])] = d(f * n + k) * limit;
    integrate_positions(body.model, q[size_t(f)].data(), move.data(), 1.0, q[size_t(f)].data());
  }
}

}  // namespace legwork::reaching
