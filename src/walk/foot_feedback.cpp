// Where feet go beside their programs, and how far springs are bent: the walker's feedback in the space of
// the feet. Programs say how a foot moves on level ground; here its path is shifted (place_feet), the shift
// is made by the joints, and every spring rests beyond its joint's place by what the planned load would bend
// it.
#include <algorithm>
#include <cmath>

#include "math/real.h"
#include "walk/stance_load.h"
#include "walk/walker.h"

namespace legwork {

namespace {

constexpr double adapt_share = 0.02;  // share of a step time between two looks at the feet
constexpr double touch_share = 0.03;  // share of the weight from which a foot counts as standing
constexpr double part_time = 0.2;     // share of a step time in which a leg takes up its part of the load
constexpr double most_offset = 0.5;   // largest shift up or down, over the trunk's height
constexpr double most_shift = 0.3;    // largest shift along the ground, over the trunk's height
constexpr double leak = 0.03;  // share of the joints' corrections forgotten at each look: no winding up
constexpr double out_of_reach = 0.1;  // how far a foot misses its place, over the trunk's height
constexpr double most_moved = 0.6;    // rad: largest correction of a joint
constexpr double search_speed = 0.5;  // heights in a step time: how fast a foot seeks missed ground
constexpr double high = 0.03;         // heights by which the trunk may be too high
constexpr double late = 1;            // step times in stance without ground, from which a foot seeks it where
                                      // legs are few: balance, too, lifts one of four
constexpr double rise = 0.25;         // heights by which the elevator reflex lifts a foot

Vec3d toward(const Vec3d& from, const Vec3d& to, double share) {
  return from + (to - from) * std::min(share, 1.0);
}

Vec3d within(const Vec3d& d, double shift, double height) {
  return {std::clamp(d.x, -shift, shift), std::clamp(d.y, -shift, shift), std::clamp(d.z, -height, height)};
}

}  // namespace

// Axes of the standing body, turned as the trunk has turned since.
Mat3d Walker::axes(const Simulation<double>& sim) const {
  return sim.w.R[size_t(body_->trunk)] * transpose(body_->upright);
}

bool Walker::adapts() const {
  return settings.feedback.weight > 0 || settings.reflexes.elevator || settings.reflexes.ground;
}

void Walker::add(Simulation<double>& sim, double sign) const {
  for (const WalkLeg& leg : body_->legs)
    for (const int d : leg.dofs) sim.state.drive.rest[size_t(d)] += sign * state.added[size_t(d)];
}

void Walker::adapt(Simulation<double>& sim) {
  const double now = sim.state.time, dt = state.adapted < 0 ? sim.options.dt : now - state.adapted;
  if (!adapts() || (state.adapted >= 0 && dt < adapt_share * settings.pace.step - 0.5 * sim.options.dt))
    return;
  state.adapted = now;
  const Model<double>& m = sim.system().model;
  const JointForces<double>& joints = sim.system().joints;
  joint_positions(joints, sim.state.q.data(), x_.data());
  // feet by their programs alone
  const auto pose = [&](bool moved) {
    std::fill(v_.begin(), v_.end(), 0.0);
    for (const WalkLeg& leg : body_->legs)
      for (const int dof : leg.dofs) {
        const size_t d = size_t(dof);
        v_[d] = sim.state.drive.rest[d] + (moved ? state.moved[d] : 0) - x_[d];
      }
    integrate_positions(m, sim.state.q.data(), v_.data(), 1.0, q_.data());
    update_positions(m, q_.data(), w_);
  };
  pose(false);
  for (size_t i = 0; i < programmed_.size(); ++i)
    programmed_[i] = point_position(w_, body_->legs[i].foot, body_->legs[i].sole);
  place_feet(sim, dt);
  // joints that take them where they should be: a round of Newton's method at each look
  const Mat3d axes = this->axes(sim);
  pose(true);
  for (size_t i = 0; i < programmed_.size(); ++i) {
    const WalkLeg& leg = body_->legs[i];
    const Vec3d sole = point_position(w_, leg.foot, leg.sole);
    const Vec3d miss = programmed_[i] + axes * state.offset[i] - sole;
    for (size_t k = 0; k < leg.dofs.size(); ++k) {
      const size_t d = size_t(leg.dofs[k]);
      moves_[k] = w_.S[d].lin + cross(w_.S[d].ang, sole - w_.p[size_t(m.link_of_dof[d])]);
    }
    least_motion(moves_.data(), leg.dofs.size(), miss, v_.data());
    for (size_t k = 0; k < leg.dofs.size(); ++k) {
      const size_t d = size_t(leg.dofs[k]);
      const double programmed = sim.state.drive.rest[d];
      const double least = std::max(-most_moved, std::min(joints.lower[d] - programmed, 0.0));
      const double most = std::min(most_moved, std::max(joints.upper[d] - programmed, 0.0));
      state.moved[d] = std::clamp((1 - leak) * state.moved[d] + v_[k], least, most);
    }
    // where a leg cannot reach, it does not try
    if (norm(miss) > out_of_reach * height_) state.offset[i].z -= 0.2 * transpose_times(axes, miss).z;
  }
  bend_springs(sim);
}

// Inverse dynamics of the posture that the programs ask for, at rest, with the weight shared out to the
// standing feet.
void Walker::bend_springs(const Simulation<double>& sim) {
  const System<double>& system = sim.system();
  const Model<double>& m = system.model;
  for (size_t i = 0; i < found_.size(); ++i)
    found_[i] = point_position(sim.w, body_->legs[i].foot, body_->legs[i].sole);
  share_weight(found_, state.part, center_of_mass(m, sim.w), m.gravity, share_);
  std::fill(v_.begin(), v_.end(), 0.0);
  update_velocities(m, q_.data(), v_.data(), w_);
  clear_forces(m, w_);
  const double mass = weight_ / std::max(norm(m.gravity), 1e-300);
  for (size_t i = 0; i < share_.size(); ++i)
    add_force(w_, body_->legs[i].foot, body_->legs[i].sole, m.gravity * (-mass * share_[i]));
  inverse_dynamics(m, static_cast<const double*>(nullptr), w_, tau_.data());
  for (const WalkLeg& leg : body_->legs)
    for (const int dof : leg.dofs) {
      const size_t d = size_t(dof);
      const double bend = settings.feedback.weight * spring_bend(system.joints, dof, tau_[d]);
      state.added[d] = state.moved[d] + bend;
    }
}

void Walker::place_feet(const Simulation<double>& sim, double dt) {
  const Model<double>& m = sim.system().model;
  const Mat3d axes = this->axes(sim);
  const Vec3d trunk = sim.w.p[size_t(body_->trunk)];
  const double step = settings.pace.step;
  for (size_t i = 0; i < found_.size(); ++i) {
    const WalkLeg& leg = body_->legs[i];
    const bool stands =
        state.gait.mode[i] != LegMode::step && !state.lost[i] && state.load[i] > touch_share * weight_;
    const double change = dt / (part_time * step);
    state.part[i] += std::clamp((stands ? 1.0 : 0.0) - state.part[i], -change, change);
    const Vec3d sole = transpose_times(axes, point_position(sim.w, leg.foot, leg.sole) - trunk);
    found_[i] = {leg.home.x, leg.home.y, sole.z - leg.home.z};
  }
  // how far the trunk has sunk below its place over the standing feet, under each hip
  const Tilt sunk = fit_plane(found_, state.part);
  const Vec3d g = transpose_times(axes, m.gravity);
  const Vec3d lean = Vec3d(g.x, g.y, 0) * (settings.feedback.lean * height_ / std::max(-g.z, 1e-300));
  state.lean = toward(state.lean, lean, dt / settings.pace.cycle());
  const Vec3d v = transpose_times(axes, linear_momentum(m, sim.w)) * (1 / total_mass(m));
  state.drift = toward(state.drift, Vec3d(0, v.y, 0), dt / step);
  for (size_t i = 0; i < found_.size(); ++i) {
    const Vec3d home = body_->legs[i].home;
    state.offset[i] =
        within(place_foot(i, sim, sunk.at(home.x, home.y), dt), most_shift * height_, most_offset * height_);
  }
}

// The shift of one foot from its program's path. sunk: how far the trunk is too low above it.
Vec3d Walker::place_foot(size_t i, const Simulation<double>& sim, double sunk, double dt) {
  const Feedback& f = settings.feedback;
  const double step = settings.pace.step, t = state.gait.in_mode[i] / step;
  Vec3d to = state.offset[i];
  if (state.lost[i]) return to;
  const bool touches = state.load[i] > touch_share * weight_;
  if (state.gait.mode[i] != LegMode::step) {
    to = toward(to, {state.lean.x, state.lean.y, to.z}, dt / settings.pace.cycle());
    state.landed[i] |= touches;
    if (state.landed[i])
      to.z -= std::min(f.posture * dt / step, 1.0) * sunk;
    else if (settings.reflexes.ground && (!body_->spread || (t > late && sunk > -high * height_)))
      to.z -= search_speed * height_ * dt / step;
    return to;
  }
  // in the air: above where it stood, then down to level ground; aside where the body falls to
  const double g = norm(sim.system().model.gravity), fall = std::sqrt(height_ / std::max(g, 1e-300));
  const Vec3d aside = state.lean + state.drift * (f.capture * fall);
  to = toward(to, {aside.x, aside.y, to.z}, dt / (0.3 * step));
  if (settings.reflexes.elevator && !state.lifted_higher[i] && t > step_free_from && t < step_free_to &&
      state.load[i] > settings.reflexes.limits.touch[i])
    state.lifted_higher[i] = 1;
  const double programmed = transpose_times(axes(sim), programmed_[i] - sim.w.p[size_t(body_->trunk)]).z;
  const double before = state.aimed[i];
  if (settings.reflexes.ground && t >= step_free_to && touches)
    to.z = std::max(to.z, before - programmed);  // here it is
  else if (state.lifted_higher[i] && t < step_free_to)
    to.z += rise * height_ * dt / (0.1 * step) * (to.z < rise * height_);
  else if (to.z < 0 || t > 0.5)
    to.z = toward(to, {0, 0, 0}, dt / (0.15 * step)).z;
  state.aimed[i] = programmed + to.z;
  return to;
}

}  // namespace legwork
