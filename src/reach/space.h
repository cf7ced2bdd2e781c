#pragma once
// The limb space: where the girdle can be while the foot is planted, for every combination of the limb's
// degrees of freedom (Wills 2008, ch. III; appendix F), stored in 12 bytes a sample.
//
// Sampling rule: a degree of freedom has n = floor(excursion / resolution) samples, at least one, at the
// centres of n equal cells of its range: the rule that gives all of the dissertation's counts. A sample's
// number gives its configuration, so only the girdle's pose is stored: six 16-bit integers, 0.1 mm for a limb
// of three metres and 0.006 degrees.

#include <cstdint>
#include <vector>

#include "base/parallel.h"
#include "reach/limb.h"

namespace legwork::reaching {

inline constexpr int bytes_per_sample = 12;
// While boxes are filled and siblings sought, order and sorted angles lie beside the samples.
inline constexpr int peak_bytes_per_sample = 12 + 4 + 6 + 4;

// Samples of one degree of freedom.
int sample_count(const Fdof& fdof, double angle_resolution, double length_resolution);

struct Grid {
  std::vector<int> count;                   // samples of each degree of freedom, 1 for those not used
  std::vector<std::vector<double>> values;  // coordinates at the cells' centres
  double total = 1;                         // product of the counts

  std::vector<double> configuration(std::uint32_t sample) const;
};
Grid make_grid(const Limb& limb, double angle_resolution, double length_resolution);

struct Space {
  Grid grid;
  double unit_length = 1, unit_angle = 1;  // m and rad of one count
  std::vector<std::int16_t> x, y, z, pitch, yaw, roll;

  std::size_t size() const { return x.size(); }
  RootPose pose(std::size_t i) const {
    return {{x[i] * unit_length, y[i] * unit_length, z[i] * unit_length},
            {pitch[i] * unit_angle, yaw[i] * unit_angle, roll[i] * unit_angle}};
  }
};

// Every sample of the grid; needs fewer than 2^32. The same bits for any number of workers.
Space explore(const Limb& limb, const Placement& foot, const Grid& grid, const Workers& workers);

// The space cut into cubes, a given number of them along the direction of travel.
struct Boxes {
  Vec3d lower, upper;  // bounds of the samples, m
  double size = 0;     // edge, m
  int nx = 0, ny = 0, nz = 0;
  std::vector<std::uint32_t> begin;  // into order, for each box and the end; box = (ix ny + iy) nz + iz
  std::vector<std::uint32_t> order;  // samples box by box, in a box by rising pitch
  std::vector<std::int16_t> pitch, yaw, roll;  // turns of the samples, in that order

  int count() const { return nx * ny * nz; }
  int index(int ix, int iy, int iz) const { return (ix * ny + iy) * nz + iz; }
  int cell(int axis, double at) const;  // index along an axis, kept inside
  int box_of(const Vec3d& at) const { return index(cell(0, at.x), cell(1, at.y), cell(2, at.z)); }
  Vec3d center(int box) const;
  int slice_of(int box) const { return box / (ny * nz); }
};
Boxes organise(const Space& space, int along, const Workers& workers);

// Number of boxes along each axis of a space of this extent: cubes, `along` of them in x.
struct BoxCounts {
  double size = 0;
  int nx = 0, ny = 0, nz = 0;
};
BoxCounts box_counts(const Vec3d& extent, int along);

// The least root-mean-square turn (rad) with which each box can be reached; nan for empty ones (figure 37).
std::vector<double> least_turn(const Boxes& boxes, const Space& space);

// How the space lies: the direction in which it extends furthest seen from above, against travel; the
// sagittal plane against its middle; its thickness across. Figure 119 is a planar space that is turned.
struct Alignment {
  double angle = 0;              // rad, to the left
  double offset = 0;             // m: distance of the samples' mean from the sagittal plane
  double along = 0, across = 0;  // m, standard deviations
};
Alignment alignment(const Space& space);

}  // namespace legwork::reaching
