// A stranger's program: only the installed headers and library.
#include <cstdio>

#include "load/load.h"
#include "motion/record.h"

int main() {
  legwork::World world;
  world.body = legwork::load_creature("hexapod");
  legwork::SimOptions options;
  options.seconds = 0.5;
  const legwork::Motion motion = legwork::simulate(world, options);
  std::printf("%s: %d frames, %s\n", motion.creature.name.c_str(), motion.frames(), to_string(motion.status));
  return motion.frames() > 10 && motion.status == legwork::Status::ok ? 0 : 1;
}
