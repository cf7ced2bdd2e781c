#include "formats/frames.h"

#include <cmath>

#include "base/text.h"
#include "motion/check_motion.h"

namespace legwork {

void check_writable(const Motion& motion, const std::string& path, double rate) {
  const auto fail = [&](const std::string& problem, const std::string& advice = {}) {
    throw Error({path, 0}, "", problem, advice);
  };
  if (motion.frames() == 0)
    fail("the motion has no frames, so there is nothing to write", "record some time");
  if (!(rate >= 0 && rate <= 100000))
    fail("rate: " + to_text(rate) + " Hz is no frame rate", "give one up to 100000, or 0 for every frame");
  for (int f = 0; f < motion.frames(); ++f) {
    if (!std::isfinite(motion.time[f])) fail("frame " + std::to_string(f) + ": its time is not finite");
    if (f > 0 && motion.time[f] < motion.time[f - 1])
      fail("frame " + std::to_string(f) + ": time " + to_text(motion.time[f]) + " s does not follow " +
               to_text(motion.time[f - 1]) + " s",
           "times must not fall");
  }
  check_motion(motion, path);
}

}  // namespace legwork
