#pragma once
// What standing legs must bear.

#include <vector>

#include "math/vec.h"
#include "sim/joints.h"

namespace legwork {

// Shares of the weight (their sum is 1) that feet bear along gravity so that they carry a body whose centre
// of mass is com, as evenly as they can; none pulls. part: 1 for a foot that takes part, 0 for one that does
// not, or between. Where com lies outside the feet those nearest to it bear all. All shares are 0 where no
// foot takes part.
void share_weight(const std::vector<Vec3d>& feet, const std::vector<double>& part, const Vec3d& com,
                  const Vec3d& gravity, std::vector<double>& share) noexcept;

// Least motion of the joints (damped) that moves a point by d, where moves[k] is its motion for a unit of
// joint k.
void least_motion(const Vec3d* moves, size_t count, const Vec3d& d, double* motion) noexcept;

// The plane a + b x + c y that fits heights z best, each weighed by its part; flat where too few take part.
struct Tilt {
  double a = 0, b = 0, c = 0;
  double at(double x, double y) const { return a + b * x + c * y; }
};
Tilt fit_plane(const std::vector<Vec3d>& points, const std::vector<double>& part) noexcept;

}  // namespace legwork
