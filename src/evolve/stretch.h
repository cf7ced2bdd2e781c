#pragma once
// A part longer and thicker, with what sits on it; and a whole body larger.
//
// Muscles are as strong as their cross-section: a part's actuators give a torque in proportion to
// cross-section times lever arm, thickness^3, so that what becomes k times as large, and k^3 times as heavy,
// has k^3 of the torque where its weight asks for k^4.

#include "evolve/parts.h"

namespace legwork::evolution {

// Along a direction of the part's frame (unit) and across it; the parts that hang on it move with their
// places.
void stretch(Body& body, const std::string& name, const Vec3d& direction, double along, double across);

// Where a part points: from its joint to what hangs on it, or to its end. Unit; z where it points nowhere.
Vec3d direction_of(const Body& body, const Part& part);

// Every part, every length; strength by cross-section.
void enlarge(Body& body, double factor);

// N m that a muscle around a limb of this radius (m) gives: 0.3 MPa on its cross-section at a third of the
// radius.
double muscle_torque(double radius);
// The radius that gives a torque.
double radius_for(double torque);

}  // namespace legwork::evolution
