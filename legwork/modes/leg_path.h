#pragma once
// A leg's joints over a stretch of time, found as a whole.
//
// At samples in time it is told where the link is that carries the leg, the joint angles that the modes give,
// which of its contact points are planted and where, and how high the others must be. The answer is
//   x(t) = limit(wish(t) + d(t))
// with wish and d uniform cubic splines, so that nothing jumps, from Gauss-Newton steps (Levenberg's damping)
// on
//   sum |way of planted points|^2 + |lack of height|^2 + pull^2 |d|^2 + bend^2 |d''|^2,
// lengths over the leg's own. Limits hold by construction, and the swing leads from one plant to the next by
// what bends the modes' angles least. A planted ball rolls: where its link has turned by phi, its centre has
// moved by phi x r n. Plants of a closed path may move on the ground to where the leg stands better. The
// normal equations are a band of blocks with a border: where a cycle's ends meet, and the plants.

#include <vector>

#include "legwork/creature/place.h"
#include "legwork/ground/terrain.h"
#include "legwork/modes/limbs.h"
#include "legwork/sim/joints.h"

namespace legwork {

LinkFrame operator*(const LinkFrame& a, const LinkFrame& b);
Vec3d operator*(const LinkFrame& a, const Vec3d& p);
LinkFrame inverse(const LinkFrame& a);
// The rotation vector that leads from one to the other, in the axes of the world.
Vec3d rotation_between(const Mat3d& to, const Mat3d& from);

// The soft limit of planted.h and its slope.
struct SoftLimit {
  double lower, upper, soft;
  double operator()(double y) const noexcept;
  double slope(double y) const noexcept;
};

// A contact point of a leg.
struct LegSite {
  int link = 0;  // of the leg's own model
  Vec3d pos;
  double radius = 0;
  bool stands = false;  // on the ground in the rest pose
  bool rear = false;    // of a foot that has toes: it may rise before they do
  bool toe = false;     // of such a foot's toes: they stay level while they stand
  LinkFrame rest;       // its place and its link's axes, seen from the foot's point in the rest pose
};

struct LegDemand {
  LinkFrame carrier;
  bool planted = false, rear_planted = false;
  int stance = 0;        // which of the path's stances: those of one number share a shift
  LinkFrame plant;       // of the foot's point
  Mat3d ground;          // axes there: ahead, left, normal
  double clearance = 0;  // m, of points that do not stand
};

// How well a leg stands.
struct Footing {
  double slip = 0;  // m, longest way of a planted point along the ground in a stance
  double sink = 0;  // m, deepest of any point under it
};

class LegPath {
 public:
  // q: the rest pose, x: the same in joint coordinates; limits: of all degrees of freedom.
  LegPath(const Creature& creature, const LimbLeg& leg, const std::vector<double>& q,
          const std::vector<double>& x, const std::vector<SoftLimit>& limits);

  int carrier() const { return carrier_; }                // link of the body
  const std::vector<int>& dofs() const { return dofs_; }  // of the body
  std::vector<int> standing_contacts() const;             // of the body
  // How deep the standing points would be, were the foot there.
  double depth(const LinkFrame& foot, const Terrain& terrain) const;
  // What must be within reach of the hip's origin, seen from the foot's point, and how long the leg can be up
  // to there: of a foot that stands on an ankle the ankle, else the point; of one on its toes these.
  struct End {
    Vec3d at;
    double reach = 1;
  };
  const End& end(bool on_toes) const { return on_toes ? toes_ : end_; }

  static constexpr int samples = 2;  // of each interval of the spline, at 1/4 and 3/4
  // wishes: dofs().size() angles for each demand. closed: the last interval leads to the first. per_cycle:
  // intervals in a cycle of the gait. Begins with the last answer where that is as long and closed.
  Footing solve(const std::vector<LegDemand>& demands, const std::vector<double>& wishes, bool closed,
                int per_cycle, const Terrain& terrain);
  // Where a stance's plant went: ahead, left (m), turned (rad). Kept by later open paths for all theirs.
  Vec3d shift(int stance) const { return shifts_.empty() ? Vec3d{} : shifts_[which(stance)]; }
  // Angles before the limits at a place in the spline, counted in intervals.
  void angles(double place, double* y) const { evaluate(answer_, place, y); }
  // The largest of d, rad.
  double most() const;

 private:
  double look(const LegDemand& demand, const double* wish, const double* d, const Vec3d& shift,
              const Terrain& terrain, bool derive);
  double total(const std::vector<LegDemand>& demands, const std::vector<double>& wishes,
               const Terrain& terrain, const std::vector<double>& knots, const std::vector<Vec3d>& shifts,
               bool derive);
  void add(int row, int column, const double* block, double scale);
  void add_shift(const int* at, const double* weight, int stance);
  bool factor_and_solve();
  int knot(int i) const { return closed_ ? (i % count_ + count_) % count_ : i; }
  size_t which(int stance) const {
    const int n = int(shifts_.size());
    return size_t((stance % n + n) % n);
  }
  void descend(const std::vector<LegDemand>& demands, const std::vector<double>& wishes,
               const Terrain& terrain, double little);
  Footing footing(const std::vector<LegDemand>& demands, const std::vector<double>& wishes,
                  const Terrain& terrain);
  void evaluate(const std::vector<double>& knots, double place, double* values) const;
  void find_reach(const std::vector<double>& x, int foot, const Vec3d& point, bool ankle);

  Model<double> model_;
  JointForces<double> joints_;
  Workspace<double> w_;
  std::vector<double> q_;
  int n_ = 0, carrier_ = -1;
  std::vector<int> dofs_, ids_;  // degrees of freedom and contact points of the body
  std::vector<SoftLimit> limits_;
  std::vector<LegSite> sites_;
  std::vector<std::vector<char>> moves_;  // per site: which degrees of freedom do
  double reach_ = 1;
  End end_, toes_;

  // the spline: count_ knots of n_ numbers, and one step of them
  bool closed_ = true;
  int count_ = 0, intervals_ = 0;
  double pull_ = 0, stiff_ = 0;              // weights of its values and of their second differences
  std::vector<double> knots_, step_;         // of d
  std::vector<double> wish_knots_, answer_;  // of the wish, and of both
  std::vector<Vec3d> shifts_;
  // normal equations: the band of the first knots; the border: the last three of a cycle, then the shifts
  int inner_ = 0, width_ = 0, border_ = 0;
  std::vector<double> band_, edge_, corner_;
  std::vector<double> H_, g_;  // of one sample: n_ x n_, n_
  std::vector<double> mixed_;  // n_ x 3: knots and shift
  double shift_H_[3][3], shift_g_[3];
  std::vector<double> x_, angle_, row_[4];
  std::vector<Vec3d> misses_;  // of the sample looked at, per site; NaN: not planted
  double depth_ = 0;           // deepest of the others
};

}  // namespace legwork
