#include "motion/watch.h"

namespace legwork {

Watch watch_for(Meter& meter) {
  return [&meter, told = 0L](const Simulation<double>& sim) mutable {
    const long now = long(sim.state.time * 1000);
    if (now - told >= 100) meter.reach(told = now);
    return !meter.stopped();
  };
}

}  // namespace legwork
