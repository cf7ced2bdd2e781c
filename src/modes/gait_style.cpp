#include "modes/gait_style.h"

#include <algorithm>
#include <cmath>

#include "control/inverse_kinematics.h"
#include "dynamics/dynamics.h"
#include "math/curves.h"
#include "math/rotation.h"

namespace legwork {

namespace {

constexpr int samples = 240;      // of a cycle
constexpr int first_cycle = 4;    // from which on the gait repeats
constexpr double rounded = 0.35;  // share of the swing in which a foot turns from and to the ground

}  // namespace

GaitStyle::GaitStyle(const LeggedBody& body, const Limbs& limbs, PlantedGait& gait, double hz) {
  find_footfalls(limbs, gait, hz);
  take_samples(body, gait, hz);
  soften();
  differentiate(hz);
  find_swings();
}

// By the gait's own clock; a leg of the body is the limb of its number.
void GaitStyle::find_footfalls(const Limbs& limbs, PlantedGait& gait, double hz) {
  schedule_.offset.assign(limbs.legs.size(), 0);
  double stands = 0;
  for (size_t l = 0; l < limbs.legs.size(); ++l) {
    int lifts = 0, down = 0;
    for (int i = 0; i < samples; ++i) {
      const bool now = gait.stance(int(l), (first_cycle + (i + 0.5) / samples) / hz);
      const bool before = gait.stance(int(l), (first_cycle + (i - 0.5) / samples) / hz);
      if (before && !now) lifts = i;
      down += now;
    }
    schedule_.offset[size_t(limbs.legs[l].leg)] = fraction(-double(lifts) / samples);
    stands += double(down) / samples / double(limbs.legs.size());
  }
  schedule_.duty = stands;
  schedule_.swing = (1 - stands) / hz;
  schedule_.speed = gait.speed();
}

void GaitStyle::take_samples(const LeggedBody& body, PlantedGait& gait, double hz) {
  const System<double>& system = *body.system;
  Workspace<double> w(system.model);
  std::vector<double> q(size_t(system.model.nq));
  cycle_.resize(samples);
  for (int i = 0; i < samples; ++i) {
    gait.at((first_cycle + double(i) / samples) / hz, q.data());
    update_positions(system.model, q.data(), w);
    Sample& s = cycle_[size_t(i)];
    s.x.assign(size_t(system.model.nv), 0.0), s.rate = s.x;
    joint_positions(system.joints, q.data(), s.x.data());
    s.trunk = w.R[size_t(body.root)];
    const Vec3d way(gait.speed() * double(i) / samples / hz, 0, 0);
    s.height = center_of_mass(system.model, w).z;
    for (const LimbOfBody& leg : body.legs) {
      s.sole.push_back(point_position(w, leg.foot, leg.sole) - way);
      s.foot.push_back(w.R[size_t(leg.foot)]);
    }
  }
}

// Takes corners out of the cycle: averages over a fortieth of it, three times.
void GaitStyle::soften() {
  constexpr int half = samples / 80;
  std::vector<double> row(samples);
  const auto soften = [&](auto&& value) {
    for (int n = 0; n < 3; ++n) {
      for (int i = 0; i < samples; ++i) {
        double sum = 0;
        for (int k = -half; k <= half; ++k) sum += value(cycle_[size_t((i + k + samples) % samples)]);
        row[size_t(i)] = sum / (2 * half + 1);
      }
      for (int i = 0; i < samples; ++i) value(cycle_[size_t(i)]) = row[size_t(i)];
    }
  };
  for (size_t j = 0; j < cycle_[0].x.size(); ++j) soften([&](Sample& s) -> double& { return s.x[j]; });
  soften([&](Sample& s) -> double& { return s.height; });
}

void GaitStyle::differentiate(double hz) {
  const double h = 1 / (samples * hz);
  const auto at = [&](int i) -> const Sample& { return cycle_[size_t((i + samples) % samples)]; };
  double mean = 0;
  for (const Sample& s : cycle_) mean += s.height / samples;
  for (int i = 0; i < samples; ++i) {
    Sample& s = cycle_[size_t(i)];
    const Sample &before = at(i - 2), &after = at(i + 2);
    for (size_t j = 0; j < s.x.size(); ++j) s.rate[j] = (after.x[j] - before.x[j]) / (4 * h);
    s.spin = turn_between(before.trunk, after.trunk) * (1 / (4 * h));
    s.climb = (after.height - before.height) / (4 * h);
    s.up = (after.height - 2 * s.height + before.height) / (4 * h * h);
  }
  for (Sample& s : cycle_) s.height -= mean;
}

// How high each foot goes over where it stands, and when.
void GaitStyle::find_swings() {
  for (size_t l = 0; l < schedule_.offset.size(); ++l) {
    double low = cycle_[0].sole[l].z, high = low;
    double peak = 0;
    for (int i = 0; i < samples; ++i) {
      const double z = cycle_[size_t(i)].sole[l].z;
      low = std::min(low, z);
      if (z > high) high = z, peak = schedule_.phase(l, double(i) / samples) / (1 - schedule_.duty);
    }
    high_.push_back(high - low);
    peak_.push_back(std::clamp(peak, 0.25, 0.65));
  }
}

void GaitStyle::calm_down(double share) {
  std::vector<double> mean(cycle_[0].x.size(), 0);
  Vec3d turn;
  for (const Sample& s : cycle_) {
    for (size_t j = 0; j < mean.size(); ++j) mean[j] += s.x[j] / samples;
    turn += turn_between(cycle_[0].trunk, s.trunk) * (1.0 / samples);
  }
  const Mat3d trunk = matrix(rotation_quaternion(turn)) * cycle_[0].trunk;
  for (Sample& s : cycle_) {
    for (size_t j = 0; j < mean.size(); ++j)
      s.x[j] = mean[j] + share * (s.x[j] - mean[j]), s.rate[j] *= share;
    s.trunk = matrix(rotation_quaternion(turn_between(trunk, s.trunk) * share)) * trunk;
    s.spin = s.spin * share;
    s.height *= share, s.climb *= share, s.up *= share;
  }
  for (double& high : high_) high *= share;
  schedule_.speed *= share;
}

void GaitStyle::body(double clock, BodyLook& look) const {
  const double u = fraction(clock) * samples;
  const int i = std::min(int(u), samples - 1);
  const double b = u - i, a = 1 - b;
  const Sample &s = cycle_[size_t(i)], &t = cycle_[size_t((i + 1) % samples)];
  for (size_t j = 0; j < s.x.size(); ++j) {
    look.x[j] = a * s.x[j] + b * t.x[j];
    look.rate[j] = a * s.rate[j] + b * t.rate[j];
  }
  look.trunk = matrix(rotation_quaternion(turn_between(s.trunk, t.trunk) * b)) * s.trunk;
  look.spin = s.spin * a + t.spin * b;
  look.rise = a * s.height + b * t.height;
  look.climb = a * s.climb + b * t.climb;
  look.up = a * s.up + b * t.up;
}

void GaitStyle::swing(size_t leg, double, double share, SwingLook& look) const {
  look.high = high_[leg], look.peak = peak_[leg];
  const double clock = fraction(share * (1 - schedule_.duty) - schedule_.offset[leg]);
  const Mat3d& axes = cycle_[size_t(std::min(int(clock * samples), samples - 1))].foot[leg];
  const double flat =
      std::max(smooth_step(1 - share / rounded), smooth_step((share - 1 + rounded) / (0.8 * rounded)));
  look.axes = matrix(rotation_quaternion(turn_between(look.axes, axes) * (1 - flat))) * look.axes;
}

}  // namespace legwork
