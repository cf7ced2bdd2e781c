#include "motion/stance_channel.h"

namespace legwork {

const Channel* stance_channel(const Motion& motion) {
  const Channel* stance = motion.channel("stance");
  const size_t legs = motion.creature.legs.size();
  if (!stance || size_t(stance->width) != legs || stance->values.size() != motion.time.size() * legs)
    return nullptr;
  return stance;
}

}  // namespace legwork
