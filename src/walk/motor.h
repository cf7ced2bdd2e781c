#pragma once
// Motor programs (McKenna 1990, sections 3.3 and 4.5): the rest position of a joint's spring travels to a
// target at constant velocity; gravity and load are met by the spring's compliance, not by planning. A timer
// starts a move later.
//
//   MotorBoard motors(nv);
//   motors.move(dof, target, seconds, now);
//   step_motors(motors, now, dt, sim.state.drive);      once before every step of the simulation
//
// A new move of a joint replaces the one under way. The rest position is part of the simulation's state, so
// its integrator carries it. Copy a MotorBoard to back it up.

#include <vector>

#include "sim/simulation.h"

namespace legwork {

struct MotorMove {
  int dof = -1;
  double target = 0;
  double start = 0, end = 0;  // s, on the simulation's clock
};

class MotorBoard {
 public:
  MotorBoard() = default;
  explicit MotorBoard(int nv);

  // From now, or after a delay (s). A move of zero seconds happens at once.
  void move(int dof, double target, double seconds, double now, double delay = 0) noexcept;
  // Starts a motor program that lasts `seconds`; it replaces every move of its joints, begun or planned.
  // target(move) may change where a move goes.
  template <class AnyMove, class Target>
  void run(const std::vector<AnyMove>& program, double seconds, double now, Target target) noexcept {
    for (const AnyMove& m : program) forget(m.dof);
    for (const AnyMove& m : program)
      move(m.dof, target(m), (m.end - m.start) * seconds, now, m.start * seconds);
  }
  void run(const std::vector<Move>& program, double seconds, double now) noexcept {
    run(program, seconds, now, [](const Move& m) { return m.to; });
  }
  // Ends what is under way or planned for a joint.
  void forget(int dof) noexcept;
  bool active(int dof) const noexcept { return under_way[size_t(dof)].dof >= 0; }

  std::vector<MotorMove> under_way;  // nv: dof = -1 where there is none
  std::vector<MotorMove> planned;    // by timers, at most planned.capacity()
};

// Sets the drive's rest_rate for the step from now to now + dt (and rest, where a move ends or is instant).
void step_motors(MotorBoard& motors, double now, double dt, Drive<double>& drive) noexcept;

}  // namespace legwork
