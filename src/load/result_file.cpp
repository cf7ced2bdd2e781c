// Results in files: a motion's .glb with the account, the scenario and the body that the method was given.

#include <legwork/files.h>
#include "formats/gltf/glb.h"
#include "formats/toml/creature_toml.h"
#include "scenario/scenario.h"

namespace legwork {

void save(const Result& result, const std::string& path) {
  GlbOptions options;
  options.rate = 0;
  options.account = result.account;
  if (!result.given.links.empty()) {
    const std::string given = write_creature_toml(result.given);
    if (given != write_creature_toml(result.motion.creature)) options.given = given;
  }
  write_glb(result.motion, path, options);
}

Motion read_motion(const std::string& path) { return read_glb(path); }

Result read_result(const std::string& path) {
  Result result;
  result.motion = read_glb(path, &result.account);
  result.given = read_given(path);
  const Motion& motion = result.motion;
  if (!motion.made.options.empty())
    result.scenario = parse_scenario(motion.made.options, path + " (scenario)");
  if (!motion.creature.legs.empty() && motion.frames() > 0 && !motion.v.empty())
    result.gait = measure_gait(motion);
  return result;
}

}  // namespace legwork
