#include "legwork/modes/select.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "legwork/base/text.h"
#include "legwork/dynamics/dynamics.h"
#include "legwork/math/real.h"
#include "legwork/modes/coordinates.h"

namespace legwork {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int candidates = 32;   // elastic modes looked at: the low ones
constexpr double enough = 0.75;  // of a leg's wanted swing; below, further modes join
constexpr double weak = 0.02;    // of the largest amplitude: not worth a mode
constexpr double faint = 0.1;    // rad, or hip heights, per unit of a mode: too little to be what it does

double side_of(const LimbLeg& leg) { return leg.side == Side::left ? 1 : -1; }

// How a motion of all legs in one quantity looks: sums over the four corners, or left and right.
struct Pattern {
  double together, alternating;
};
template <class Of>
Pattern pattern(const Limbs& limbs, int girdle, Of&& of) {
  Pattern p{0, 0};
  int n = 0;
  for (size_t l = 0; l < limbs.legs.size(); ++l) {
    if (girdle >= 0 && limbs.legs[l].girdle != girdle) continue;
    p.together += of(l), p.alternating += side_of(limbs.legs[l]) * of(l), ++n;
  }
  if (n > 0) p.together /= n, p.alternating /= n;
  return p;
}

std::string most_moved(const Creature& c, const Modes& modes, int mode) {
  int best = 0;
  modes.joints.col(mode).cwiseAbs().maxCoeff(&best);
  return c.dofs()[size_t(best)]->name;
}

// A mode in words: who moves, and how.
std::string words_of(const Creature& c, const Modes& modes, const Limbs& limbs, const ModeShape& s,
                     int mode) {
  if (mode < modes.rigid) return "rigid";
  const auto forward = [&](size_t l) { return s.foot[l].x; };
  const auto bends = [&](size_t l) { return s.bend[l]; };
  if (!limbs.legs.empty() && s.legs > std::max({s.arms, s.spine, s.other})) {
    const Pattern bend = pattern(limbs, -1, bends);
    double swing_alternating = 0, swing_together = 0, bend_size = 0, swing_size = 0, side_size = 0;
    for (size_t l = 0; l < limbs.legs.size(); ++l) {
      bend_size = std::max(bend_size, std::fabs(s.bend[l]) * 0.5 * limbs.hip_height);
      swing_size = std::max(swing_size, std::fabs(s.foot[l].x));
      side_size = std::max(side_size, std::fabs(s.foot[l].y));
    }
    for (int g = 0; g < limbs.girdles; ++g) {
      const Pattern p = pattern(limbs, g, forward);
      swing_alternating += std::fabs(p.alternating), swing_together += std::fabs(p.together);
    }
    if (side_size > std::max(swing_size, bend_size)) {
      double apart = 0, along = 0;
      for (size_t l = 0; l < limbs.legs.size(); ++l)
        apart += side_of(limbs.legs[l]) * s.foot[l].y, along += s.foot[l].y;
      if (s.twisting) return "back twisting: fore legs to one side, hind legs to the other";
      return std::fabs(apart) > std::fabs(along) ? "legs apart and together" : "legs to one side";
    }
    std::string how = swing_size > 0.6 * bend_size ? "swing" : "bend";
    const Pattern fore = pattern(limbs, limbs.girdles - 1, forward), hind = pattern(limbs, 0, forward);
    if (how == "bend") {
      const double together = std::fabs(bend.together);
      double alternating = 0;
      for (int g = 0; g < limbs.girdles; ++g) alternating += std::fabs(pattern(limbs, g, bends).alternating);
      return alternating > together ? "alternating knee bends" : "knees bend together";
    }
    if (swing_alternating > swing_together) {
      if (limbs.girdles != 2) return "alternating legs";
      if (std::fabs(fore.alternating) < 0.3 * std::fabs(hind.alternating)) return "alternating hind legs";
      if (std::fabs(hind.alternating) < 0.3 * std::fabs(fore.alternating)) return "alternating front legs";
      return fore.alternating * hind.alternating < 0 ? "alternating legs, diagonal ones together"
                                                     : "alternating legs, those of a side together";
    }
    if (limbs.girdles == 2 && fore.together * hind.together < 0)
      return "bounding: fore and hind legs apart and together";
    return limbs.girdles == 2 ? "stretching: all legs forward and back" : "legs forward and back together";
  }
  if (s.spine >= std::max({s.legs, s.arms, s.other}) && s.spine > 0) {
    if (s.twist > std::max(s.nod, s.sway)) return "spine twist";
    return s.nod > s.sway ? "spine up and down" : "spine side to side";
  }
  if (s.arms > 0 && s.arms >= std::max(s.legs, s.other)) {
    if (s.hand.size() == 2) {
      const double alternating = std::fabs(s.hand[0].x - s.hand[1].x),
                   together = std::fabs(s.hand[0].x + s.hand[1].x);
      const double wave = std::fabs(s.hand[0].y - s.hand[1].y) + std::fabs(s.hand[0].z + s.hand[1].z);
      if (wave > std::max(alternating, together)) return "arms apart and together";
      return alternating > together ? "alternating arms" : "arms forward and back together";
    }
    return "arms";
  }
  return "mostly " + most_moved(c, modes, mode);
}

std::string rejection(const ModeShape& s, const Limbs& limbs) {
  if (limbs.legs.empty()) return "";
  if (s.twisting || (s.spine > 0.5 && s.twist > 0.4)) return "a twist of the spine";
  if (s.sagittal < 0.5) return "feet go sideways";
  if (s.legs < 0.1) return "legs hardly move";
  return "";
}

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
    A.col(k).head(rows) = t.A.col(k) * std::cos(phase[size_t(k)]);
    A.col(k).segment(rows, rows) = t.A.col(k) * std::sin(phase[size_t(k)]);
  }
  b.head(rows) = t.re, b.segment(rows, rows) = t.im;
  // a little weight against amplitudes that only fight each other
  A.bottomRows(n) = MatrixXd::Identity(n, n) * (0.1 * std::max(t.A.norm(), 1e-12) / std::sqrt(double(n)));
  return A.colPivHouseholderQr().solve(b);
}

double misfit(const Target& t, const VectorXd& a, const std::vector<double>& phase) {
  VectorXd re = -t.re, im = -t.im;
  for (long k = 0; k < t.A.cols(); ++k) {
    re += t.A.col(k) * (a[k] * std::cos(phase[size_t(k)]));
    im += t.A.col(k) * (a[k] * std::sin(phase[size_t(k)]));
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
    t.re = wanted.re * std::cos(turn) - wanted.im * std::sin(turn);
    t.im = wanted.re * std::sin(turn) + wanted.im * std::cos(turn);
    const auto free = [&](const VectorXd& b) {
      MatrixXd A(t.A.rows() + n, n);
      A << t.A, MatrixXd::Identity(n, n) * (0.1 * t.A.norm() / std::sqrt(double(n)));
      VectorXd full = VectorXd::Zero(t.A.rows() + n);
      full.head(t.A.rows()) = b;
      return VectorXd(A.colPivHouseholderQr().solve(full));
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

std::vector<Heuristic> heuristics_of(Act act, const Limbs& limbs) {
  using H = Heuristic;
  const bool four = limbs.girdles > 1;
  switch (act) {
    case Act::walk:
    case Act::run:
    case Act::trot:
    case Act::amble:
    case Act::push_cart:
      return four ? std::vector<H>{H::B, H::G, H::A, H::F} : std::vector<H>{H::B, H::A, H::C};
    case Act::gallop:
      return {H::together, H::G, H::B, H::D, H::F};
    case Act::jump:
    case Act::jumping_jack:
      return {H::D, H::E};
    case Act::none:
      return {};
  }
  return {};
}

}  // namespace

const char* to_string(Heuristic h) {
  constexpr const char* names[] = {"A", "B",        "C",      "D",    "E",    "F",
                                   "G", "together", "spread", "wave", "arms", "hips"};
  return names[int(h)];
}

const char* meaning(Heuristic h) {
  constexpr const char* texts[] = {"alternating knee bends",
                                   "alternating forward motion of the feet",
                                   "alternating vertical motion of the feet",
                                   "knee bends together",
                                   "vertical motion of the feet together",
                                   "bends of the front legs",
                                   "forward swing of the front legs",
                                   "forward motion of the feet together",
                                   "feet apart",
                                   "hands up",
                                   "swinging arms",
                                   "swaying hips"};
  return texts[int(h)];
}

std::vector<ModeShape> describe_modes(const Creature& creature, const Modes& modes, const Limbs& limbs) {
  const Model<double> m = make_model(creature);
  Workspace<double> w(m);
  update_positions(m, modes.q0.data(), w);
  const std::vector<char> root = root_dofs(creature);
  MatrixXd v = modes.body;
  for (int j = 0; j < m.nv; ++j)
    if (root[size_t(j)]) v.row(j).setZero();
  RowMajor J(6, m.nv);
  const auto moved = [&](int link, const Vec3d& pos) {
    point_jacobian(m, w, link, pos, J.data());
    return MatrixXd(J.bottomRows(3) * v);
  };
  std::vector<MatrixXd> feet, hands;
  for (const LimbLeg& leg : limbs.legs) feet.push_back(moved(leg.foot, leg.point));
  for (const LimbArm& arm : limbs.arms) hands.push_back(moved(arm.hand, arm.pos));

  std::vector<ModeShape> shapes(size_t(modes.count()));
  for (int i = 0; i < modes.count(); ++i) {
    ModeShape& s = shapes[size_t(i)];
    double along = 0, all = 1e-300;
    for (size_t l = 0; l < feet.size(); ++l) {
      const VectorXd p = feet[l].col(i);
      s.foot.push_back({p[0], p[1], p[2]});
      s.bend.push_back(limbs.legs[l].knee_sign * modes.joints(limbs.legs[l].knee_dof, i));
      along += p[0] * p[0] + p[2] * p[2], all += p.squaredNorm();
    }
    s.sagittal = along / all;
    if (limbs.girdles == 2 && s.sagittal < 0.5) {
      const auto across = [&](size_t l) { return s.foot[l].y; };
      const Pattern fore = pattern(limbs, 1, across), hind = pattern(limbs, 0, across);
      s.twisting = fore.together * hind.together < 0 &&
                   std::fabs(fore.together) > std::fabs(fore.alternating) &&
                   std::fabs(hind.together) > std::fabs(hind.alternating);
    }
    for (size_t a = 0; a < hands.size(); ++a) {
      const VectorXd p = hands[a].col(i);
      s.hand.push_back({p[0], p[1], p[2]});
      const int elbow = limbs.arms[a].elbow_dof;
      s.elbow.push_back(elbow < 0 ? 0 : limbs.arms[a].elbow_sign * modes.joints(elbow, i));
    }
    double turns[3] = {}, total = 1e-300, spine = 1e-300;
    for (int j = 0; j < m.nv; ++j) {
      const double square = modes.joints(j, i) * modes.joints(j, i);
      total += square;
      double& part = limbs.in_leg[size_t(j)]     ? s.legs
                     : limbs.in_arm[size_t(j)]   ? s.arms
                     : limbs.in_spine[size_t(j)] ? s.spine
                                                 : s.other;
      part += square;
      if (!limbs.in_spine[size_t(j)]) continue;
      const Vec3d axis = w.S[size_t(j)].ang;
      for (int k = 0; k < 3; ++k) turns[k] += square * axis[k] * axis[k], spine += square * axis[k] * axis[k];
    }
    s.legs /= total, s.arms /= total, s.spine /= total, s.other /= total;
    s.twist = turns[0] / spine, s.nod = turns[1] / spine, s.sway = turns[2] / spine;
    s.words = words_of(creature, modes, limbs, s, i);
    s.rejected = i < modes.rigid ? "rigid" : rejection(s, limbs);
  }
  return shapes;
}

std::vector<double> score_modes(const std::vector<ModeShape>& shapes, const Modes& modes, const Limbs& limbs,
                                Heuristic heuristic, bool front_together) {
  using H = Heuristic;
  std::vector<double> scores(shapes.size(), 0);
  const int last = std::min(int(shapes.size()), modes.rigid + candidates);
  const bool four = limbs.girdles > 1;
  for (int i = modes.rigid; i < last; ++i) {
    const ModeShape& s = shapes[size_t(i)];
    // over the pairs of legs that a heuristic looks at: the pattern, less what is of the other kind
    const auto legs = [&](bool front, bool together, auto&& of) {
      double sum = 0;
      for (int g = 0; g < limbs.girdles; ++g) {
        const bool is_front = four && g == limbs.girdles - 1;
        if (four && limbs.girdles == 2 && front != is_front) continue;
        const Pattern p = pattern(limbs, g, of);
        const double good = std::fabs(together ? p.together : p.alternating),
                     bad = std::fabs(together ? p.alternating : p.together);
        sum += std::max(good - bad, 0.0);
      }
      return sum;
    };
    const auto forward = [&](size_t l) { return s.foot[l].x; };
    const auto up = [&](size_t l) { return s.foot[l].z; };
    const auto bend = [&](size_t l) { return s.bend[l]; };
    const double h = std::max(limbs.hip_height, 1e-9);
    double score = 0;
    switch (heuristic) {
      case H::A:
        score = legs(false, false, bend);
        break;
      case H::B:
        score = legs(false, false, forward) / h;
        break;
      case H::C:
        score = legs(false, false, up) / h;
        break;
      case H::D:
        score = legs(false, true, bend);
        break;
      case H::E:
        score = legs(false, true, up) / h;
        break;
      case H::F:
        score = legs(true, front_together, bend);
        break;
      case H::G:
        score = legs(true, front_together, forward) / h;
        break;
      case H::together:
        score = legs(false, true, forward) / h;
        break;
      case H::spread:
        score = legs(false, false, [&](size_t l) { return s.foot[l].y; }) / h;
        break;
      case H::hips:
        score = legs(false, true, [&](size_t l) { return s.foot[l].y; }) / h;
        break;
      case H::wave:
        if (s.hand.size() == 2)
          score = (std::fabs(s.hand[0].z + s.hand[1].z) + std::fabs(s.hand[0].y - s.hand[1].y)) / (2 * h);
        break;
      case H::arms:
        if (s.hand.size() == 2) score = std::fabs(s.hand[0].x - s.hand[1].x) / (2 * h);
        break;
    }
    const bool sideways =
        heuristic == H::spread || heuristic == H::hips || heuristic == H::wave || heuristic == H::arms;
    if (!sideways) score *= s.rejected.empty() ? s.sagittal : 0;
    scores[size_t(i)] = score;
  }
  return scores;
}

int best_mode(const std::vector<double>& scores) {
  int best = -1;
  for (size_t i = 0; i < scores.size(); ++i)
    if (scores[i] > faint && (best < 0 || scores[i] > scores[size_t(best)] * (1 + 1e-9))) best = int(i);
  return best;
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
          {"push-cart", "walk with the hands on a bar"}};
}

const char* to_string(Act act) {
  constexpr const char* names[] = {"none", "walk",  "run",    "jump",     "jumping-jack",
                                   "trot", "amble", "gallop", "push-cart"};
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
    case Act::run:
      pace.swing = 0.32, pace.bend = 0.6, pace.duty = 0.36, pace.lift = 0.1, pace.pose = "run";
      break;
    case Act::trot:
      pace.swing = 0.28, pace.bend = 0.4, pace.duty = 0.5;
      break;
    case Act::amble:
      pace.swing = 0.28, pace.bend = 0.35, pace.duty = 0.58;
      break;
    case Act::gallop:
      pace.swing = 0.36, pace.bend = 0.5, pace.duty = 0.3, pace.lift = 0.08;
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
    re += x * std::cos(use.phase), im += x * std::sin(use.phase);
  }
  return {std::sqrt(re * re + im * im), std::atan2(im, re)};
}

std::vector<ModeUse> select_modes(const Modes& modes, const std::vector<ModeShape>& shapes,
                                  const Limbs& limbs, Act act, const Footwork& pace,
                                  const SelectOptions& options) {
  using H = Heuristic;
  std::vector<ModeUse> uses;
  const double h = limbs.hip_height;
  const size_t legs = limbs.legs.size();
  const auto add = [&](int mode, H heuristic) -> bool {
    if (mode < 0) return false;
    const std::string role = std::string(to_string(heuristic)).size() == 1
                                 ? std::string(to_string(heuristic)) + ": " + meaning(heuristic)
                                 : meaning(heuristic);
    for (ModeUse& use : uses)
      if (use.mode == mode) {
        if (use.role.find(role) == use.role.npos) use.role += "; " + role;
        return false;
      }
    uses.push_back({mode, role, 0, 0, pace.hz, 0});
    return true;
  };
  const bool hops = act == Act::jump || act == Act::jumping_jack;
  const double jump_hz = pace.hz;

  // what every leg should do: rows of forward motion (in hip heights), bend and lift
  const auto target = [&] {
    Target t;
    const long rows = long(legs) * 3, n = long(uses.size());
    t.A.resize(rows, n);
    t.re = t.im = VectorXd::Zero(rows);
    for (size_t l = 0; l < legs; ++l) {
      const long r = 3 * long(l);
      for (long k = 0; k < n; ++k) {
        const ModeShape& s = shapes[size_t(uses[size_t(k)].mode)];
        t.A(r, k) = s.foot[l].x / h, t.A(r + 1, k) = 0.5 * s.bend[l], t.A(r + 2, k) = 0.5 * s.foot[l].z / h;
      }
      const double turn = -2 * pi * pace.phase[l], re = std::cos(turn), im = std::sin(turn);
      if (hops) {
        // together, from the ground up: folded when the cycle begins a quarter on
        t.re[r + 1] = 0.5 * pace.bend, t.re[r + 2] = 0.5 * pace.lift;
        continue;
      }
      t.re[r] = options.stride * pace.swing * re, t.im[r] = options.stride * pace.swing * im;
      // a quarter cycle ahead: i times the same phasor
      t.re[r + 1] = -0.5 * pace.bend * im, t.im[r + 1] = 0.5 * pace.bend * re;
      t.re[r + 2] = -0.5 * pace.lift * im, t.im[r + 2] = 0.5 * pace.lift * re;
    }
    return t;
  };
  const auto settle = [&] {
    const Fit best = fit(target());
    for (size_t k = 0; k < uses.size(); ++k)
      uses[k].amplitude = best.amplitude[long(k)], uses[k].phase = best.phase[k];
  };

  const std::vector<H> asked = heuristics_of(act, limbs);
  for (const H heuristic : asked) {
    std::vector<double> scores = score_modes(shapes, modes, limbs, heuristic, act == Act::gallop);
    // what swings a leg cannot also bend it a quarter of a cycle before
    if (heuristic == H::A || heuristic == H::F || heuristic == H::C || heuristic == H::D)
      for (const ModeUse& use : uses)
        if (use.role[0] != 'A' && use.role[0] != 'D') scores[size_t(use.mode)] = 0;
    add(best_mode(scores), heuristic);
  }
  if (uses.empty()) return uses;
  settle();
  // legs that do not come along get further modes of the same heuristics
  for (int extra = 0; extra < 3 && !hops; ++extra) {
    bool short_of = false;
    for (size_t l = 0; l < legs; ++l)
      short_of |=
          leg_swing(shapes, uses, pace.hz, int(l)).amplitude < enough * options.stride * pace.swing * h;
    if (!short_of) break;
    int best = -1;
    H by = H::B;
    double score = 0;
    for (const H heuristic : {H::B, H::G, H::together}) {
      if (std::find(asked.begin(), asked.end(), heuristic) == asked.end()) continue;
      std::vector<double> scores = score_modes(shapes, modes, limbs, heuristic, act == Act::gallop);
      for (const ModeUse& use : uses) scores[size_t(use.mode)] = 0;
      const int mode = best_mode(scores);
      if (mode >= 0 && scores[size_t(mode)] > score)
        best = mode, by = heuristic, score = scores[size_t(mode)];
    }
    if (!add(best, by)) break;
    settle();
  }
  double largest = 0;
  for (const ModeUse& use : uses) largest = std::max(largest, use.amplitude);
  std::erase_if(uses, [&](const ModeUse& use) { return use.amplitude < weak * largest; });

  // what goes beside the legs: one mode each, scaled to what is wanted
  const auto beside = [&](H heuristic, double size, double phase, double hz, auto&& of) {
    const int mode = best_mode(score_modes(shapes, modes, limbs, heuristic));
    if (mode < 0 || size == 0) return;
    const double per_unit = of(shapes[size_t(mode)]);
    if (per_unit == 0 || !add(mode, heuristic)) return;
    const double amplitude = size * h / per_unit;
    uses.back().amplitude = std::fabs(amplitude), uses.back().phase = amplitude < 0 ? phase + pi : phase;
    uses.back().hz = hz;
    // limbs that go apart come back to where they rest, not beyond
    if (heuristic == H::spread || heuristic == H::wave) uses.back().beta = amplitude;
  };
  if (act == Act::jumping_jack) {
    for (ModeUse& use : uses) use.hz = 2 * jump_hz;
    beside(H::spread, 0.1, pi / 4, jump_hz,
           [](const ModeShape& s) { return 0.5 * (s.foot[0].y - s.foot[1].y); });
    beside(H::wave, 0.4, pi / 4, jump_hz, [](const ModeShape& s) {
      return s.hand.size() == 2 ? 0.5 * (s.hand[0].y - s.hand[1].y) + 0.5 * (s.hand[0].z + s.hand[1].z) : 0;
    });
  }
  if (!limbs.arms.empty() && !hops) {
    // arms against the legs of their side
    const double phase = leg_swing(shapes, uses, pace.hz, 0).phase + pi;
    beside(H::arms, options.arms, phase, pace.hz,
           [](const ModeShape& s) { return 0.5 * (s.hand[0].x - s.hand[1].x); });
  }
  if (options.sway != 0 && !hops)
    beside(H::hips, options.sway, leg_swing(shapes, uses, pace.hz, 0).phase + pi / 2, pace.hz,
           [](const ModeShape& s) { return 0.5 * (s.foot[0].y + s.foot[1].y); });
  for (ModeUse& use : uses) use.phase -= 2 * pi * std::floor(use.phase / (2 * pi) + 1e-12);
  return uses;
}

}  // namespace legwork
