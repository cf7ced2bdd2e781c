#pragma once
// Reach: gaits for a skeleton from its joints' ranges of motion alone, after Wills, "Gait animation
// and analysis for biomechanically articulated skeletons" (dissertation, University of Oregon, 2008). Explore
// every pose of a planted limb, organise them in boxes, keep what walking allows, search for the smoothest
// gait, animate it, and polish it.

#include <string>
#include <vector>

#include <legwork/methods.h>
#include <legwork/motion.h>
#include "reach/observe.h"
#include "reach/polish.h"
#include "reach/refine.h"

namespace legwork::reaching {

using Stage = ReachOptions::Stage;
using Solver = ReachOptions::Solver;
using Kind = ReachOptions::Task;

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

// What a run found, up to the stage where it stopped.
struct Findings {
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
  bool stopped = false;  // while it searched: the best gait by then, not polished
  double fitness = 0, refined_fitness = 0, polished_fitness = 0;
  RawGait raw;
  Plan plan;
  std::vector<std::vector<double>> q;  // one stride
  double planted_error = 0, planted_angle = 0, dual_error = 0, dual_angle = 0, trunk_gap = 0;
  double period = 0, sunk = 0;
};

// What a run may be given beside its options.
struct Extras {
  StageStore* store = nullptr;
  std::vector<Footprint> trackway = {};  // whose step, width and foot yaw are taken
};

// All stages up to options.stage. Throws Error for bodies and options that cannot work, before long work
// where that can be known.
Findings find_gait(const World& world, const ReachOptions& options, const Extras& extras = {},
                   const Run& run = {});

// Throws Error that says what the body lacks, with the lines to add.
void check_reach(const Creature& creature);

// The body with its elements scaled and its soles on the ground in the pose stand.
Creature prepare_body(const Creature& creature, const ReachOptions& options);

// The motion that was found: options.strides strides, or down and up once.
Motion motion_of(const Findings& findings, const ReachOptions& options, const World& world);

}  // namespace legwork::reaching
