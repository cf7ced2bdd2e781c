// walk: by physics, with oscillators and motor programs on springs, or by balance.

#include "walk/walk.h"

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

}  // namespace

Result walk(const World& world, const WalkOptions& asked, const Run& run) {
  Call call("walk", world, asked, run);
  WalkOptions& options = call.options;
  check_frames(world, options.seconds);

  WalkOutcome outcome = perform_walk(world, options, run);
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
          "walk a body by physics: oscillators and motor programs on springs, or balance by inverse dynamics",
          "legwork walk roach --out roach.glb --report roach.html\n"
          "legwork walk roach --open-loop --friction 0.7 --seconds 3\n"
          "legwork walk roach --feet stick --slowness 3 --terrain bumps:0.004,0.03\n"
          "legwork walk quadruped --at 2:turn=0.5 --at 4:turn=0\n"
          "legwork walk roach --lose rm@1 --push 0.02,0,0@2+0.05\n"
          "legwork walk roach --tune speed --evaluations 200 --save fast.toml"},
      walk);
}

}  // namespace legwork
