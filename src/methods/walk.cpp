// walk: by physics, with oscillators and motor programs on springs, or by balance.

#include "walk/walk.h"

#include "formats/table/places_file.h"
#include "methods/finish.h"
#include "methods/method_of.h"
#include "methods/walk_account.h"

namespace legwork {

namespace {

// The world in words, with the ground that was walked on.
WorldOptions walked_words(const World& world, const StepOptions& step) {
  WorldOptions words = in_words(world, step);
  const ContactOptions ground = walking_ground(world);
  words.contact = to_text(ground);
  if (friction_given(world)) words.friction = ground.friction;
  return words;
}

// Where to walk to: --to, or the rows of --path.
std::vector<Vec2> places_of(const WalkOptions& options) {
  if (!options.to.empty() && !options.path.empty())
    throw Error({}, "walk: to", "path says where to walk, too", "leave one of them out");
  if (!options.path.empty()) return read_places(options.path);
  if (options.to.empty()) return {};
  const std::vector<Vec2> place = parse_places(options.to, {}, "walk: to");
  if (place.size() != 1)
    throw Error({}, "walk: to", "'" + options.to + "' is no place", "write x,y in m: 3,0.5");
  return place;
}

}  // namespace

Result walk(const World& world, const WalkOptions& asked, const Run& run) {
  Call call("walk", world, asked, run);
  WalkOptions& options = call.options;
  check_frames(world, options.seconds);

  WalkOutcome outcome = perform_walk(world, options, call.shared_run(in_words(world)), places_of(options));
  // what was found is part of the scenario; it need not be searched for again
  options.tuned = outcome.tuned;
  options.tune = WalkOptions::Tune::none;
  Result result;
  result.account = walk_account(outcome, !options.at.empty());
  result.motion = std::move(outcome.motion);
  call.finish(result, walked_words(world, outcome.step));
  return result;
}

std::unique_ptr<Method> walk_method() {
  return std::make_unique<MethodOf<WalkOptions>>(
      MethodText{
          "walk",
          "walk a body by physics: balanced over its feet, or by oscillators and motor programs on springs",
          "legwork walk roach --out walk.glb --report walk.html\n"
          "legwork walk roach --open-loop --friction 0.7 --seconds 3\n"
          "legwork walk roach --feet stick --slowness 3 --terrain bumps:0.004,0.03\n"
          "legwork walk quadruped --at 2:turn=0.5 --at 4:turn=0\n"
          "legwork walk hexapod --lose rm@1 --push 0,5,0@2+0.1 --payload 0.5\n"
          "legwork walk dog --to 2,1 --seconds 8\n"
          "legwork walk roach --tune speed --evaluations 200 --save fast.toml"},
      walk);
}

}  // namespace legwork
