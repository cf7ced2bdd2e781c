#pragma once
// The numbers of a gait with their meaning, for the report.

#include <string>
#include <vector>

#include "report/report.h"

namespace legwork {

// Those that are not known are NaN.
std::vector<Measure> gait_measures(const Gait& gait);

// A number for each leg, in the creature's order.
struct LegMeasure {
  std::string name, unit, text;
  std::vector<double> values;
};
std::vector<LegMeasure> leg_measures(const Gait& gait);

}  // namespace legwork
