#include "sim/check_world.h"

#include <cmath>

#include "base/text.h"
#include "creature/check.h"
#include "sim/simulation.h"

namespace legwork {

namespace {

bool finite(const Vec3d& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

}  // namespace

void check_world(const World& world) {
  check(world.body);
  if (!finite(world.gravity)) throw Error({}, "gravity", "is not finite");
  if (!(world.rate > 0 && world.rate < 1e7))
    throw Error({}, "rate", to_text(world.rate) + " Hz", "give frames a second, above 0");
  if (!(world.dt >= 0 && world.dt < 1e3))
    throw Error({}, "dt", to_text(world.dt) + " s", "give a time step, or 0 to choose it");
  if (!world.integrator.empty()) parse_integrator(world.integrator);
  for (const Push& push : world.pushes) {
    if (push.link < 0 || push.link >= int(world.body.links.size()))
      throw Error({}, "push",
                  "link " + std::to_string(push.link) + " is not one of the body's " +
                      std::to_string(world.body.links.size()));
    if (!finite(push.force) || !std::isfinite(push.start) || !(push.duration > 0))
      throw Error({}, "push", "its force, start and duration are not all finite, or it lasts no time");
  }
}

}  // namespace legwork
