#pragma once
// A world as a recording sees it.

#include "ground/record.h"
#include "sim/sensors.h"
#include "sim/simulation.h"

namespace legwork {

JointForces<Trace> record(JointForces<double> joints, const NumberOf& number);
Tendons<Trace> record(Tendons<double> tendons, const NumberOf& number);
std::vector<ActuatorUnit<Trace>> record(const std::vector<ActuatorUnit<double>>& actuators,
                                        const NumberOf& number);
std::vector<SensorUnit<Trace>> record(const std::vector<SensorUnit<double>>& sensors, const NumberOf& number);

// body: the numbers of the body and of its contact points; drive: those of its actuators.
System<Trace> record(const System<double>& system, const NumberOf& body, const NumberOf& drive);

// What of a world cannot be recorded, in words ("dry friction of joints"); empty: all can.
std::string not_recordable(const System<double>& system, const StepOptions& options);

}  // namespace legwork
