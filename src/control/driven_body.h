#pragma once
// A simulation whose joints a controller drives: what it senses, and how torques reach the joints.

#include "control/legged_controller.h"

namespace legwork {

class DrivenBody {
 public:
  // The simulation's controller is this object's from now on; both must outlive its steps.
  DrivenBody(const LeggedBody& body, LeggedController& control, Simulation<double>& sim);

  // What is asked for whenever the controller is due, once in `control_step`, before a step.
  LegCommand command;
  // The same by hand, where it changes: before a step of the simulation.
  void before_step(const LegCommand& asked);
  const std::vector<double>& load() const { return load_; }  // N on each leg's foot

 private:
  bool due() const { return sim_->state.time >= due_ - 0.5 * sim_->options.dt; }
  void hand_over(const Simulation<double>& sim, Drive<double>& drive);

  const LeggedBody* body_;
  LeggedController* control_;
  Simulation<double>* sim_;
  double due_ = 0;    // s: when the controller is asked next
  double asked_ = 0;  // s: when it was asked last
  std::vector<double> load_, x_;
  std::vector<double> v_;    // nv: velocities then
  std::vector<char> keeps_;  // nv: joints outside the legs whose own springs hold them
};

// Motors of legs that resist leaving the velocities that the controller planned: between two times that it is
// asked, light legs would be flung about by what they touch. To be done before the simulation is made.
void damp_motors(const LeggedBody& body, System<double>& system);

// s: a step of the simulation that suits the body: light feet on stiff ground need short ones.
double suited_step(const LeggedBody& body);

// 1/w between two times that the controller is asked.
inline constexpr double control_step = 0.01;

}  // namespace legwork
