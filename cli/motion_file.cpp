#include "cli/motion_file.h"

#include "formats/gltf/glb.h"
#include "formats/toml/creature_toml.h"

namespace legwork::cli {

Motion read_motion(const std::string& path, Account* account) { return read_glb(path, account); }

void write_motion(const Motion& motion, const std::string& path, const Account& account,
                  const Creature& given) {
  const std::string body = write_creature_toml(given);
  const bool changed = body != write_creature_toml(motion.creature);
  write_glb(motion, path, {.rate = 0, .account = account, .given = changed ? body : ""});
}

}  // namespace legwork::cli
