#include "modes/select.h"

#include <algorithm>
#include <cmath>

#include "math/dense.h"
#include "math/real.h"

namespace legwork {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using H = Heuristic;

constexpr double enough = 0.75;  // share of a leg's wanted swing below which further modes join
constexpr int most_extra = 3;    // modes that may join
constexpr double weak = 0.02;    // share of the largest amplitude below which a mode is dropped

struct Target {
  MatrixXd A;       // rows x modes
  VectorXd re, im;  // rows
};

// Amplitudes of the uses' modes with their phases given.
VectorXd solve_amplitudes(const Target& t, const std::vector<double>& phase) {
  const long n = t.A.cols(), rows = t.A.rows();
  MatrixXd A(2 * rows + n, n);
  VectorXd b = VectorXd::Zero(2 * rows + n);
  for (long k = 0; k < n; ++k) {
    A.col(k).head(rows) = t.A.col(k) * cos(phase[size_t(k)]);
    A.col(k).segment(rows, rows) = t.A.col(k) * sin(phase[size_t(k)]);
  }
  b.head(rows) = t.re, b.segment(rows, rows) = t.im;
  // a little weight against amplitudes that only fight each other
  A.bottomRows(n) = MatrixXd::Identity(n, n) * (0.1 * std::max(t.A.norm(), 1e-12) / std::sqrt(double(n)));
  return least_squares(A, b);
}

double misfit(const Target& t, const VectorXd& a, const std::vector<double>& phase) {
  VectorXd re = -t.re, im = -t.im;
  for (long k = 0; k < t.A.cols(); ++k) {
    re += t.A.col(k) * (a[k] * cos(phase[size_t(k)]));
    im += t.A.col(k) * (a[k] * sin(phase[size_t(k)]));
  }
  return re.squaredNorm() + im.squaredNorm();
}

// Phases in multiples of 90 degrees and amplitudes that fit best. The start of the cycle is free, so the
// targets may turn as a whole.
struct Fit {
  VectorXd amplitude;
  std::vector<double> phase;
  double turn = 0, misfit = unlimited;
};
Fit fit(const Target& wanted) {
  const long n = wanted.A.cols();
  Fit best;
  for (int step = 0; step < 24; ++step) {
    const double turn = step * pi / 48;  // up to a quarter turn
    Target t = wanted;
    t.re = wanted.re * cos(turn) - wanted.im * sin(turn);
    t.im = wanted.re * sin(turn) + wanted.im * cos(turn);
    const auto free = [&](const VectorXd& b) {
      MatrixXd A(t.A.rows() + n, n);
      A << t.A, MatrixXd::Identity(n, n) * (0.1 * t.A.norm() / std::sqrt(double(n)));
      VectorXd full = VectorXd::Zero(t.A.rows() + n);
      full.head(t.A.rows()) = b;
      return least_squares(A, full);
    };
    const VectorXd re = free(t.re), im = free(t.im);
    Fit tried;
    tried.turn = turn;
    for (long k = 0; k < n; ++k) tried.phase.push_back(std::fabs(re[k]) >= std::fabs(im[k]) ? 0 : pi / 2);
    tried.amplitude = solve_amplitudes(t, tried.phase);
    tried.misfit = misfit(t, tried.amplitude, tried.phase);
    if (tried.misfit < best.misfit * (1 - 1e-9)) best = tried;
  }
  for (long k = 0; k < n; ++k)
    if (best.amplitude[k] < 0) best.amplitude[k] *= -1, best.phase[size_t(k)] += pi;
  return best;
}

}  // namespace

std::vector<Heuristic> heuristics_of(Act act, const Limbs& limbs) {
  const bool four = limbs.girdles > 1;
  switch (act) {
    case Act::walk:
    case Act::run:
    case Act::trot:
    case Act::amble:
    case Act::pace:
    case Act::skip:
    case Act::push_cart:
      return four ? std::vector<H>{H::B, H::G, H::A, H::F} : std::vector<H>{H::B, H::A, H::C};
    case Act::gallop:
    case Act::canter:
    case Act::bound:
    case Act::pronk:
    case Act::hop:
      return {H::together, H::G, H::B, H::D, H::F};
    case Act::jump:
    case Act::jumping_jack:
      return {H::D, H::E};
    case Act::none:
      return {};
  }
  return {};
}

std::vector<std::pair<std::string, std::string>> action_choices() {
  return {{"none", "no gait: the modes of --mode alone, or only the analysis"},
          {"walk", "heuristics A, B, C; four legs: A, B, F, G in lateral sequence"},
          {"run", "the same with less time on the ground"},
          {"jump", "heuristics D, E"},
          {"jumping-jack", "D and E at twice the frequency of legs and arms going apart"},
          {"trot", "A, B, F, G, diagonal legs together"},
          {"amble", "A, B, F, G, a quarter cycle from hind to fore"},
          {"gallop", "legs of a girdle nearly together, fore against hind"},
          {"push-cart", "walk with the hands on a bar"},
          {"pace", "A, B, F, G, the legs of a side together"},
          {"canter", "one diagonal pair together, the other two legs before and after it"},
          {"bound", "the legs of a girdle together, fore against hind"},
          {"pronk", "all four legs together"},
          {"hop", "both legs together"},
          {"skip", "two legs, one soon after the other, then a flight"}};
}

const char* to_string(Act act) {
  constexpr const char* names[] = {"none",   "walk",  "run",    "jump",      "jumping-jack",
                                   "trot",   "amble", "gallop", "push-cart", "pace",
                                   "canter", "bound", "pronk",  "hop",       "skip"};
  return names[int(act)];
}

double natural_hz(double hip_height, double gravity) {
  return hip_height > 0 && gravity > 0 ? 1.6 * std::sqrt(1.5 * gravity / hip_height) / (2 * pi) : 1;
}

Footwork footwork_of(Act act, const Limbs& limbs) {
  Footwork pace;
  const bool two_pairs = limbs.girdles == 2;
  for (const LimbLeg& leg : limbs.legs) {
    const double side = leg.side == Side::left ? 0 : 0.5;
    double phase = side;
    switch (act) {
      case Act::walk:
      case Act::push_cart:
      case Act::amble:
        phase = two_pairs ? side + (leg.girdle == 1 ? 0.25 : 0) : side + 0.5 * (leg.girdle % 2);
        break;
      case Act::run:
      case Act::trot:
        phase = side + 0.5 * (leg.girdle % 2);
        break;
      case Act::gallop:
        phase = (leg.side == Side::left ? -0.06 : 0.06) + 0.5 * (leg.girdle % 2);
        break;
      case Act::pace:
        phase = side;
        break;
      case Act::canter:
        phase = 0.3 * (leg.girdle % 2) + (leg.side == Side::left ? 0 : 0.3);
        break;
      case Act::bound:
        phase = 0.5 * (leg.girdle % 2);
        break;
      case Act::skip:
        phase = leg.side == Side::left ? 0 : 0.3;
        break;
      case Act::pronk:
      case Act::hop:
      case Act::jump:
      case Act::jumping_jack:
      case Act::none:
        phase = 0;
        break;
    }
    pace.phase.push_back(phase - std::floor(phase));
  }
  switch (act) {
    case Act::walk:
    case Act::push_cart:
      pace.swing = 0.3, pace.bend = 0.35, pace.duty = two_pairs ? 0.65 : 0.6;
      break;
    case Act::pace:
      pace.swing = 0.28, pace.bend = 0.4, pace.duty = 0.5, pace.speed = 0.8;
      break;
    case Act::canter:
      pace.swing = 0.34, pace.bend = 0.5, pace.duty = 0.4, pace.lift = 0.08, pace.speed = 1.1;
      break;
    case Act::bound:
      pace.swing = 0.34, pace.bend = 0.5, pace.duty = 0.35, pace.lift = 0.08, pace.speed = 1.2;
      break;
    case Act::pronk:
    case Act::hop:
      pace.swing = 0.25, pace.bend = 0.5, pace.duty = 0.5, pace.lift = 0.1, pace.speed = 0.6;
      break;
    case Act::skip:
      pace.swing = 0.28, pace.bend = 0.5, pace.duty = 0.42, pace.lift = 0.1, pace.speed = 0.65;
      break;
    case Act::run:
      pace.swing = 0.32, pace.bend = 0.6, pace.duty = 0.36, pace.lift = 0.1, pace.speed = 0.9;
      break;
    case Act::trot:
      pace.swing = 0.28, pace.bend = 0.4, pace.duty = 0.5, pace.speed = 0.8;
      break;
    case Act::amble:
      pace.swing = 0.28, pace.bend = 0.35, pace.duty = 0.58, pace.speed = 0.6;
      break;
    case Act::gallop:
      pace.swing = 0.36, pace.bend = 0.5, pace.duty = 0.3, pace.lift = 0.08, pace.speed = 1.6;
      break;
    case Act::jump:
    case Act::jumping_jack:
      pace.swing = 0, pace.bend = 0.5, pace.duty = 0.6, pace.lift = 0.1;
      break;
    case Act::none:
      break;
  }
  return pace;
}

Phasor leg_swing(const std::vector<ModeShape>& shapes, const std::vector<ModeUse>& uses, double hz, int leg) {
  double re = 0, im = 0;
  for (const ModeUse& use : uses) {
    if (std::fabs(use.hz - hz) > 1e-9 * hz) continue;
    const double x = use.amplitude * shapes[size_t(use.mode)].foot[size_t(leg)].x;
    re += x * cos(use.phase), im += x * sin(use.phase);
  }
  return {std::sqrt(re * re + im * im), atan2(im, re)};
}

namespace {

// Heuristics that bend or lift legs: what swings a leg cannot also do this a quarter of a cycle before.
bool lifts(H heuristic) {
  return heuristic == H::A || heuristic == H::F || heuristic == H::C || heuristic == H::D;
}

std::string role_of(H heuristic) {
  const std::string name = to_string(heuristic);
  return name.size() == 1 ? name + ": " + meaning(heuristic) : meaning(heuristic);
}

// The modes of one action as they are chosen, one after another.
class ModeSelection {
 public:
  ModeSelection(const Modes& modes, const std::vector<ModeShape>& shapes, const Limbs& limbs, Act act,
                const Footwork& pace, const SelectOptions& options)
      : modes_(modes), shapes_(shapes), limbs_(limbs), act_(act), pace_(pace), options_(options) {}

  std::vector<ModeUse> make();

 private:
  bool hops() const { return act_ == Act::jump || act_ == Act::jumping_jack; }
  bool add(int mode, H heuristic);
  Target target() const;
  void settle();
  void take_best_of_each();
  void take_more_swing();
  void drop_weak();
  template <class Of>
  void add_beside(H heuristic, double size, double phase, double hz, Of&& per_unit);
  void add_what_goes_beside();

  const Modes& modes_;
  const std::vector<ModeShape>& shapes_;
  const Limbs& limbs_;
  Act act_;
  const Footwork& pace_;
  const SelectOptions& options_;
  std::vector<H> asked_;
  std::vector<ModeUse> uses_;
  size_t tops_ = 0;  // the first so many are the best of their heuristics
};

std::vector<ModeUse> ModeSelection::make() {
  asked_ = heuristics_of(act_, limbs_);
  take_best_of_each();
  if (uses_.empty()) return uses_;
  settle();
  if (!hops()) take_more_swing();
  drop_weak();
  add_what_goes_beside();
  for (ModeUse& use : uses_) use.phase -= 2 * pi * std::floor(use.phase / (2 * pi) + 1e-12);
  return uses_;
}

// False where there is no such mode or it is taken already; then it only gets a further role.
bool ModeSelection::add(int mode, H heuristic) {
  if (mode < 0) return false;
  const std::string role = role_of(heuristic);
  for (ModeUse& use : uses_)
    if (use.mode == mode) {
      if (use.role.find(role) == use.role.npos) use.role += "; " + role;
      return false;
    }
  uses_.push_back({mode, role, 0, 0, pace_.hz, 0});
  return true;
}

// What every leg should do: rows of forward motion (in hip heights), bend and lift; these two at half weight.
Target ModeSelection::target() const {
  Target t;
  const size_t legs = limbs_.legs.size();
  const double h = limbs_.hip_height;
  const long rows = long(legs) * 3, n = long(uses_.size());
  t.A.resize(rows, n);
  t.re = t.im = VectorXd::Zero(rows);
  for (size_t l = 0; l < legs; ++l) {
    const long r = 3 * long(l);
    for (long k = 0; k < n; ++k) {
      const ModeShape& s = shapes_[size_t(uses_[size_t(k)].mode)];
      t.A(r, k) = s.foot[l].x / h, t.A(r + 1, k) = 0.5 * s.bend[l], t.A(r + 2, k) = 0.5 * s.foot[l].z / h;
    }
    if (hops()) {
      // together, from the ground up: folded when the cycle begins a quarter on
      t.re[r + 1] = 0.5 * pace_.bend, t.re[r + 2] = 0.5 * pace_.lift;
      continue;
    }
    const double turn = -2 * pi * pace_.phase[l], re = cos(turn), im = sin(turn);
    t.re[r] = options_.stride * pace_.swing * re, t.im[r] = options_.stride * pace_.swing * im;
    // a quarter cycle ahead: i times the same phasor
    t.re[r + 1] = -0.5 * pace_.bend * im, t.im[r + 1] = 0.5 * pace_.bend * re;
    t.re[r + 2] = -0.5 * pace_.lift * im, t.im[r + 2] = 0.5 * pace_.lift * re;
  }
  return t;
}

// Amplitudes and phases of what is chosen so far.
void ModeSelection::settle() {
  const Fit best = fit(target());
  for (size_t k = 0; k < uses_.size(); ++k)
    uses_[k].amplitude = best.amplitude[long(k)], uses_[k].phase = best.phase[k];
}

void ModeSelection::take_best_of_each() {
  for (const H heuristic : asked_) {
    std::vector<double> scores = score_modes(shapes_, modes_, limbs_, heuristic, act_ == Act::gallop);
    if (lifts(heuristic))
      for (const ModeUse& use : uses_)
        if (use.role[0] != 'A' && use.role[0] != 'D') scores[size_t(use.mode)] = 0;
    add(best_mode(scores), heuristic);
  }
  tops_ = uses_.size();
}

// Legs that do not come along get further modes of the same heuristics.
void ModeSelection::take_more_swing() {
  const double wanted = enough * options_.stride * pace_.swing * limbs_.hip_height;
  for (int extra = 0; extra < most_extra; ++extra) {
    bool short_of = false;
    for (size_t l = 0; l < limbs_.legs.size(); ++l)
      short_of |= leg_swing(shapes_, uses_, pace_.hz, int(l)).amplitude < wanted;
    if (!short_of) return;
    int best = -1;
    H by = H::B;
    double score = 0;
    for (const H heuristic : {H::B, H::G, H::together}) {
      if (std::find(asked_.begin(), asked_.end(), heuristic) == asked_.end()) continue;
      std::vector<double> scores = score_modes(shapes_, modes_, limbs_, heuristic, act_ == Act::gallop);
      for (const ModeUse& use : uses_) scores[size_t(use.mode)] = 0;
      const int mode = best_mode(scores);
      if (mode >= 0 && scores[size_t(mode)] > score)
        best = mode, by = heuristic, score = scores[size_t(mode)];
    }
    if (!add(best, by)) return;
    settle();
  }
}

// The top mode of each heuristic stays, as in the paper; what joined them may go.
void ModeSelection::drop_weak() {
  double largest = 0;
  for (const ModeUse& use : uses_) largest = std::max(largest, use.amplitude);
  uses_.erase(std::remove_if(uses_.begin() + long(tops_), uses_.end(),
                             [&](const ModeUse& use) { return use.amplitude < weak * largest; }),
              uses_.end());
}

// One mode beside those of the legs, scaled to a size in hip heights. per_unit: what a mode does of it, m.
template <class Of>
void ModeSelection::add_beside(H heuristic, double size, double phase, double hz, Of&& per_unit) {
  const int mode = best_mode(score_modes(shapes_, modes_, limbs_, heuristic));
  if (mode < 0 || size == 0) return;
  const double unit = per_unit(shapes_[size_t(mode)]);
  if (unit == 0 || !add(mode, heuristic)) return;
  const double amplitude = size * limbs_.hip_height / unit;
  ModeUse& use = uses_.back();
  use.amplitude = std::fabs(amplitude), use.phase = amplitude < 0 ? phase + pi : phase;
  use.hz = hz;
  // limbs that go apart come back to where they rest, not beyond
  if (heuristic == H::spread || heuristic == H::wave) use.beta = amplitude;
}

void ModeSelection::add_what_goes_beside() {
  if (act_ == Act::jumping_jack) {
    for (ModeUse& use : uses_) use.hz = 2 * pace_.hz;
    add_beside(H::spread, 0.1, pi / 4, pace_.hz,
               [](const ModeShape& s) { return 0.5 * (s.foot[0].y - s.foot[1].y); });
    add_beside(H::wave, 0.4, pi / 4, pace_.hz, [](const ModeShape& s) {
      return s.hand.size() == 2 ? 0.5 * (s.hand[0].y - s.hand[1].y) + 0.5 * (s.hand[0].z + s.hand[1].z) : 0;
    });
  }
  // arms go against the legs of their side
  if (!hops() && !limbs_.arms.empty())
    add_beside(H::arms, options_.arms, leg_swing(shapes_, uses_, pace_.hz, 0).phase + pi, pace_.hz,
               [](const ModeShape& s) { return 0.5 * (s.hand[0].x - s.hand[1].x); });
}

}  // namespace

std::vector<ModeUse> select_modes(const Modes& modes, const std::vector<ModeShape>& shapes,
                                  const Limbs& limbs, Act act, const Footwork& pace,
                                  const SelectOptions& options) {
  return ModeSelection(modes, shapes, limbs, act, pace, options).make();
}

}  // namespace legwork
