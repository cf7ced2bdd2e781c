#pragma once

#include "base/meter.h"
#include "motion/record.h"

namespace legwork {

// Tells progress in milliseconds of simulated time, and stops where the run says so. The meter must outlive
// it.
Watch watch_for(Meter& meter);

}  // namespace legwork
