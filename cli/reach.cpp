#include "cli/reach.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <legwork/files.h>
#include <legwork/gait.h>
#include "archive/stage_cache.h"
#include "base/meter.h"
#include "base/stopwatch.h"
#include "base/text.h"
#include "cli/legacy.h"
#include "cli/motion_verb.h"
#include "formats/table/trackway_csv.h"
#include "formats/toml/gait_toml.h"
#include "math/real.h"

namespace legwork::cli {

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
      throw Error("--gait: '" + plan.name + "': girdle '" + girdles[g].name +
                  "' differs, and reach has one duty factor, one lag of left after right and one from girdle "
                  "to girdle; even them out");
  }
  return lags;
}

// 5221125 -> 5,221,125
std::string counted(double n) {
  std::string digits = std::to_string(static_cast<long long>(std::llround(n)));
  for (int at = int(digits.size()) - 3; at > 0; at -= 3) digits.insert(size_t(at), ",");
  return digits;
}

Json observables_json(const Observables& o) {
  Json json = {
      {"pitch", o.pitch}, {"yaw", o.yaw}, {"roll", o.roll}, {"lateral", o.lateral}, {"vertical", o.vertical}};
  for (auto [name, value] : o.excursion) {
    std::replace(name.begin(), name.end(), '.', '_');  // dots part the keys of a study
    json["excursion"][name] = value;
  }
  return json;
}

Json terms_json(const ErrorTerms& t) {
  return {{"pitch", t.pitch},       {"yaw", t.yaw},   {"roll", t.roll},    {"lateral", t.lateral},
          {"vertical", t.vertical}, {"fdof", t.fdof}, {"total", t.total()}};
}

class Reach : public MotionVerb {
 public:
  std::string name() const override { return "reach"; }
  std::string purpose() const override {
    return "find gaits for a skeleton from its joints' ranges of motion alone";
  }
  std::string examples() const override {
    return "legwork reach apatosaurus --step 0.34h --report apatosaurus.html --out apatosaurus.glb\n"
           "legwork reach tyrannosaurus --step 0.98h --solver exact --budget 20\n"
           "legwork reach wills_dog --limb fore --step 0.48h --off shoulder.abduct --json -\n"
           "legwork reach wills_reptile --step 2.2h --out reptile.glb\n"
           "legwork reach wills_dog --gait pace --duty 0.55 --out pace.glb\n"
           "legwork reach apatosaurus --limb fore --stage constrain --resolution 5\n"
           "legwork reach triceratops --trackway prints.csv --report beside_the_trackway.html\n"
           "legwork reach wills_dog --task sit-stand --out sit.glb";
  }
  const Options& options() const override { return described_; }

  Motion make(const Task& task, StepOptions&) override {
    if (!options_.gait.empty()) take_gait(task.world.body);
    std::unique_ptr<StageCache> cache;
    if (options_.cache != "off") {
      const std::string folder = options_.cache == "auto" ? StageCache::default_folder() : options_.cache;
      if (!folder.empty()) cache = std::make_unique<StageCache>(folder, options_.cache_limit * 1e6);
    }
    Context context;
    context.store = cache.get();
    context.threads = task.threads;
    context.seed = task.seed;
    context.rate = task.world.rate;
    context.gravity = norm(task.world.gravity);
    if (!options_.trackway.empty()) context.trackway = trackway_ = read_trackway(options_.trackway);
    Creature other;
    if (!options_.compare.empty()) other = load_creature(options_.compare);
    Meter progress(task.run, "reaching", 100 + std::max(1, options_.genetic.iterations));
    context.begin = [&](const std::string&) { progress.advance(10); };
    context.go_on = [&] {
      progress.advance();
      return !task.run.stopped();
    };
    result_ = run(task.world.body, options_, context);
    stop_if_interrupted(task);
    if (!options_.compare.empty()) comparisons_ = compare_spaces(result_, other, task.threads);
    Motion motion = motion_of(result_, options_, context);
    motion.terrain = task.world.terrain;
    return motion;
  }

  Story tell(const Motion& motion, const Task&) const override {
    Story story;
    tell_counts(story);
    if (result_.searched) tell_search(story);
    if (result_.animated) tell_motion(motion, story);
    for (const SpaceComparison& c : comparisons_) {
      story.lines.push_back(c.limb + " beside " + options_.compare + ": " + brief(c.volume) + " m^3 and " +
                            brief(c.other_volume) + " m^3 of limb space, " + brief(c.shared) +
                            " m^3 shared; longest steps " + brief(c.longest / result_.hip_height) + "h and " +
                            brief(c.other_longest / result_.hip_height) + "h");
      story.keys["compare"][c.limb] = {{"volume", c.volume},
                                       {"other_volume", c.other_volume},
                                       {"shared", c.shared},
                                       {"longest_step", c.longest},
                                       {"other_longest_step", c.other_longest}};
      story.panels.push_back(c.panel);
    }
    story.measures = reach_measures(result_, options_);
    for (Panel& panel : reach_panels(result_, options_, trackway_)) story.panels.push_back(std::move(panel));
    return story;
  }

 private:
  void tell_counts(Story& story) const {
    double samples = 0, constrained = 0;
    Json girdles = Json::object();
    for (const GirdleResult& g : result_.girdles) {
      samples += g.samples, constrained += double(g.constrained);
      std::string line = g.name + " limb: " + counted(g.samples) + " poses of the planted foot at " +
                         brief(result_.resolution) + " deg, " + with_unit(g.bytes, "B") + " at " +
                         std::to_string(bytes_per_sample) + " B each";
      if (g.nx > 0)
        line += "; " + std::to_string(g.nx) + " x " + std::to_string(g.ny) + " x " + std::to_string(g.nz) +
                " boxes of " + with_unit(g.box, "m");
      if (options_.stage >= Stage::constrain && options_.task == Kind::walk) {
        line += "; " + counted(double(g.constrained)) + " can walk";
        if (result_.girdles.size() > 1) line += ", " + counted(double(g.after_trunk)) + " with the trunk";
      }
      if (!g.held.empty()) line += "; stays as it stands, for lack of a range: " + join(g.held, ", ");
      story.lines.push_back(line);
      girdles[g.name] = {{"samples", g.samples},
                         {"bytes", g.bytes},
                         {"extent", to_json(g.extent)},
                         {"boxes", {g.nx, g.ny, g.nz}},
                         {"box_size", g.box},
                         {"constrained", g.constrained},
                         {"with_siblings", g.with_siblings},
                         {"after_trunk", g.after_trunk},
                         {"back", g.back},
                         {"largest_slice", g.largest_slice},
                         {"alignment_deg", g.alignment.angle * 180 / pi}};
    }
    if (result_.girdles.size() > 1 && options_.stage >= Stage::constrain && options_.task == Kind::walk) {
      story.keys["trunk_tolerance"] = result_.options.trunk_tolerance;
      if (options_.trunk_tolerance == 0 && result_.options.trunk_tolerance > 1.6 * result_.resolution)
        story.lines.push_back(
            "the girdles turn far against each other: poses count that the trunk misses by " +
            brief(result_.options.trunk_tolerance) + " deg");
    }
    Json seconds = Json::object();
    for (const auto& [stage, s] : result_.seconds) seconds[stage] = s;
    story.keys["samples"] = samples;
    story.keys["constrained"] = constrained;
    story.keys["bytes_per_sample"] = bytes_per_sample;
    story.keys["girdles"] = girdles;
    story.keys["stage_seconds"] = seconds;
    story.keys["reused"] = result_.reused;
    story.keys["resolution"] = result_.resolution;
    story.keys["hip_height"] = result_.hip_height;
    story.keys["step"] = result_.step;
  }

  void tell_search(Story& story) const {
    const Found& g = result_.genetic;
    int bits = 0;
    for (const int n : result_.fields) bits += n;
    std::string line = "fitness " + brief(result_.genetic.fitness * 1e3) + "e-3 from strings of " +
                       std::to_string(bits) + " bits, " + counted(double(g.genetic.evaluations)) +
                       " evaluated";
    story.keys["fitness"] = result_.fitness;
    story.keys["fitness_genetic"] = g.fitness;
    story.keys["bits"] = result_.fields;
    story.keys["evaluations"] = g.genetic.evaluations;
    story.keys["optimum_gap"] = nullptr;
    if (result_.exact_run) {
      const Found& e = result_.exact;
      const double gap = 1 - g.fitness / e.bound;
      line += e.proven ? "; proven optimum " + brief(e.fitness * 1e3) + "e-3"
                       : "; exact search reached " + brief(e.fitness * 1e3) + "e-3, bound " +
                             brief(e.bound * 1e3) + "e-3";
      line += ", the genetic search is " + brief(100 * gap) + " % below";
      story.keys["optimum_gap"] = gap;
      story.keys["fitness_exact"] = e.fitness;
      story.keys["bound"] = e.bound;
      story.keys["proven"] = e.proven;
      story.keys["nodes"] = e.nodes;
    }
    story.lines.push_back(line);
  }

  void tell_motion(const Motion& motion, Story& story) const {
    Json observables = Json::object(), terms = Json::object();
    for (const GirdleResult& g : result_.girdles) {
      observables[g.name] = observables_json(g.observables);
      terms[g.name] = terms_json(g.terms);
    }
    const bool walks = options_.task == Kind::walk;
    if (walks) {
      const double h = std::max(result_.hip_height, 1e-9);
      story.lines.push_back(
          "walks with steps of " + brief(result_.step) + " m, " + brief(result_.step / h) + " hip heights (" +
          (options_.step_of == StepOf::stance && trackway_.empty() ? "the body's way in a stance"
                                                                   : "foot to opposite foot") +
          "); a stride of " + brief(result_.plan.stride) + " m takes " + brief(result_.period) + " s");
      if (options_.refine > 0)
        story.lines.push_back("refined at " + brief(options_.refine) + " deg to a fitness of " +
                              brief(result_.refined_fitness * 1e3) + "e-3");
    } else {
      story.lines.push_back("sinks by " + brief(100 * result_.sunk) + " % of its height and rises again");
    }
    const std::string feet = "feet within " + with_unit(result_.planted_error, "m") + " and " +
                             brief(result_.planted_angle * 180 / pi) + " deg of their prints";
    if (walks && !options_.raw)
      story.lines.push_back(
          "polished to a fitness of " + brief(result_.polished_fitness * 1e3) + "e-3: " + feet +
          ", trunk within " + with_unit(result_.trunk_gap, "m") + " (the samples: root within " +
          with_unit(result_.raw.dual_error, "m") + " in dual support" +
          (result_.girdles.size() > 1 ? ", trunk gap " + with_unit(result_.raw.trunk_gap, "m") : "") + ")");
    else if (walks)
      story.lines.push_back("raw: " + feet + ", left and right disagree on the root by up to " +
                            with_unit(result_.dual_error, "m") +
                            (result_.girdles.size() > 1
                                 ? ", the trunk gapes by up to " + with_unit(result_.trunk_gap, "m")
                                 : ""));
    else
      story.lines.push_back(feet);
    if (walks) {
      const Gait gait = measure_gait(motion);
      story.lines.push_back("Froude number " + brief(gait.froude) + "; centre of mass " +
                            (gait.stability_margin >= 0 ? "at least " : "up to ") +
                            with_unit(std::fabs(gait.stability_margin), "m") +
                            (gait.stability_margin >= 0 ? " inside" : " outside") + " the feet's polygon");
    }
    story.keys["observables"] = observables;
    story.keys["error_terms"] = terms;
    story.keys["fitness_refined"] = result_.refined_fitness;
    story.keys["fitness_polished"] = result_.polished_fitness;
    story.keys["planted_error"] = result_.planted_error;
    story.keys["planted_error_deg"] = result_.planted_angle * 180 / pi;
    story.keys["dual_support_error"] = result_.dual_error;
    story.keys["dual_support_error_deg"] = result_.dual_angle * 180 / pi;
    story.keys["trunk_gap"] = result_.trunk_gap;
    story.keys["raw"] = {{"dual_support_error", result_.raw.dual_error},
                         {"dual_support_error_deg", result_.raw.dual_error_angle * 180 / pi},
                         {"trunk_gap", result_.raw.trunk_gap},
                         {"trunk_gap_deg", result_.raw.trunk_gap_angle * 180 / pi}};
    story.keys["period"] = result_.period;
    if (!walks) story.keys["sunk"] = result_.sunk;
  }

  // --gait becomes the options that it stands for, so that a scenario needs no other file.
  void take_gait(const Creature& body) {
    const bool file = options_.gait.ends_with(".toml");
    const GaitPlan plan = file ? read_gait_toml(options_.gait, body) : plan_gait(options_.gait, body);
    const std::vector<Girdle> girdles = girdles_of(body, options_.limb == "all" ? "" : options_.limb);
    const Lags lags = lags_of(plan, girdles);
    const auto set = [&](const char* option, double value) {
      described_.find(option)->set({to_text(value)}, {}, "--gait: " + std::string(option));
    };
    set("contralateral", lags.contralateral);
    if (girdles.size() > 1) set("ipsilateral", lags.ipsilateral);
    if (file) set("duty", plan.legs[size_t(girdles[0].right)].duty_factor);
    if (file) set("period", plan.stride_time);
    options_.gait.clear();
  }

  ReachOptions options_;
  Options described_{options_};
  reaching::Result result_;
  std::vector<Footprint> trackway_;
  std::vector<SpaceComparison> comparisons_;
};

}  // namespace

std::unique_ptr<MotionVerb> make_reach() { return std::make_unique<Reach>(); }

int reach_verb(const Words& words) { return run_method("reach", words); }

}  // namespace legwork::cli
