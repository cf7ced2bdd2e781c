#include "cli/motion_file.h"

#include <iostream>

#include "legwork/io/glb.h"
#include "legwork/io/scenario.h"

namespace legwork::cli {

Motion read_motion(const std::string& path) {
  Motion motion = read_glb(path);
  if (motion.made.options.empty()) return motion;
  try {
    WorldOptions options;
    World world;
    apply(parse_scenario(motion.made.options, path + " (scenario)").world, Options(options), "world");
    apply(options, world);
    motion.terrain = world.terrain;
    motion.gravity = norm(world.gravity);
  } catch (const Error& e) {
    std::cerr << "legwork: the ground of " << path << " is taken as a plane: " << e.what() << "\n";
  }
  return motion;
}

void write_motion(const Motion& motion, const std::string& path) {
  write_glb(motion, path, {.rate = 0, .terrain = &motion.terrain});
}

}  // namespace legwork::cli
