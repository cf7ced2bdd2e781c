#include "methods/discover_problem.h"

#include "discover/equip.h"
#include "formats/table/follow_file.h"

namespace legwork {

namespace {
constexpr double largest_gain = 0.1;  // energy from nowhere, as a share of the energy turned over
}  // namespace

Problem pose_problem(World world, const DiscoverOptions& options, std::vector<std::string>& added) {
  Equipped equipped = equip(world.body);
  added = equipped.told;
  world.body = std::move(equipped.body);
  StepOptions step = choose_step(make_system(world), world.integrator, world.dt);
  step.max_gain = largest_gain;
  std::optional<FollowPath> follow;
  if (!options.follow.empty()) follow = read_follow(options.follow);
  return make_problem(std::move(world), options, step, follow);
}

}  // namespace legwork
