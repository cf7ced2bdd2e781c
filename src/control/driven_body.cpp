#include "control/driven_body.h"

#include <algorithm>
#include <cmath>

namespace legwork {

namespace {

constexpr double motor_damping = 2.5;  // w times the leg's mass and its reach squared

}  // namespace

DrivenBody::DrivenBody(const LeggedBody& body, LeggedController& control, Simulation<double>& sim)
    : body_(&body),
      control_(&control),
      sim_(&sim),
      due_(sim.state.time),
      load_(body.legs.size()),
      x_(size_t(body.system->model.nv)),
      keeps_(size_t(body.system->model.nv)) {
  const JointForces<double>& joints = body.system->joints;
  for (const int d : body.posture)
    keeps_[size_t(d)] = joints.has_spring[size_t(d)] || joints.has_exponential[size_t(d)];
  sim.controller = [this](const Simulation<double>& s, Drive<double>& drive) {
    if (due()) before_step(command);
    hand_over(s, drive);
  };
}

void damp_motors(const LeggedBody& body, System<double>& system) {
  for (const LimbOfBody& leg : body.legs)
    for (const int d : leg.dofs)
      system.joints.damper[size_t(d)] += motor_damping * body.rate * leg.mass * leg.reach * leg.reach;
}

double suited_step(const LeggedBody& body) {
  double lightest = 1;
  for (const LimbOfBody& leg : body.legs)
    lightest = std::min(lightest, body.system->model.mass[size_t(leg.foot)] / body.mass);
  return control_step / body.rate * std::clamp(3 * std::sqrt(lightest), 0.15, 1.0);
}

void DrivenBody::before_step(const LegCommand& asked) {
  command = asked;
  if (!due()) return;
  Simulation<double>& sim = *sim_;
  due_ = std::max(due_ + control_step / body_->rate, sim.state.time);
  for (size_t i = 0; i < load_.size(); ++i) {
    load_[i] = 0;
    for (const int s : body_->legs[i].all_sites) load_[i] += norm(sim.ground_contacts[size_t(s)].force);
  }
  asked_ = sim.state.time;
  v_ = sim.state.v;
  control_->update(sim.state.time, sim.state.q, sim.state.v, load_, body_->system->world.terrain, command);
}

// Springs of neck, tail and arms go on holding them, and bear the torques beside that. In the legs, springs
// and dampers act at the end of an implicit step, so what they would give there if all went as planned is
// taken into account: the joints get the torques that were asked for however stiff or damped they are, and
// dampers resist what was not planned.
void DrivenBody::hand_over(const Simulation<double>& sim, Drive<double>& drive) {
  const JointForces<double>& joints = body_->system->joints;
  joint_positions(joints, sim.state.q.data(), x_.data());
  const double h = sim.options.dt;
  for (size_t d = 0; d < x_.size(); ++d) {
    if (body_->of_root(int(d))) continue;
    if (keeps_[d]) {
      const double torque = control_->torque()[d] + joints.damper[d] * control_->look().rate[d];
      drive.rest[d] = control_->look().x[d] + spring_bend(joints, int(d), torque);
      continue;
    }
    const double soon = v_[d] + control_->acceleration()[d] * (sim.state.time - asked_ + h);
    const double torque = control_->torque()[d] + joints.damper[d] * soon;
    const bool sprung = joints.has_spring[d] || joints.has_exponential[d];
    drive.rest[d] = x_[d] + (sprung ? h * soon + spring_bend(joints, int(d), torque) : 0);
    drive.tau[d] = sprung ? 0 : torque;
  }
}

}  // namespace legwork
