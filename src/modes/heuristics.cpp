#include "modes/heuristics.h"

#include <algorithm>
#include <cmath>

#include "creature/tree.h"
#include "dynamics/dynamics.h"
#include "math/real.h"
#include "modes/coordinates.h"

namespace legwork {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int candidates = 32;  // elastic modes looked at: the low ones
constexpr double faint = 0.1;   // rad, or hip heights, per unit of a mode: too little to be what it does

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

std::string side_words(const Limbs& limbs, const ModeShape& s) {
  if (s.twisting) return "back twisting: fore legs to one side, hind legs to the other";
  double apart = 0, along = 0;
  for (size_t l = 0; l < limbs.legs.size(); ++l)
    apart += side_of(limbs.legs[l]) * s.foot[l].y, along += s.foot[l].y;
  return std::fabs(apart) > std::fabs(along) ? "legs apart and together" : "legs to one side";
}

std::string bend_words(const Limbs& limbs, const ModeShape& s) {
  const auto bends = [&](size_t l) { return s.bend[l]; };
  double alternating = 0;
  for (int g = 0; g < limbs.girdles; ++g) alternating += std::fabs(pattern(limbs, g, bends).alternating);
  return alternating > std::fabs(pattern(limbs, -1, bends).together) ? "alternating knee bends"
                                                                     : "knees bend together";
}

std::string swing_words(const Limbs& limbs, const ModeShape& s) {
  const auto forward = [&](size_t l) { return s.foot[l].x; };
  double alternating = 0, together = 0;
  for (int g = 0; g < limbs.girdles; ++g) {
    const Pattern p = pattern(limbs, g, forward);
    alternating += std::fabs(p.alternating), together += std::fabs(p.together);
  }
  const bool two_pairs = limbs.girdles == 2;
  const Pattern fore = pattern(limbs, limbs.girdles - 1, forward), hind = pattern(limbs, 0, forward);
  if (alternating > together) {
    if (!two_pairs) return "alternating legs";
    if (std::fabs(fore.alternating) < 0.3 * std::fabs(hind.alternating)) return "alternating hind legs";
    if (std::fabs(hind.alternating) < 0.3 * std::fabs(fore.alternating)) return "alternating front legs";
    return fore.alternating * hind.alternating < 0 ? "alternating legs, diagonal ones together"
                                                   : "alternating legs, those of a side together";
  }
  if (two_pairs && fore.together * hind.together < 0)
    return "bounding: fore and hind legs apart and together";
  return two_pairs ? "stretching: all legs forward and back" : "legs forward and back together";
}

std::string leg_words(const Limbs& limbs, const ModeShape& s) {
  double bend = 0, swing = 0, side = 0;  // m, the largest of any foot
  for (size_t l = 0; l < limbs.legs.size(); ++l) {
    bend = std::max(bend, std::fabs(s.bend[l]) * 0.5 * limbs.hip_height);
    swing = std::max(swing, std::fabs(s.foot[l].x));
    side = std::max(side, std::fabs(s.foot[l].y));
  }
  if (side > std::max(swing, bend)) return side_words(limbs, s);
  return swing > 0.6 * bend ? swing_words(limbs, s) : bend_words(limbs, s);
}

std::string arm_words(const ModeShape& s) {
  if (s.hand.size() != 2) return "arms";
  const double alternating = std::fabs(s.hand[0].x - s.hand[1].x),
               together = std::fabs(s.hand[0].x + s.hand[1].x);
  const double wave = std::fabs(s.hand[0].y - s.hand[1].y) + std::fabs(s.hand[0].z + s.hand[1].z);
  if (wave > std::max(alternating, together)) return "arms apart and together";
  return alternating > together ? "alternating arms" : "arms forward and back together";
}

// A mode in words: who moves, and how.
std::string words_of(const Creature& c, const Modes& modes, const Limbs& limbs, const ModeShape& s,
                     int mode) {
  if (mode < modes.rigid) return "rigid";
  if (!limbs.legs.empty() && s.legs > std::max({s.arms, s.spine, s.other})) return leg_words(limbs, s);
  if (s.spine >= std::max({s.legs, s.arms, s.other}) && s.spine > 0) {
    if (s.twist > std::max(s.nod, s.sway)) return "spine twist";
    return s.nod > s.sway ? "spine up and down" : "spine side to side";
  }
  if (s.arms > 0 && s.arms >= std::max(s.legs, s.other)) return arm_words(s);
  return "mostly " + most_moved(c, modes, mode);
}

std::string rejection(const ModeShape& s, const Limbs& limbs) {
  if (limbs.legs.empty()) return "";
  if (s.twisting || (s.spine > 0.5 && s.twist > 0.4)) return "a twist of the spine";
  if (s.sagittal < 0.5) return "feet go sideways";
  if (s.legs < 0.1) return "legs hardly move";
  return "";
}

}  // namespace

const char* to_string(Heuristic h) {
  constexpr const char* names[] = {"A", "B", "C", "D", "E", "F", "G", "together", "spread", "wave", "arms"};
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
                                   "swinging arms"};
  return texts[int(h)];
}

namespace {

Vec3d column(const MatrixXd& motion, int mode) { return {motion(0, mode), motion(1, mode), motion(2, mode)}; }

// What the feet do: whether it is forward and up, or sideways.
void judge_feet(const Limbs& limbs, ModeShape& s) {
  double along = 0, all = 1e-300;
  for (const Vec3d& p : s.foot) along += p.x * p.x + p.z * p.z, all += p.x * p.x + p.y * p.y + p.z * p.z;
  s.sagittal = along / all;
  if (limbs.girdles != 2 || s.sagittal >= 0.5) return;
  const auto across = [&](size_t l) { return s.foot[l].y; };
  const Pattern fore = pattern(limbs, 1, across), hind = pattern(limbs, 0, across);
  s.twisting = fore.together * hind.together < 0 && std::fabs(fore.together) > std::fabs(fore.alternating) &&
               std::fabs(hind.together) > std::fabs(hind.alternating);
}

// Which part of the body moves, and about which axes the spine turns. w: the rest pose.
void share_out(const Modes& modes, const Limbs& limbs, const Workspace<double>& w, int mode, ModeShape& s) {
  double turns[3] = {}, total = 1e-300, spine = 1e-300;
  for (int j = 0; j < modes.joints.rows(); ++j) {
    const double square = modes.joints(j, mode) * modes.joints(j, mode);
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
}

}  // namespace

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
    for (size_t l = 0; l < feet.size(); ++l) {
      s.foot.push_back(column(feet[l], i));
      s.bend.push_back(limbs.legs[l].knee_sign * modes.joints(limbs.legs[l].knee_dof, i));
    }
    for (const MatrixXd& hand : hands) s.hand.push_back(column(hand, i));
    judge_feet(limbs, s);
    share_out(modes, limbs, w, i, s);
    s.words = words_of(creature, modes, limbs, s, i);
    s.rejected = i < modes.rigid ? "rigid" : rejection(s, limbs);
  }
  return shapes;
}

namespace {

// Over the pairs of legs that a heuristic looks at: the pattern in a quantity, less what is of the other
// kind. Of two pairs of legs the front ones or the others count, of more all.
template <class Of>
double leg_pattern(const Limbs& limbs, bool front, bool together, Of&& of) {
  double sum = 0;
  for (int g = 0; g < limbs.girdles; ++g) {
    if (limbs.girdles == 2 && front != (g == 1)) continue;
    const Pattern p = pattern(limbs, g, of);
    const double good = std::fabs(together ? p.together : p.alternating),
                 bad = std::fabs(together ? p.alternating : p.together);
    sum += std::max(good - bad, 0.0);
  }
  return sum;
}

double score(const ModeShape& s, const Limbs& limbs, Heuristic heuristic, bool front_together) {
  using H = Heuristic;
  const auto forward = [&](size_t l) { return s.foot[l].x; };
  const auto aside = [&](size_t l) { return s.foot[l].y; };
  const auto up = [&](size_t l) { return s.foot[l].z; };
  const auto bend = [&](size_t l) { return s.bend[l]; };
  const double h = std::max(limbs.hip_height, 1e-9);
  switch (heuristic) {
    case H::A:
      return leg_pattern(limbs, false, false, bend);
    case H::B:
      return leg_pattern(limbs, false, false, forward) / h;
    case H::C:
      return leg_pattern(limbs, false, false, up) / h;
    case H::D:
      return leg_pattern(limbs, false, true, bend);
    case H::E:
      return leg_pattern(limbs, false, true, up) / h;
    case H::F:
      return leg_pattern(limbs, true, front_together, bend);
    case H::G:
      return leg_pattern(limbs, true, front_together, forward) / h;
    case H::together:
      return leg_pattern(limbs, false, true, forward) / h;
    case H::spread:
      return leg_pattern(limbs, false, false, aside) / h;
    case H::wave:
      if (s.hand.size() != 2) return 0;
      return (std::fabs(s.hand[0].z + s.hand[1].z) + std::fabs(s.hand[0].y - s.hand[1].y)) / (2 * h);
    case H::arms:
      return s.hand.size() == 2 ? std::fabs(s.hand[0].x - s.hand[1].x) / (2 * h) : 0;
  }
  return 0;
}

}  // namespace

std::vector<double> score_modes(const std::vector<ModeShape>& shapes, const Modes& modes, const Limbs& limbs,
                                Heuristic heuristic, bool front_together) {
  using H = Heuristic;
  const bool locomotion = heuristic != H::spread && heuristic != H::wave && heuristic != H::arms;
  std::vector<double> scores(shapes.size(), 0);
  const int last = std::min(int(shapes.size()), modes.rigid + candidates);
  for (int i = modes.rigid; i < last; ++i) {
    const ModeShape& s = shapes[size_t(i)];
    double& value = scores[size_t(i)];
    value = score(s, limbs, heuristic, front_together);
    if (locomotion) value *= s.rejected.empty() ? s.sagittal : 0;
  }
  return scores;
}

int best_mode(const std::vector<double>& scores) {
  int best = -1;
  for (size_t i = 0; i < scores.size(); ++i)
    if (scores[i] > faint && (best < 0 || scores[i] > scores[size_t(best)] * (1 + 1e-9))) best = int(i);
  return best;
}

}  // namespace legwork
