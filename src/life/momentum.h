#pragma once
// The motion of a body over its feet in one cycle of a gait, as the forces that the feet can give make it.
//
// Every foot presses with the force curve that force plates show of people and dogs (Alexander, Jayes, J.
// Zool. 185 (1978), 27-40): over its stance, u from 0 to 1,
//   F_z ~ sin(pi u) + q sin(3 pi u),
// one hump as in a run (q about 0) or two as in a walk (q to 0.8). All curves have one q. Below
// v^2 = g h / 2, where a foot always stands, it is the one with which the centre of mass takes least work:
// kinetic and potential energy take turns, and the body vaults (Cavagna, Heglund, Taylor, Am. J. Physiol. 233
// (1977), R243-R261). Else it is the one with which legs are most like springs, force over length, and the
// body bounces (Geyer, Seyfarth, Blickhan, Proc. R. Soc. B 273 (2006), 2861-2867). Impulses are shared so
// that the mean force stands under the centre of mass. Horizontally a force points a little above the centre
// of mass (Maus et al., Nat. Commun. 1 (2010), 70) and a share of the way towards its own hip; from that
// follow sway and the change of speed,
//   x'' = sum_l F_z,l (X_l - p_l) / H,
// and, by the moments of the same forces about the centre of mass, pitch and roll, which the hips' muscles
// resist. Each is a linear equation with a periodic right-hand side, whose periodic solution is the gait's.
//
// Axes: forward, left, up. Places go along with a point that moves at the gait's speed.

#include <vector>

#include "math/spatial.h"

namespace legwork {

struct LegSupport {
  double begin = 0, duty = 0.6;  // touch-down and stance, shares of the cycle
  Vec3d foot;                    // m: where it stands in the middle of its stance, on the ground
  Vec3d hip;                     // m: at rest
  double roll = 0;               // m: how far the centre of pressure goes forward in a stance
};

struct MomentumProblem {
  Vec3d com;      // m, at rest, over the ground
  Vec3d inertia;  // m^2: about the centre of mass, over the mass, about each axis
  double speed = 0, period = 1, gravity = 9.81;
  std::vector<LegSupport> legs;
};

struct MomentumCycle {
  static constexpr int samples = 96;       // of the cycle
  std::vector<Vec3d> shift;                // m: the centre of mass, from its mean
  std::vector<Vec3d> turn;                 // rad: rotation vector of the whole body
  std::vector<std::vector<double>> press;  // per leg: vertical force over the weight
  double two_humps = 0;                    // q
};

MomentumCycle find_momentum(const MomentumProblem& problem);

// Shares of the weight, positive, that sum to 1 and stand under the centre of mass as nearly as they can.
std::vector<double> weight_shares(const std::vector<LegSupport>& legs, const Vec3d& com);

// The periodic x with x'' + damping x' + stiffness x = push, all per unit of mass.
std::vector<double> periodic_solution(const std::vector<double>& stiffness, double damping,
                                      const std::vector<double>& push, double period);

}  // namespace legwork
