#include "motion/check_motion.h"

namespace legwork {

void check_motion(const Motion& motion, const std::string& file) {
  const size_t frames = motion.time.size();
  const auto expect = [&](const std::string& name, const std::vector<double>& values, size_t width,
                          bool optional) {
    if (optional && values.empty()) return;
    if (values.size() != frames * width)
      throw Error({file, 0}, "motion of '" + motion.creature.name + "'",
                  name + " has " + std::to_string(values.size()) + " values instead of " +
                      std::to_string(frames * width) + ", " + std::to_string(frames) + " frames of " +
                      std::to_string(width));
  };
  const size_t nq = size_t(motion.creature.nq()), nv = size_t(motion.creature.nv());
  expect("q", motion.q, nq, false);
  expect("v", motion.v, nv, true);
  expect("tau", motion.tau, nv, true);
  expect("contact_force", motion.contact_force, 3 * motion.creature.contacts.size(), true);
  for (const Channel& channel : motion.channels)
    expect("channel '" + channel.name + "'", channel.values, size_t(channel.width < 1 ? 0 : channel.width),
           false);
}

}  // namespace legwork
