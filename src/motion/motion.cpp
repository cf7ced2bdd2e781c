#include <legwork/motion.h>

namespace legwork {

const Channel* Motion::channel(const std::string& name) const {
  for (const Channel& c : channels)
    if (c.name == name) return &c;
  return nullptr;
}

}  // namespace legwork
