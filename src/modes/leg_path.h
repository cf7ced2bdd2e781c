#pragma once
// A leg's joints over a stretch of time, found as a whole.
//
// The input, at samples in time: where the link that carries the leg is, the joint angles that the modes
// give, which contact points are planted and where, and how high the others must be. The answer is
//   x(t) = limit(wish(t) + d(t))
// with wish and d uniform cubic splines, so that nothing jumps, from Gauss-Newton steps (Levenberg's damping)
// on
//   sum |drift of planted points|^2 + |lack of height|^2 + pull^2 d'Kd + bend^2 |d''|^2,
// lengths over the leg's own, K the joints' stiffness over its mean: of all ways to stand, the one that costs
// the least elastic energy beside the modes. Limits hold by construction, and the swing leads from one plant
// to the next by what bends the modes' angles least. A planted ball rolls: where its link has turned by phi,
// its centre has moved by phi x r n. Plants of a closed path may move on the ground to where the leg stands
// better. The normal equations are a band of blocks with a border: where a cycle's ends meet, and the plants.

#include <vector>

#include "ground/terrain.h"
#include "modes/bordered_band.h"
#include "modes/leg_body.h"

namespace legwork {

struct LegDemand {
  LinkFrame carrier;
  bool planted = false, rear_planted = false;
  int stance = 0;        // which of the path's stances: those of one number share a shift
  LinkFrame plant;       // frame of the foot's point
  Mat3d ground;          // axes there: ahead, left, normal
  double clearance = 0;  // m: required height of points that do not stand
};

// How well a leg stands.
struct Footing {
  double slip = 0;  // m: longest distance of a planted point along the ground in a stance
  double sink = 0;  // m, deepest of any point under it
};

class LegPath {
 public:
  explicit LegPath(LegBody body);

  const LegBody& body() const { return body_; }
  // How deep the standing points would be, were the foot there.
  double depth(const LinkFrame& foot, const Terrain& terrain) const;

  static constexpr int samples = 2;  // in each interval of the spline, at 1/4 and 3/4
  // wishes: an angle per degree of freedom for each demand. closed: the last interval leads to the first.
  // per_cycle: intervals in a cycle of the gait. Begins with the last answer where that is as long and
  // closed.
  Footing solve(const std::vector<LegDemand>& demands, const std::vector<double>& wishes, bool closed,
                int per_cycle, const Terrain& terrain);
  // Angles before the limits at a place in the spline, counted in intervals.
  void angles(double place, double* y) const { evaluate(answer_, place, y); }
  // The largest of d, rad.
  double largest_correction() const;

 private:
  struct SiteMiss;

  void make_wish_spline(const std::vector<double>& asked, int count);
  void descend(const std::vector<LegDemand>& demands, const std::vector<double>& wishes,
               const Terrain& terrain, double little);
  Footing footing(const std::vector<LegDemand>& demands, const std::vector<double>& wishes,
                  const Terrain& terrain);

  // Half the sum of squares of a whole path; fills the normal equations.
  double path_cost(const std::vector<LegDemand>& demands, const std::vector<double>& wishes,
                   const Terrain& terrain, const std::vector<double>& knots,
                   const std::vector<Vec3d>& shifts);
  void hold_shifts(const std::vector<Vec3d>& shifts, double sample_count, double& cost);
  void resist_bending(const std::vector<double>& knots, double& cost);
  // The cost of one sample; with derive also its gradient g_ and Gauss-Newton's H_, by d.
  double sample_cost(const LegDemand& demand, const double* wish, const double* d, const Vec3d& shift,
                     const Terrain& terrain, bool derive);
  SiteMiss find_miss(size_t site, const LegDemand& demand, const Vec3d& shift, const Mat3d& shift_turn,
                     const Terrain& terrain);
  void derive_rows(const LegSite& site, const LegDemand& demand, const SiteMiss& miss);
  void add_rows(const LegDemand& demand, const SiteMiss& miss);
  void add_shift(const int* at, const double* weight, int stance);

  int knot(int i) const { return closed_ ? (i % knot_count_ + knot_count_) % knot_count_ : i; }
  size_t shift_index(int stance) const {
    const int n = int(shifts_.size());
    return size_t((stance % n + n) % n);
  }
  // Where a stance's plant went: ahead, left (m), turned (rad). Kept by later open paths for all theirs.
  Vec3d shift(int stance) const { return shifts_.empty() ? Vec3d{} : shifts_[shift_index(stance)]; }
  int first_shift(size_t shift) const { return equations_.border() - 3 * int(shifts_.size() - shift); }
  void evaluate(const std::vector<double>& knots, double place, double* values) const;

  LegBody body_;
  Workspace<double> w_;
  std::vector<double> q_;
  int nv_ = 0;
  double length_ = 1;  // the leg's length, m

  // the spline: knots of nv_ numbers
  bool closed_ = true;
  int knot_count_ = 0, intervals_ = 0;
  double pull_ = 0, bend_ = 0;               // weights of its values and of their second differences
  std::vector<double> knots_;                // the knots of d
  std::vector<double> wish_knots_, answer_;  // the knots of the wish, and of both
  std::vector<Vec3d> shifts_;
  BorderedBand equations_;  // the border: the last three knots of a cycle, then the shifts

  // one sample
  std::vector<double> x_, angle_;
  std::vector<double> H_, g_;          // nv_ x nv_, nv_
  std::vector<double> mixed_;          // nv_ x 3: knots and shift
  double shift_H_[3][3], shift_g_[3];  // by the shift
  std::vector<double> row_[4];         // one site: derivatives of its miss by the angles
  std::vector<Vec3d> misses_;          // per site, m; NaN: not planted
  double depth_ = 0;                   // deepest of the others, m
};

}  // namespace legwork
