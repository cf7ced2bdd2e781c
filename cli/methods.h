#pragma once
// Which methods can move a body, by the checks of the methods themselves.

#include <string>
#include <vector>

#include <legwork/world.h>

namespace legwork::cli {

struct Method {
  std::string verb;
  bool supported = false;
  std::string how;     // options to give, beside the creature: "--action walk"
  std::string lacks;   // in a few words; may be there where something is supported
  std::string advice;  // the whole message, with the lines to add
};

// walk, discover, direct, modes, reach.
std::vector<Method> methods_of(const World& world);

}  // namespace legwork::cli
