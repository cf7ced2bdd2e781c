// reach: gaits for a skeleton from its joints' ranges of motion alone.

#include <cmath>
#include <utility>

#include <legwork/files.h>
#include "archive/stage_cache.h"
#include "base/text.h"
#include "formats/table/trackway_csv.h"
#include "formats/toml/gait_toml.h"
#include "methods/finish.h"
#include "methods/method_of.h"
#include "methods/reach_account.h"
#include "methods/reach_life.h"

namespace legwork {

namespace {

using namespace reaching;

// The timing that reach has: one for both sides, and one step from girdle to girdle.
struct Lags {
  double contralateral = 0, ipsilateral = 0;
};

double after(double phase, double other) { return phase - other - std::floor(phase - other); }
bool same(double phase, double other) { return std::abs(std::remainder(phase - other, 1.0)) < 0.02; }

// plan: the timing of every leg, in the creature's order.
Lags lags_of(const GaitPlan& plan, const std::vector<Girdle>& girdles) {
  const std::vector<LegTiming>& legs = plan.legs;
  const LegTiming& first = legs[size_t(girdles[0].right)];
  Lags lags{after(legs[size_t(girdles[0].left)].phase, first.phase), 0.5};
  if (girdles.size() > 1) lags.ipsilateral = after(legs[size_t(girdles[1].right)].phase, first.phase);
  for (size_t g = 0; g < girdles.size(); ++g) {
    const LegTiming &right = legs[size_t(girdles[g].right)], &left = legs[size_t(girdles[g].left)];
    const bool fits = same(after(right.phase, first.phase), lags.ipsilateral * double(g)) &&
                      same(after(left.phase, right.phase), lags.contralateral) &&
                      same(left.duty_factor, first.duty_factor) && same(right.duty_factor, first.duty_factor);
    if (!fits)
      throw Error(
          {}, "reach: gait",
          "'" + plan.name + "': girdle '" + girdles[g].name +
              "' differs, and reach has one duty factor, one lag of left after right and one from girdle "
              "to girdle",
          "even them out");
  }
  return lags;
}

// A gait becomes the options that it stands for, so that a scenario needs no other file.
void take_gait(const Creature& body, const Options& described, ReachOptions& options) {
  const bool file = options.gait.ends_with(".toml");
  const GaitPlan plan = file ? read_gait_toml(options.gait, body) : plan_gait(options.gait, body);
  const std::vector<Girdle> girdles = girdles_of(body, options.limb == "all" ? "" : options.limb);
  const Lags lags = lags_of(plan, girdles);
  const auto set = [&](const char* option, double value) {
    described.find(option)->set({to_text(value)}, {}, "reach: gait: " + std::string(option));
  };
  set("contralateral", lags.contralateral);
  if (girdles.size() > 1) set("ipsilateral", lags.ipsilateral);
  if (file) set("duty", plan.legs[size_t(girdles[0].right)].duty_factor);
  if (file) set("period", plan.stride_time);
  options.gait.clear();
}

// Null where stages are not kept.
std::unique_ptr<StageCache> cache_of(const ReachOptions& options) {
  if (options.cache == "off") return nullptr;
  const std::string folder = options.cache == "auto" ? StageCache::default_folder() : options.cache;
  if (folder.empty()) return nullptr;
  return std::make_unique<StageCache>(folder, options.cache_limit * 1e6);
}

// What came from the cache differs from run to run, as the time does.
Value effort_values(const Findings& found) {
  Value seconds = Value::object();
  for (const auto& [stage, s] : found.seconds) seconds[stage] = s;
  return {{"stage_seconds", seconds}, {"reused", found.reused}};
}

}  // namespace

Result reach(const World& world, const ReachOptions& asked, const Run& run) {
  Call call("reach", world, asked, run);
  ReachOptions& options = call.options;
  if (!options.gait.empty()) take_gait(world.body, call.described, options);
  const std::unique_ptr<StageCache> cache = cache_of(options);
  Extras extras{cache.get()};
  if (!options.trackway.empty()) extras.trackway = read_trackway(options.trackway);
  Creature other;
  if (!options.compare.empty()) other = load_creature(options.compare);

  const Findings found = find_gait(world, options, extras, call.shared_run(in_words(world)));
  std::vector<SpaceComparison> comparisons;
  if (!options.compare.empty()) comparisons = compare_spaces(found, other, run);

  Result result;
  LivelyMotion lively;
  const bool lives = options.life.on() && options.task == Kind::walk && found.animated;
  if (lives) lively = lively_motion_of(found, options, world);
  result.motion = lives ? std::move(lively.motion) : motion_of(found, options, world);
  result.gait = measure_gait(result.motion);
  result.account = reach_account({found, options, extras.trackway, comparisons, *result.gait});
  if (lives) {
    result.account.statements.push_back({"with life it goes at " + brief(lively.speed) + " m/s"});
    if (lively.pace < 1)
      result.account.statements.push_back(
          {"its joints do not let the feet stand at full stride under a living trunk: strides are " +
           brief(lively.pace) + " of what was found"});
  }
  result.effort.values = effort_values(found);
  call.finish(result, in_words(world, StepOptions()));
  return result;
}

std::unique_ptr<Method> reach_method() {
  return std::make_unique<MethodOf<ReachOptions>>(
      MethodText{"reach", "find gaits for a skeleton from its joints' ranges of motion alone",
                 "legwork reach apatosaurus --step 0.34h --report apatosaurus.html --out apatosaurus.glb\n"
                 "legwork reach tyrannosaurus --step 0.98h --solver exact --budget 20\n"
                 "legwork reach wills_dog --limb fore --step 0.48h --off shoulder.abduct --json -\n"
                 "legwork reach wills_reptile --step 2.2h --out reptile.glb\n"
                 "legwork reach wills_dog --gait pace --duty 0.55 --out pace.glb\n"
                 "legwork reach apatosaurus --limb fore --stage constrain --resolution 5\n"
                 "legwork reach triceratops --trackway prints.csv --report beside_the_trackway.html\n"
                 "legwork reach wills_dog --task sit-stand --out sit.glb"},
      reach);
}

}  // namespace legwork
