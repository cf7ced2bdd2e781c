#include "walk/motor.h"

#include <algorithm>

namespace legwork {

namespace {

constexpr size_t planned_moves = 8;  // at most, for each degree of freedom

}  // namespace

MotorBoard::MotorBoard(int nv) : under_way(size_t(nv)) { planned.reserve(planned_moves * size_t(nv)); }

void MotorBoard::move(int dof, double target, double seconds, double now, double delay) noexcept {
  const MotorMove m{dof, target, now + delay, now + delay + seconds};
  if (delay <= 0)
    under_way[size_t(dof)] = m;
  else if (planned.size() < planned.capacity())
    planned.push_back(m);
}

void MotorBoard::forget(int dof) noexcept {
  under_way[size_t(dof)].dof = -1;
  planned.erase(
      std::remove_if(planned.begin(), planned.end(), [&](const MotorMove& m) { return m.dof == dof; }),
      planned.end());
}

void step_motors(MotorBoard& motors, double now, double dt, Drive<double>& drive) noexcept {
  // timers that are due by the middle of this step
  size_t kept = 0;
  for (size_t i = 0; i < motors.planned.size(); ++i) {
    const MotorMove m = motors.planned[i];
    if (m.start <= now + 0.5 * dt)
      motors.under_way[size_t(m.dof)] = m;
    else
      motors.planned[kept++] = m;
  }
  motors.planned.resize(kept);

  std::fill(drive.rest_rate.begin(), drive.rest_rate.end(), 0.0);
  for (MotorMove& m : motors.under_way) {
    if (m.dof < 0) continue;
    const size_t i = size_t(m.dof);
    const double left = m.end - now;
    if (left <= 1e-6 * dt) {  // arrived, or told to go at once
      drive.rest[i] = m.target;
      m.dof = -1;
    } else {
      drive.rest_rate[i] = (m.target - drive.rest[i]) / (left > dt ? left : dt);
    }
  }
}

}  // namespace legwork
