#pragma once
// Reach: gaits for a skeleton from its joints' ranges of motion alone, after Wills, "Gait animation
// and analysis for biomechanically articulated skeletons" (dissertation, University of Oregon, 2008). Explore
// every pose of a planted limb, organise them in boxes, keep what walking allows, search for the smoothest
// gait, animate it, and polish it.

#include <functional>
#include <string>
#include <vector>

#include <legwork/motion.h>
#include <legwork/options.h>
#include "reach/observe.h"
#include "reach/polish.h"
#include "reach/refine.h"

namespace legwork::reach {

enum class Stage { explore, organise, constrain, search, animate };
enum class Solver { genetic, exact };
enum class Kind { walk, sit_stand };

struct ReachOptions {
  std::string limb = "all";
  Kind task = Kind::walk;
  Stage stage = Stage::animate;
  double resolution = 0;  // deg; 0: chosen
  Length length_resolution{0.05, false};
  Length step{0.4, true};
  StepOf step_of = StepOf::stance;
  double duty = 0.6, contralateral = 0.5, ipsilateral = 0.5;
  Foot foot = Foot::automatic;
  double foot_yaw = 0;  // deg
  std::string width = "stand";
  std::string trackway;
  double height = 1;  // wished height of the root over standing
  Length step_height{0.1, true};
  int boxes = 50;
  double epsilon = 0, trunk_tolerance = 0;  // deg; 0: from the resolution
  int trunk_samples = 21;
  std::vector<std::string> off, scale;
  double ankle = 1;
  double refine = 0;  // deg; 0: not
  bool raw = false;
  Solver solver = Solver::genetic;
  double budget = 10;  // s
  double period = 0;   // s
  int strides = 3;
  double depth = 0.4;  // of sitting
  double memory = 2;   // GB
  std::string compare;
  Weights weights;
  GeneticOptions genetic;
};

template <class Visitor>
void describe(Visitor& v, ReachOptions& o) {
  v.choice("limb", o.limb,
           {{"all", "the whole body"}, {"hind", "one girdle as a biped"}, {"fore", ""}, {"mid", ""}},
           "which girdles walk");
  v.choice("task", o.task, {{"walk", "a gait"}, {"sit-stand", "sink and rise over planted feet"}},
           "what to do");
  v.choice("stage", o.stage,
           {{"explore", "every pose of the planted limbs"},
            {"organise", "and their boxes"},
            {"constrain", "and what walking leaves of them"},
            {"search", "and the smoothest gait"},
            {"animate", "and its motion"}},
           "stop after it");
  v.number("resolution", o.resolution,
           {0, 90, "deg",
            "between samples of an angle; 0 = 4, or coarser where a limb would have over 8 million poses (on "
            "points 2)"});
  v.length("length_resolution", o.length_resolution, {1e-6, 1e3, "m", "between samples of a translation"});
  v.length("step", o.step, {0, 1e6, "m", "step length, in m or hip heights (0.48h)"});
  v.choice("step_of", o.step_of,
           {{"feet", "from a foot to the opposite one, half a stride"},
            {"stance", "the body's way while a foot is down, as Wills has it"}},
           "what a step is");
  v.number("duty", o.duty, {0.501, 0.95, "1", "share of the stride that a foot is down"});
  v.number("contralateral", o.contralateral, {0.3, 0.7, "1", "phase of a left foot after its right twin"});
  v.number("ipsilateral", o.ipsilateral, {0, 1, "1", "phase of the next girdle after the one behind it"});
  v.choice("foot", o.foot,
           {{"auto", "a point for legs of fewer than five degrees of freedom, else flat"},
            {"flat", "the sole keeps its orientation"},
            {"point", "the foot turns on its sole"}},
           "how a foot stands");
  v.number("foot_yaw", o.foot_yaw, {-90, 90, "deg", "feet turned outward"});
  v.text("width", o.width,
         {{"stand", "as the body stands"}, {"LENGTH", "between left and right soles: 0.3m, 0.2h"}},
         "of the trackway");
  v.file("trackway", o.trackway, "a real trackway (.csv): sets step, width and foot yaw, and is compared");
  v.number("height", o.height, {0.1, 2, "1", "wished height of the body, as a share of its standing height"});
  v.length("step_height", o.step_height, {0, 1e6, "m", "of a foot in mid-swing"});
  v.integer("boxes", o.boxes, {2, 1000, "", "boxes of the limb space along travel"});
  v.number(
      "epsilon", o.epsilon,
      {0, 90, "deg", "by how much left and right may disagree on the root, RMS; 0 = 0.75 of the resolution"});
  v.number("trunk_tolerance", o.trunk_tolerance,
           {0, 90, "deg",
            "the same for trunk and girdle; 0 = 1.5 of the resolution, more where that connects nothing"});
  v.integer("trunk_samples", o.trunk_samples, {1, 401, "", "bends of the trunk each way that are tried"});
  v.texts("off", o.off, {"NAME"},
          "a degree of freedom that may not move: rf_shoulder.abduct, or a part of such a name");
  v.texts("scale", o.scale, {"LINK=FACTOR"}, "a link's length, right and left: rh_crus=1.2; may be repeated");
  v.number("ankle", o.ankle, {0.1, 10, "1", "height of the ankle; the segment above it gives what it takes"});
  v.number("refine", o.refine, {0, 30, "deg", "refine one degree of freedom at a time; 0 = not, Wills: 1"});
  v.flag("raw", o.raw, "no polish: events as sampled, feet and trunk as they come");
  v.choice("solver", o.solver,
           {{"genetic", "the dissertation's"}, {"exact", "and then branch and bound, with a certificate"}},
           "how the gait is found");
  v.number("budget", o.budget, {0, 1e6, "s", "time for the exact solver"});
  v.number("period", o.period, {0, 1e4, "s", "of a stride; 0 = a Froude number of 0.1"});
  v.integer("strides", o.strides, {1, 1000, "", "to animate"});
  v.number("depth", o.depth, {0.01, 0.95, "1", "sit-stand: how far to sink, share of the height"});
  v.number("memory", o.memory, {0.001, 1e4, "GB", "most memory that limb spaces may take"});
  v.text("compare", o.compare, {"CREATURE"}, "another body, whose limb spaces are laid beside these");
  describe(v, o.weights);
  describe(v, o.genetic);
}

// Keeps and gives back what a stage made; a key names everything that the stage depends on.
struct StageStore {
  virtual ~StageStore() = default;
  virtual bool load(const std::string& key, std::string& bytes) = 0;
  virtual void save(const std::string& key, const std::string& bytes) = 0;
};

// Footprints of one side and girdle of a trackway, in order along travel.
struct Footprint {
  std::string girdle;
  bool left = false;
  Vec3d at;        // m
  double yaw = 0;  // rad, outward from travel; NaN: not known
};
struct TrackwayMeasures {
  double step = 0, width = 0, yaw = 0, stride = 0, pace_angulation = 0;  // m, m, rad (NaN), m, rad
};
TrackwayMeasures measure_trackway(const std::vector<Footprint>& prints, const std::string& girdle);

struct GirdleResult {
  std::string name;
  std::vector<std::string> held;  // degrees of freedom without a range
  double samples = 0, bytes = 0;
  Vec3d extent;  // m
  int nx = 0, ny = 0, nz = 0;
  double box = 0;
  std::size_t constrained = 0, with_siblings = 0, after_trunk = 0, back = 0, largest_slice = 0;
  Alignment alignment;
  ErrorTerms terms;
  Observables observables;
};

struct Result {
  ReachOptions options;  // as used: nothing left to choose
  Problem problem;
  std::vector<GirdleResult> girdles;
  std::vector<std::pair<std::string, double>> seconds;  // stage to time
  std::vector<std::string> reused;                      // stages that came from the store
  Creature creature;                                    // as scaled
  double resolution = 0;                                // deg
  double hip_height = 0, step = 0;                      // m
  std::vector<int> fields;                              // bits of a candidate
  Found genetic, exact;
  bool searched = false, exact_run = false, animated = false;
  double fitness = 0, refined_fitness = 0, polished_fitness = 0;
  RawGait raw;
  Plan plan;
  std::vector<std::vector<double>> q;  // one stride
  double planted_error = 0, planted_angle = 0, dual_error = 0, dual_angle = 0, trunk_gap = 0;
  double period = 0, sunk = 0;
};

struct Context {
  StageStore* store = nullptr;
  int threads = 0;
  std::uint64_t seed = 1;
  double rate = 60;
  double gravity = 9.81;
  std::vector<Footprint> trackway;
  std::function<bool()> go_on;
  std::function<void(const std::string& stage)> begin;  // for a progress line
};

// All stages up to options.stage. Throws Error for bodies and options that cannot work, before long work
// where that can be known.
Result run(const Creature& creature, const ReachOptions& options, const Context& context);

// Throws Error that says what the body lacks, with the lines to add.
void check_reach(const Creature& creature);

// The body with its elements scaled and its soles on the ground in the pose stand.
Creature prepare_body(const Creature& creature, const ReachOptions& options);

// The motion of a result: options.strides strides, or down and up once.
Motion motion_of(const Result& result, const ReachOptions& options, const Context& context);

}  // namespace legwork::reach
