#include "modes/modal_leg.h"

#include <Eigen/Cholesky>
#include <algorithm>

#include "dynamics/dynamics.h"
#include "math/rotation.h"
#include "modes/coordinates.h"

namespace legwork {

namespace {

constexpr double turn_arm = 0.15;     // hip heights: how much a foot's turn counts beside its place
constexpr double longest_step = 0.2;  // hip heights that a foot is moved at once
constexpr double damping = 1e-3;      // added to the diagonal, over the mean of the squares

}  // namespace

Vec3d turn_between(const Quatd& from, const Quatd& to) { return rotation_vector(to * conjugate(from)); }

Place between(const Place& a, const Place& b, double u) {
  return {a.p + (b.p - a.p) * u, rotation_quaternion(turn_between(a.turn, b.turn) * u) * a.turn};
}

FreeRoot::FreeRoot(const Model<double>& model, int link) {
  const Screw<double>& free = model.screws[size_t(model.screw_begin[size_t(link)])];
  q = free.q, v = free.v;
}

Place FreeRoot::place(const double* all) const {
  const double* at = all + q;
  return {{at[0], at[1], at[2]}, {at[3], at[4], at[5], at[6]}};
}

void FreeRoot::put(const Place& place, double* all) const {
  const double values[7] = {place.p.x,    place.p.y,    place.p.z,   place.turn.w,
                            place.turn.x, place.turn.y, place.turn.z};
  std::copy(values, values + 7, all + q);
}

ModalLeg::ModalLeg(const Model<double>& model, const JointForces<double>& joints, const Modes& modes,
                   const LimbLeg& limb, const FreeRoot& root, double hip_height, int count)
    : model_(model),
      joints_(joints),
      limb_(limb),
      root_(root),
      hip_height_(hip_height),
      w_(model),
      x_(size_t(model.nv)),
      q_(size_t(model.nq)) {
  dofs_.assign(limb.dofs.begin(), limb.dofs.begin() + long(std::min(limb.dofs.size(), size_t(most_dofs))));
  const int taken = std::min({count, most_modes, modes.count() - modes.rigid});
  basis_.resize(long(dofs_.size()), taken);
  beta_.setZero(taken);
  for (int i = 0; i < taken; ++i)
    for (size_t d = 0; d < dofs_.size(); ++d)
      basis_(long(d), i) = modes.joints(dofs_[d], modes.rigid + i) / modes.omega(modes.rigid + i);
}

void ModalLeg::add_offset(std::vector<double>& x) const {
  for (size_t d = 0; d < dofs_.size(); ++d) x[size_t(dofs_[d])] += basis_.row(long(d)).dot(beta_);
}

void ModalLeg::bend(const std::vector<double>& x, const Place& root, const Vec3d& foot,
                    const Mat3d& orientation, double flatness, int iterations) {
  const double arm = flatness * turn_arm * hip_height_, longest = longest_step * hip_height_;
  for (int n = 0; n < iterations; ++n) {
    x_ = x;
    add_offset(x_);
    set_positions(joints_, x_.data(), q_.data());
    root_.put(root, q_.data());
    update_positions(model_, q_.data(), w_);
    const Vec3d at = point_position(w_, limb_.foot, limb_.point);
    Vec3d miss = foot - at;
    if (const double way = norm(miss); way > longest) miss = miss * (longest / way);
    // orientation: only what tips the sole, which is the turn between the two upward directions
    const Vec3d up_now = w_.R[size_t(limb_.foot)] * transpose_times(orientation, Vec3d(0, 0, 1));
    const Vec3d tip = cross(up_now, Vec3d(0, 0, 1));
    Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, most_dofs> J(6, long(dofs_.size()));
    for (size_t d = 0; d < dofs_.size(); ++d) {
      const int j = dofs_[d];
      const Twist<double>& S = w_.S[size_t(j)];
      const Vec3d v = S.lin + cross(S.ang, at - w_.p[size_t(model_.link_of_dof[size_t(j)])]);
      const Vec3d level = {S.ang.x, S.ang.y, 0};
      for (int k = 0; k < 3; ++k) J(k, long(d)) = v[k], J(3 + k, long(d)) = arm * level[k];
    }
    Eigen::Matrix<double, 6, 1> e;
    e << miss.x, miss.y, miss.z, arm * tip.x, arm * tip.y, 0;
    const Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, most_modes> A = J * basis_;
    Eigen::Matrix<double, 6, 6> N = A * A.transpose();
    const double damp = damping * N.trace() / 6 + 1e-12;
    for (int k = 0; k < 6; ++k) N(k, k) += damp;
    beta_ = A.transpose() * N.ldlt().solve(e + A * beta_);
  }
}

}  // namespace legwork
