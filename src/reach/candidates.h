#pragma once
// What a search chooses from: samples that can be RD or RLU, with all that the fitness needs of them.
//
// Fitness (Wills 2008, appendix H, step 6): 1 / (1 + e), where e sums over RD and RLU
//   (5 |pitch| + 2 |yaw| + |roll|) step + |lateral| + |height - target|
// and adds step times the sum of the absolute differences of the normalised degrees of freedom between RD and
// RLU. Angles in rad, lengths in cm.

#include <cstdint>
#include <vector>

#include "reach/constrain.h"

namespace legwork::reaching {

using Weights = ReachOptions::Weights;

// The error's terms without their weights, cm.
struct ErrorTerms {
  double pitch = 0, yaw = 0, roll = 0, lateral = 0, vertical = 0, fdof = 0;

  ErrorTerms& operator+=(const ErrorTerms& o);
  double total() const { return pitch + yaw + roll + lateral + vertical + fdof; }
  double weighted(const Weights& w) const;
};
inline double fitness_of(double error) { return 1 / (1 + error); }

// What the fitness is measured with.
struct Measure {
  Weights weights;
  double step = 0;    // m
  double target = 0;  // m: desired height of the root over the standing one
};
// The error of one event, without its joints.
ErrorTerms pose_terms(const RootPose& pose, const Measure& measure);
// The error of two events; u are normalised degrees of freedom.
ErrorTerms gait_terms(const RootPose& rd, const RootPose& rlu, const std::vector<double>& u_rd,
                      const std::vector<double>& u_rlu, const Measure& measure);

struct Candidates {
  int fdofs = 0;
  double joint_weight = 0;                     // weight of a unit of normalised difference
  std::vector<std::uint32_t> sample, sibling;  // in the order of the boxes, in a box by rising pitch
  std::vector<RootPose> pose;
  std::vector<double> cost;                // weighted error of the pose alone
  std::vector<float> u;                    // fdofs for each, normalised
  std::vector<std::uint32_t> box_begin;    // for each box and the end
  std::vector<std::uint32_t> slice_begin;  // for each slice and the end
  std::vector<int> slice;
  std::vector<std::uint32_t> back;  // those that can be RD: a stance behind the front of the space
  int dual_slices = 0;              // from RD's slice to RLU's
  std::uint32_t largest_slice = 0;

  std::size_t size() const { return sample.size(); }
  // The candidates for RLU after an RD.
  std::pair<std::uint32_t, std::uint32_t> partners(std::uint32_t rd) const;
  double joint_change(std::uint32_t a, std::uint32_t b) const {
    float sum = 0;
    const float *x = &u[size_t(a) * size_t(fdofs)], *y = &u[size_t(b) * size_t(fdofs)];
    for (int k = 0; k < fdofs; ++k) sum += x[k] > y[k] ? x[k] - y[k] : y[k] - x[k];
    return sum * joint_weight;
  }
  double error(std::uint32_t rd, std::uint32_t rlu) const {
    return cost[rd] + cost[rlu] + joint_change(rd, rlu);
  }
};

// Normalised values of the degrees of freedom that are used (others give 0).
std::vector<double> normalized(const Limb& limb, const std::vector<double>& values);

Candidates make_candidates(const Limb& limb, const Space& space, const Boxes& boxes,
                           const Constrained& constrained, const Ways& ways, const Measure& measure);
// Keeps those with keep[i] != 0.
Candidates filter(const Candidates& all, const Boxes& boxes, const Ways& ways, const std::vector<char>& keep);

}  // namespace legwork::reaching
