#include "creature/strength.h"

#include <cmath>

namespace legwork {

std::vector<double> dof_strengths(const Creature& c) {
  std::vector<double> most(std::size_t(c.nv()), 0.0);
  for (const Actuator& a : c.actuators) {
    if (a.type == ActuatorType::linear) continue;
    double force = a.strength;
    // a motor gives no more than its largest command
    if (a.type == ActuatorType::motor && a.lower < a.upper)
      force = std::min(force, std::max(std::fabs(a.lower), std::fabs(a.upper)));
    force *= std::fabs(a.gear);
    if (a.tendon < 0)
      most[std::size_t(a.dof)] += force;
    else
      for (const DofTerm& t : c.tendons[std::size_t(a.tendon)].terms)
        most[std::size_t(t.dof)] += force * std::fabs(t.factor);
  }
  return most;
}

}  // namespace legwork
